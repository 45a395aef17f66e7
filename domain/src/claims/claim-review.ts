import type { Day } from "../kernel/calendar.ts"
import { applyTransition } from "../kernel/lifecycle.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import { preparerIds, type RuleActor } from "../platform/permission.ts"
import { type Claim, type ClaimContent, contentOf, type DocumentType, documentTypeNames } from "./claim.ts"
import { type ClaimChange, createRound } from "./claim-approval.ts"
import { type ClaimFact, claimFactHead } from "./claim-facts.ts"
import { type ChosenCover, submissionErrors } from "./claim-form.ts"
import { claimLifecycle, mayWithdraw, stageOf } from "./claim-lifecycle.ts"
import {
  type ChecklistLine,
  documentsText,
  isSameDocuments,
  missingDocuments,
  missingDocumentsMessage,
  sortDocuments,
} from "./required-documents.ts"

/**
 * Changes a draft or a submitted claim; `policyId` is that of the chosen member. The editor joins `capturedBy` and
 * cannot decide the claim. A submitted claim must stay complete: INVALID names the fields. Only its changes are
 * recorded, not those of a draft.
 */
export function edit(
  claim: Claim,
  given: ClaimContent & { policyId: string },
  actor: RuleActor,
  today: Day,
  chosen: ChosenCover,
): Decision<ClaimChange, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(claimLifecycle, claim, "edit")
  if (isRefusal(status)) return status
  const content = { ...contentOf(given), policyId: given.policyId }
  const fields = status === "submitted" ? submissionErrors(content, today, chosen) : []
  if (fields.length > 0) return refuse("INVALID", undefined, { fields })
  const before: Partial<ClaimContent> = {}
  const after: Partial<ClaimContent> = {}
  for (const key of Object.keys(contentOf(claim)) as (keyof ClaimContent)[]) {
    if (claim[key] === content[key]) continue
    Object.assign(before, { [key]: claim[key] })
    Object.assign(after, { [key]: content[key] })
  }
  if (Object.keys(after).length === 0) return { value: claim, facts: [] }
  return {
    value: {
      ...claim,
      ...content,
      ...addToCapturedBy(claim, actor),
      version: claim.version + 1,
    },
    facts: status === "submitted" ? [{ type: "ClaimEdited", ...claimFactHead(claim), before, after }] : [],
  }
}

/**
 * Submits a complete draft and opens its first round of approvals. INVALID names every missing or wrong field.
 * `decidersOf` checks separately whether each stage has a decider.
 */
export function submit(
  claim: Claim,
  actor: RuleActor,
  today: Day,
  now: Temporal.Instant,
  chosen: ChosenCover & Pick<Claim, "premiumStanding">,
): Decision<ClaimChange, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(claimLifecycle, claim, "submit")
  if (isRefusal(status)) return status
  const fields = submissionErrors(claim, today, chosen)
  if (fields.length > 0) return refuse("INVALID", undefined, { fields })
  return {
    value: {
      ...claim,
      status,
      submittedAt: now.toString(),
      submittedBy: actor.userId,
      premiumStanding: chosen.premiumStanding,
      ...addToCapturedBy(claim, actor),
      approvals: createRound(claim.round),
      version: claim.version + 1,
    },
    facts: [{ type: "ClaimSubmitted", ...claimFactHead(claim), after: contentOf(claim) }],
  }
}

export function startReview(
  claim: Claim,
  actor: RuleActor,
  now: Temporal.Instant,
): Decision<ClaimChange, "WRONG_STATUS"> {
  const status = applyTransition(claimLifecycle, claim, "startReview")
  if (isRefusal(status)) return status
  return {
    value: {
      ...claim,
      status,
      ...reviewerStamp(actor, now),
      ...addToCapturedBy(claim, actor),
      version: claim.version + 1,
    },
    facts: [{ type: "ClaimReviewStarted", ...claimFactHead(claim) }],
  }
}

/**
 * Assigns the claim to another reviewer, or to a first one. The old and the new reviewer count as involved and cannot
 * decide it. INVALID if the new reviewer already has the claim.
 */
export function reassign(
  claim: Claim,
  to: { userId: string; name: string },
  actor: RuleActor,
  now: Temporal.Instant,
): Decision<ClaimChange, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(claimLifecycle, claim, "reassign")
  if (isRefusal(status)) return status
  if (claim.status === "under_review" && claim.reviewedBy === to.userId) {
    const message = `${to.name} is already reviewing this claim.`
    return refuse("INVALID", message, { fields: [{ path: "userId", message }] })
  }
  const handled = addToCapturedBy(addToCapturedBy(claim, actor), { userId: to.userId })
  return {
    value: {
      ...claim,
      status,
      reviewedBy: to.userId,
      reviewedAt: now.toString(),
      ...handled,
      version: claim.version + 1,
    },
    facts: [{ type: "ClaimReassigned", ...claimFactHead(claim), to: to.userId, after: { assignedTo: to.name } }],
  }
}

