import { z } from "zod"
import { coverGaps, insuredKinds } from "../benefits/benefit-terms.ts"
import { day } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line, text } from "../kernel/text-shape.ts"
import { relationships } from "../members/member.ts"
import { payee } from "../payouts/payout-shape.ts"
import { payoutDetail } from "../payouts/payouts.contract.ts"
import { noteProcedures } from "../platform/notes.contract.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { claimTypes, documentTypes, stages } from "./claim.ts"
import { claimContent, maxClaimAmountCents } from "./claim-form.ts"
import { payeesNeeded } from "./claim-payees.ts"
import {
  account,
  claimDetail,
  claimRow,
  documentOpening,
  followUp,
  payableClaim,
  pendingRow,
  standIn,
} from "./claim-shape.ts"
import { claimsList } from "./claims.list.ts"
import { payeesContract } from "./payees.contract.ts"
import { pendingClaimsList } from "./pending-claims.list.ts"
import { reserveContract } from "./reserve.contract.ts"

const reason = text(2_000)
const claimId = z.uuid()
const versioned = { claimId, version: z.int() }
const waivedDocuments = z.strictObject({
  ...versioned,
  documents: z.array(z.enum(documentTypes)).min(1, "Choose a document").max(documentTypes.length),
  reason,
})

export const wrongStatus = {
  WRONG_STATUS: { status: 409, message: "The claim's status no longer allows this." },
} as const

const documentsMissing = {
  DOCUMENTS_MISSING: {
    status: 409,
    message: "Required documents of this claim are missing.",
    data: z.object({ documents: z.array(z.array(z.enum(documentTypes))) }),
  },
} as const

const noDecider = {
  NOBODY_TO_DECIDE: {
    status: 409,
    message: "A stage of this claim has no approver.",
    data: z.object({ stages: z.array(z.enum(stages)) }),
  },
} as const

/** Claims: capture, review, approvals and views (specification 1). */
const defaultAmount =
  "In cents. If you leave this out, the stage approves the amount that the previous stage approved (the first stage: the " +
  "requested amount), even if cover allows less. The claim's proposedAmountCents is the amount that cover allows."

const stepErrors = {
  NO_PENDING_STEP: { status: 409, message: "No pending approval step" },
  OWN_CLAIM: {
    status: 409,
    message: "You captured, submitted or reviewed this claim, or added documents to it. Another person must decide it.",
  },
  DECIDED_BEFORE: {
    status: 409,
    message: "You decided another stage of this claim. Another person must decide this one.",
  },
} as const