/**
 * Deletes a draft and its documents; only the audit trail keeps a record. FORBIDDEN unless the actor captured it or may
 * review claims.
 */
export function withdraw(
  claim: Claim,
  actor: RuleActor,
): Decision<{ value: null; facts: ClaimFact[] }, "WRONG_STATUS" | "FORBIDDEN"> {
  if (claim.status !== "draft")
    return refuse("WRONG_STATUS", "Only a draft can be withdrawn. This claim was submitted.")
  if (!mayWithdraw(claim, actor))
    return refuse("FORBIDDEN", "Only the person who captured this draft, or a manager, can withdraw it.")
  return { value: null, facts: [{ type: "ClaimWithdrawn", ...claimFactHead(claim) }] }
}

/** DOCUMENTS_MISSING names the required documents that are neither attached nor waived. */
export function route(
  claim: Claim,
  actor: RuleActor,
  now: Temporal.Instant,
  checklist: readonly ChecklistLine[],
): Decision<ClaimChange, "WRONG_STATUS" | "DOCUMENTS_MISSING"> {
  const status = applyTransition(claimLifecycle, claim, "route")
  if (isRefusal(status)) return status
  const missing = missingDocuments(checklist)
  if (missing.length > 0) {
    return refuse("DOCUMENTS_MISSING", missingDocumentsMessage(missing), { documents: missing })
  }
  return {
    value: {
      ...claim,
      status,
      ...(claim.status === "submitted" && reviewerStamp(actor, now)),
      ...addToCapturedBy(claim, actor),
      routedAt: now.toString(),
      requestedDocuments: [],
      version: claim.version + 1,
    },
    facts: [{ type: "ClaimRouted", ...claimFactHead(claim) }],
  }
}

/** Requests missing documents; each stays requested until it is uploaded. */
export function requestDocuments(
  claim: Claim,
  documents: readonly DocumentType[],
  note: string,
): Decision<ClaimChange, "WRONG_STATUS"> {
  const status = applyTransition(claimLifecycle, claim, "requestDocuments")
  if (isRefusal(status)) return status
  const requestedDocuments = [...new Set([...claim.requestedDocuments, ...documents])]
  return {
    value: { ...claim, status, requestedDocuments, version: claim.version + 1 },
    facts: [
      {
        type: "ClaimDocumentsRequested",
        ...claimFactHead(claim),
        documents: [...documents],
        reason: note.trim(),
        after: { documents: documents.map((type) => documentTypeNames[type]).join(", ") },
      },
    ],
  }
}

/** Waives one missing requirement: all documents of its line, with a reason. INVALID if it is not missing. */
export function waiveDocuments(
  claim: Claim,
  checklist: readonly ChecklistLine[],
  asked: readonly DocumentType[],
  reason: string,
  actor: RuleActor,
): Decision<ClaimChange & { documents: DocumentType[] }, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(claimLifecycle, claim, "waiveDocuments")
  if (isRefusal(status)) return status
  const why = reason.trim()
  if (!why) return refuseWithoutReason("Enter a reason for the waiver.")
  const documents = sortDocuments(asked)
  if (!missingDocuments(checklist).some((missing) => isSameDocuments(missing, documents))) {
    const message = "This document is not missing."
    return refuse("INVALID", message, { fields: [{ path: "documents", message }] })
  }
  // A request for a waived document would keep the clock stopped.
  const requestedDocuments = claim.requestedDocuments.filter((type) => !documents.includes(type))
  return {
    documents,
    value: { ...claim, status, ...addToCapturedBy(claim, actor), requestedDocuments, version: claim.version + 1 },
    facts: [
      {
        type: "ClaimDocumentsWaived",
        ...claimFactHead(claim),
        documents,
        reason: why,
        after: { waivedDocuments: documentsText(documents) },
      },
    ],
  }
}

/** Withdraws the waiver of one requirement, with a reason; the documents are missing again. INVALID if it is not waived. */
export function withdrawWaiver(
  claim: Claim,
  checklist: readonly ChecklistLine[],
  asked: readonly DocumentType[],
  reason: string,
  actor: RuleActor,
): Decision<ClaimChange & { documents: DocumentType[] }, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(claimLifecycle, claim, "withdrawWaiver")
  if (isRefusal(status)) return status
  const why = reason.trim()
  if (!why) return refuseWithoutReason("Enter a reason for withdrawing the waiver.")
  const documents = sortDocuments(asked)
  if (!checklist.some((line) => line.state === "waived" && isSameDocuments(line.documents, documents))) {
    const message = "This document is not waived."
    return refuse("INVALID", message, { fields: [{ path: "documents", message }] })
  }
  return {
    documents,
    value: { ...claim, status, ...addToCapturedBy(claim, actor), version: claim.version + 1 },
    facts: [
      {
        type: "ClaimWaiverWithdrawn",
        ...claimFactHead(claim),
        documents,
        reason: why,
        before: { waivedDocuments: documentsText(documents) },
      },
    ],
  }
}

/** Rejects a claim that has not been routed; `reason` is required and stored. */
export function rejectBeforeRouting(
  claim: Claim,
  reason: string,
  now: Temporal.Instant,
): Decision<ClaimChange, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(claimLifecycle, claim, "reject")
  if (isRefusal(status)) return status
  const why = reason.trim()
  if (!why) return refuseWithoutReason("Enter a reason for the rejection.")
  return {
    value: {
      ...claim,
      status,
      rejectedAt: now.toString(),
      rejectionReason: why,
      requestedDocuments: [],
      version: claim.version + 1,
    },
    facts: [{ type: "ClaimRejected", ...claimFactHead(claim), reason: why }],
  }
}

/**
 * Returns a claim to submitted, where it can be edited, and opens a new round of approvals. The old round is kept, but
 * its dates are cleared from the claim. Waiting days still count from the first submission.
 */
export function sendBack(claim: Claim, reason: string): Decision<ClaimChange, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(claimLifecycle, claim, "sendBack")
  if (isRefusal(status)) return status
  const why = reason.trim()
  if (!why) return refuseWithoutReason("Enter a reason for sending the claim back.")
  return {
    value: {
      ...claim,
      status,
      round: claim.round + 1,
      approvals: [...claim.approvals, ...createRound(claim.round + 1)],
      routedAt: null,
      groupAdminApprovalAt: null,
      underwriterApprovalAt: null,
      version: claim.version + 1,
    },
    facts: [{ type: "ClaimSentBack", ...claimFactHead(claim), reason: why, fromStage: stageOf(claim.status) }],
  }
}

/**
 * Marks an approved claim paid: its payments reached the approved amount, the last on `paidOn`. A death claim is always
 * about the member; a dependent's death has another claim type.
 */
export function pay(claim: Claim, paidOn: Day): Decision<ClaimChange, "WRONG_STATUS"> {
  const status = applyTransition(claimLifecycle, claim, "pay")
  if (isRefusal(status)) return status
  const { claimType, incidentOn, memberId, dependentId } = claim
  const death = claimType === "death" && incidentOn ? { memberId, dependentId, on: incidentOn } : null
  return {
    value: { ...claim, status, paymentOn: paidOn, version: claim.version + 1 },
    facts: [{ type: "ClaimPaid", ...claimFactHead(claim), paidOn, death }],
  }
}

/**
 * The amount of a payment in cents: the requested part, or everything still open after `paidCents`. INVALID for more
 * than is open.
 */
export function payableAmount(
  { approvedAmountCents }: Pick<Claim, "approvedAmountCents">,
  paidCents: Cents,
  askedCents: Cents | undefined,
  currency: Currency,
): Decision<Cents, "INVALID" | "WRONG_STATUS"> {
  const openCents = (approvedAmountCents ?? 0) - paidCents
  if (openCents <= 0) return refuse("WRONG_STATUS", "This claim is fully paid.")
  if (askedCents === undefined || askedCents <= openCents) return askedCents ?? openCents
  const message = `Enter at most ${formatMoney(openCents, currency)}, the unpaid amount of this claim`
  return refuse("INVALID", message, { fields: [{ path: "amountCents", message }] })
}

/** After a payment was returned or never received, the claim is owed again and waits for another payment. */
export function markOwedAgain(claim: Claim, paymentLabel: string): Decision<ClaimChange, "WRONG_STATUS"> {
  const status = applyTransition(claimLifecycle, claim, "owe")
  if (isRefusal(status)) return status
  return {
    value: { ...claim, status, paymentOn: null, version: claim.version + 1 },
    facts: [{ type: "ClaimOwedAgain", ...claimFactHead(claim), paymentLabel }],
  }
}

/** Adds the actor to those involved, who cannot decide the claim. */
export const addToCapturedBy = (claim: Pick<Claim, "capturedBy">, actor: Pick<RuleActor, "userId" | "keyMadeBy">) => ({
  capturedBy: [...new Set([...claim.capturedBy, ...preparerIds(actor)])],
})

const reviewerStamp = (actor: RuleActor, now: Temporal.Instant) => ({
  reviewedBy: actor.userId,
  reviewedAt: now.toString(),
})

const refuseWithoutReason = (message: string) => refuse("INVALID", message, { fields: [{ path: "reason", message }] })