export const claimsContract = {
  payees: payeesContract,
  reserve: reserveContract,

  /**
   * A page of the claims in a tab that the reader may see, newest first by default. Search matches claim number, member
   * first or last name, and employer name. Amounts are cents. Refuses INVALID for an unknown sort.
   */
  list: readProcedure("claims.read")
    .route({ method: "GET", path: "/claims", summary: "List claims", tags: ["Claims"] })
    .input(listInput(claimsList))
    .output(
      listOutput(claimsList, claimRow, {
        /** Over all search matches, regardless of tab and status; null when there are too many to count. */
        summary: z.object({ all: z.int(), pending: z.int(), approved: z.int() }).nullable(),
        totalValueCents: cents.nullable(),
      }),
    ),

  /**
   * A page of the pending claims, most urgent first by default. Priority, waiting days (from submission), state and
   * "assigned to" follow claim-priority, the time left follows claim-clock. Search matches member name, claim number or claim type.
   */
  pending: readProcedure("claims.read")
    .route({ method: "GET", path: "/claims/pending", summary: "List pending claims", tags: ["Claims"] })
    .input(listInput(pendingClaimsList))
    .output(
      listOutput(pendingClaimsList, pendingRow, {
        /** Over all search matches, regardless of filters; null when there are too many to count. */
        summary: z
          .object({
            pending: z.int(),
            urgent: z.int(),
            documentationRequired: z.int(),
            overdue: z.int(),
            forMe: z.int(),
          })
          .nullable(),
      }),
    ),

  /** The most urgent claim pending for this reader, and how many are pending; null when there are none. */
  nextForMe: readProcedure("claims.read")
    .route({ method: "GET", path: "/claims/next", summary: "Read the next claim waiting for me", tags: ["Claims"] })
    .input(z.object({ except: claimId.optional() }))
    .output(z.object({ next: z.object({ id: z.uuid(), number: z.string() }).nullable(), waiting: z.int() })),

  /**
   * A claim with its documents, approvals, cover check and history, without medical facts that the reader may not see.
   * Refuses NOT_FOUND, also for a claim of another group.
   */
  detail: readProcedure("claims.read", { shows: "claim" })
    .route({ method: "GET", path: "/claims/{claimId}", summary: "Read a claim", tags: ["Claims"] })
    .input(z.object({ claimId }))
    .output(claimDetail),

  /** A page of the claim's history, newest first. Refuses NOT_FOUND. */
  activity: readProcedure("claims.read")
    .route({
      method: "GET",
      path: "/claims/{claimId}/activity",
      summary: "Read the audit trail of a claim",
      tags: ["Claims"],
    })
    .input(z.object({ claimId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),

  /**
   * The benefits of the policy's product on a day, with their claim types and their cover of the member, or of
   * `dependentId` (cents; 0 means no maximum). With a `gap` the benefit pays nothing for that person. Also the member's
   * dependents with whether they were covered on that day. Without `incidentOn`: today.
   * Refuses NOT_FOUND for a member or dependent that the reader may not see.
   */
  benefits: readProcedure("claims.read")
    .route({
      method: "GET",
      path: "/claims/benefits",
      summary: "List the benefits that can be claimed",
      tags: ["Claims"],
    })
    .input(z.object({ memberId: z.uuid(), dependentId: z.uuid().optional(), incidentOn: day.optional() }))
    .output(
      z.object({
        tier: z.string().nullable(),
        insured: z.enum(insuredKinds),
        benefits: z.array(
          z.object({
            id: z.uuid(),
            name: z.string(),
            maxCoverCents: cents,
            /** 0 means not set: 100. */
            coverPercentage: z.int(),
            gap: z.enum(coverGaps).nullable(),
            claimTypes: z.array(z.enum(claimTypes)),
          }),
        ),
        dependents: z.array(
          z.object({ id: z.uuid(), name: z.string(), relationship: z.enum(relationships), isCovered: z.boolean() }),
        ),
      }),
    ),

  /**
   * Whether every stage would have a decider for a claim that the caller captures or submits for this member. `nobody`
   * names the stages without a decider and who can fix this; otherwise null. With the `claimId` of a draft, its
   * capturers are excluded too. Refuses NOT_FOUND for a member that the caller may not see.
   */
  deciders: readProcedure("claims.capture")
    .route({ method: "GET", path: "/claims/deciders", summary: "List the approvers of a claim", tags: ["Claims"] })
    .input(z.object({ memberId: z.uuid(), claimId: claimId.optional() }))
    .output(z.object({ nobody: z.string().nullable() })),

  /**
   * Creates a draft (no `claimId`), or changes a draft or submitted claim (with its `version`). A draft may be
   * incomplete; a submitted claim must stay complete. Refuses INVALID with the fields, STALE with the current claim,
   * and WRONG_STATUS once the review has begun.
   */
  saveDraft: writeProcedure("claims.capture")
    .route({ method: "POST", path: "/claims", summary: "Save a claim draft", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(
      z
        .strictObject({ claimId: claimId.optional(), version: z.int().optional(), content: claimContent })
        .refine(({ claimId, version }) => claimId === undefined || version !== undefined, {
          path: ["version"],
          message: "Required with claimId: the version of the draft you edited",
        }),
    )
    .output(claimDetail),

  /**
   * Submits a draft; the response's `deciders` are the users who can decide each stage. Refuses INVALID naming the
   * missing fields, NOBODY_TO_DECIDE naming the stages, WRONG_STATUS and STALE.
   */
  submit: writeProcedure("claims.capture")
    .route({ method: "POST", path: "/claims/{claimId}/submit", summary: "Submit a claim", tags: ["Claims"] })
    .errors({ ...wrongStatus, ...noDecider })
    .input(z.strictObject(versioned))
    .output(claimDetail),

  /** Assigns a submitted claim to the calling manager. Refuses WRONG_STATUS and STALE. */
  startReview: writeProcedure("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/review", summary: "Start review", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject(versioned))
    .output(claimDetail),

  /** Users whose role reviews claims, by name. */
  reviewers: readProcedure("claims.review")
    .route({ method: "GET", path: "/claims/reviewers", summary: "List the reviewers of claims", tags: ["Claims"] })
    .output(z.array(z.object({ userId: z.uuid(), name: z.string() }))),

  /**
   * Assigns a claim that is submitted or under review to another reviewer, who is notified. Refuses INVALID for other
   * users and for the current reviewer, WRONG_STATUS and STALE.
   */
  reassign: writeProcedure("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/reassign", summary: "Reassign a claim", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject({ ...versioned, userId: z.uuid("Choose a person") }))
    .output(claimDetail),

  /**
   * Deletes a draft and its documents; its number is not reused. FORBIDDEN unless the caller captured it or is a
   * manager. Refuses WRONG_STATUS after submission, and STALE.
   */
  withdraw: writeProcedure("claims.capture")
    .route({ method: "POST", path: "/claims/{claimId}/withdraw", summary: "Withdraw a draft", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject(versioned))
    .output(z.object({ number: z.string() })),

  /**
   * Routes a submitted or reviewed claim to the group administrator's stage. Refuses WRONG_STATUS, STALE,
   * DOCUMENTS_MISSING with the required documents that are neither attached nor waived, and NOBODY_TO_DECIDE when a
   * stage has no decider any more.
   */
  route: writeProcedure("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/route", summary: "Route a claim for approval", tags: ["Claims"] })
    .errors({ ...wrongStatus, ...documentsMissing, ...noDecider })
    .input(z.strictObject(versioned))
    .output(claimDetail),

  /**
   * Waives one requirement of the claim's `requiredDocuments`, given by all its `documents`, with a reason. Refuses
   * INVALID without a reason or for a requirement that is not missing, WRONG_STATUS after routing, and STALE.
   */
  waiveDocuments: writeProcedure("claims.review")
    .route({
      method: "POST",
      path: "/claims/{claimId}/documents/waive",
      summary: "Waive a required document",
      tags: ["Claims"],
    })
    .errors(wrongStatus)
    .input(waivedDocuments)
    .output(claimDetail),

  /**
   * Withdraws the waiver of one requirement, given by all its `documents`, with a reason. The documents are missing
   * again: the clock waits for them, and routing refuses DOCUMENTS_MISSING. The waiver and its withdrawal remain on
   * record. Refuses INVALID without a reason or for a requirement that is not waived, WRONG_STATUS after routing, and
   * STALE.
   */
  withdrawWaiver: writeProcedure("claims.review")
    .route({
      method: "POST",
      path: "/claims/{claimId}/documents/withdraw-waiver",
      summary: "Withdraw the waiver of a required document",
      tags: ["Claims"],
    })
    .errors(wrongStatus)
    .input(waivedDocuments)
    .output(claimDetail),

  /** Asks the submitter by e-mail for documents, by type, with a note. Refuses WRONG_STATUS and STALE. */
  requestDocuments: writeProcedure("claims.review")
    .route({
      method: "POST",
      path: "/claims/{claimId}/documents/request",
      summary: "Request documents",
      tags: ["Claims"],
    })
    .errors(wrongStatus)
    .input(
      z.strictObject({
        ...versioned,
        documents: z.array(z.enum(documentTypes)).min(1, "Choose the missing documents").max(documentTypes.length),
        note: reason.default(""),
      }),
    )
    .output(claimDetail),

  /** Rejects a claim before it is routed; a reason is required. Refuses INVALID, WRONG_STATUS and STALE. */
  reject: writeProcedure("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/reject", summary: "Reject before routing", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject({ ...versioned, reason }))
    .output(claimDetail),

  /**
   * Withdraws a claim that is submitted or under review; it then counts against no cover. FORBIDDEN unless the caller
   * submitted it or is a manager. Refuses INVALID without a reason, WRONG_STATUS and STALE.
   */
  withdrawSubmitted: writeProcedure("claims.capture")
    .route({
      method: "POST",
      path: "/claims/{claimId}/withdraw-submitted",
      summary: "Withdraw a submitted claim",
      tags: ["Claims"],
    })
    .errors(wrongStatus)
    .input(z.strictObject({ ...versioned, reason }))
    .output(claimDetail),

  /**
   * Reopens a rejected claim after an appeal: it returns to review, assigned to the caller, with a new round of
   * approvals. A late appeal is accepted and marked. Refuses INVALID for a missing reason or a `receivedOn` in the future
   * or before the rejection, WRONG_STATUS and STALE.
   */
  reopen: writeProcedure("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/reopen", summary: "Reopen a rejected claim", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject({ ...versioned, reason, receivedOn: day }))
    .output(claimDetail),

  /**
   * Withdraws the approval of an unpaid claim: it returns to review with a new round of approvals, and the approved
   * amount is no longer owed. Refuses DECIDED_BEFORE for users who decided a stage in any round (four eyes),
   * PAYMENT_EXISTS until its payment is cancelled or returned, INVALID without a reason, WRONG_STATUS and STALE.
   */
  withdrawApproval: writeProcedure("claims.withdrawApproval")
    .route({
      method: "POST",
      path: "/claims/{claimId}/withdraw-approval",
      summary: "Withdraw an approval",
      tags: ["Claims"],
    })
    .errors({
      ...wrongStatus,
      DECIDED_BEFORE: {
        status: 409,
        message: "You decided a stage of this claim. Another person must withdraw its approval.",
      },
      PAYMENT_EXISTS: { status: 409, message: "This claim already has a payment." },
    })
    .input(z.strictObject({ ...versioned, reason }))
    .output(claimDetail),

  /** Returns a claim to submitted with a reason and opens a new round. Refuses INVALID, WRONG_STATUS and STALE. */
  sendBack: writeProcedure("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/send-back", summary: "Send a claim back", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject({ ...versioned, reason }))
    .output(claimDetail),

  /**
   * Judges the claim by the facts known now (`coverChanges`) instead of those stored at submission, for the user who may
   * decide the pending stage. Refuses NO_PENDING_STEP, OWN_CLAIM, DECIDED_BEFORE (four eyes), and STALE.
   */
  acceptFacts: writeProcedure("claims.decide")
    .route({
      method: "POST",
      path: "/claims/{claimId}/accept-facts",
      summary: "Accept facts recorded after submission",
      tags: ["Claims"],
    })
    .errors(stepErrors)
    .input(z.strictObject(versioned))
    .output(claimDetail),

  /**
   * Decides the caller's pending stage. Without `approvedAmountCents` the previous stage's amount (at the first stage
   * the requested amount) is approved, even above cover: `proposedAmountCents` is the amount within cover. `comment` is
   * required to reject, to approve over a failed cover check, and for the underwriter to exceed the limit.
   * `reductionReason` is required to approve less than before. Of concurrent deciders one wins; the others get
   * NO_PENDING_STEP. Refuses OWN_CLAIM (also for a payee of the claim, by e-mail address) and DECIDED_BEFORE (four
   * eyes), INVALID with the fields, and STALE.
   */
  decide: writeProcedure("claims.decide", { idempotent: true })
    .route({ method: "POST", path: "/claims/{claimId}/decide", summary: "Decide a stage", tags: ["Claims"] })
    .errors({ ...wrongStatus, ...stepErrors })
    .input(
      z.strictObject({
        ...versioned,
        idempotencyKey: z.uuid(),
        decision: z.enum(["approve", "reject"]),
        approvedAmountCents: cents
          .max(maxClaimAmountCents, "This amount is too large")
          .nullable()
          .default(null)
          .meta({ description: defaultAmount }),
        comment: reason.default(""),
        /** Shown to the policy holder: must not contain medical facts. */
        reductionReason: reason.default(""),
      }),
    )
    .output(claimDetail),

  /** Current and future stand-ins, earliest first, for people whose groups the reader sees. */
  standIns: readProcedure("claims.read")
    .route({ method: "GET", path: "/claims/stand-ins", summary: "List stand-ins", tags: ["Claims"] })
    .output(z.array(standIn)),

  /**
   * The people for whom the caller may name a stand-in, each with possible stand-ins: for a policy holder only
   * themselves, for an administrator everyone.
   */
  standInChoices: readProcedure("claims.standIns")
    .route({ method: "GET", path: "/claims/stand-ins/choices", summary: "List possible stand-ins", tags: ["Claims"] })
    .output(z.array(z.object({ ...account, standIns: z.array(z.object(account)) }))),

  /**
   * Names a stand-in for a policy holder's stage, for a range of days, both inclusive. The stand-in is a group
   * administrator of the same group who decides no other stage of the claim; neither person may be involved in it.
   * Refuses INVALID with the field, FORBIDDEN for another person, STANDS_IN_ALREADY for overlapping days,
   * PROOF_REQUIRED.
   */
  nameStandIn: writeProcedure("claims.standIns")
    .route({ method: "POST", path: "/claims/stand-ins", summary: "Name a stand-in", tags: ["Claims"] })
    .errors({
      ...proofRequired,
      STANDS_IN_ALREADY: { status: 409, message: "Another stand-in is already set for some of these days." },
    })
    .input(
      z.strictObject({
        personId: z.uuid("Choose the person who is away"),
        standInId: z.uuid("Choose the stand-in"),
        fromOn: day,
        untilOn: day,
      }),
    )
    .output(standIn),

  /** Ends a stand-in at once. Refuses NOT_FOUND if it is over or not visible, FORBIDDEN for another person's. */
  endStandIn: writeProcedure("claims.standIns")
    .route({ method: "POST", path: "/claims/stand-ins/{id}/end", summary: "End a stand-in", tags: ["Claims"] })
    .input(z.strictObject({ id: z.uuid() }))
    .output(z.object({ ended: z.literal(true) })),

  /**
   * Approved claims without a waiting or running payment, and those with a recorded payee who has none; longest waiting
   * first.
   */
  payable: readProcedure("payouts.write")
    .route({ method: "GET", path: "/claims/payable", summary: "List claims to pay", tags: ["Claims"] })
    .input(z.object({ search: line(200).default(""), claimId: claimId.optional() }))
    .output(z.array(payableClaim)),

  /**
   * Creates a payment for an approved claim, waiting for release. `amountCents` defaults to everything still open;
   * INVALID for more. A claim without recorded payees has at most one payment waiting or in progress: PAYMENT_EXISTS
   * otherwise. With recorded payees: WRONG_STATUS. A death claim without them: PAYEES_NEEDED. The reference defaults to
   * the claim number.
   */
  pay: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/claims/{claimId}/payments", summary: "Prepare a claim payment", tags: ["Claims"] })
    .errors({
      ...wrongStatus,
      ...proofRequired,
      PAYMENT_EXISTS: { status: 409, message: "This claim already has a payment." },
      PAYEES_NEEDED: { status: 409, message: payeesNeeded },
    })
    .input(
      payee.safeExtend({
        idempotencyKey: z.uuid(),
        claimId: z.uuid("Choose a claim"),
        amountCents: cents
          .min(1, "Enter an amount above zero")
          .max(maxClaimAmountCents, "This amount is too large")
          .optional(),
        reference: line(140),
        notes: text(2_000),
      }),
    )
    .output(payoutDetail),

  /**
   * Openings and downloads of the claim's documents from the audit trail, latest first, also of documents that were
   * removed since. Another opening by the same account within ten minutes is not repeated. Refuses NOT_FOUND.
   */
  openings: readProcedure("claims.openings")
    .route({
      method: "GET",
      path: "/claims/{claimId}/documents/openings",
      summary: "List openings of the documents of a claim",
      tags: ["Claims"],
    })
    .input(z.object({ claimId }))
    .output(z.array(documentOpening)),

  ...noteProcedures("claim", "claimId", ["Claims"]),

  /** The caller's open follow-ups of claims and members, earliest day first, at most 500. */
  followUps: readProcedure("notes.read")
    .route({ method: "GET", path: "/claims/follow-ups", summary: "List my follow-ups", tags: ["Claims"] })
    .input(z.object({}))
    .output(z.array(followUp)),

  /** Removes a document from a claim that has not been routed. Refuses NOT_FOUND and WRONG_STATUS. */
  removeDocument: writeProcedure("claims.capture")
    .route({
      method: "DELETE",
      path: "/claims/{claimId}/documents/{documentId}",
      summary: "Remove a document",
      tags: ["Claims"],
    })
    .errors(wrongStatus)
    .input(z.strictObject({ claimId, documentId: z.uuid() }))
    .output(claimDetail),
}
