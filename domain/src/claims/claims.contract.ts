import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { line, text } from "../kernel/text-shape.ts"
import { payee } from "../payouts/payout-shape.ts"
import { payoutDetail } from "../payouts/payouts.contract.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { claimTypes, documentTypes, stages } from "./claim.ts"
import { claimContent, largestAmountCents } from "./claim-form.ts"
import { account, claimDetail, claimRow, payableClaim, pendingRow, standIn } from "./claim-shape.ts"
import { claimsList } from "./claims.list.ts"
import { pendingClaimsList } from "./pending-claims.list.ts"

const reason = text(2_000)
const claimId = z.uuid()
const versioned = { claimId, version: z.int() }

export const wrongStatus = {
  WRONG_STATUS: { status: 409, message: "The claim's status does not allow this any more." },
} as const

const nobodyToDecide = {
  NOBODY_TO_DECIDE: {
    status: 409,
    message: "A stage of this claim would have nobody to decide it.",
    data: z.object({ stages: z.array(z.enum(stages)) }),
  },
} as const

/** Claims: capture, review, three approvals, and what is shown of them (specification 1; design: product, "Claims"). */
const defaultAmount =
  "In cents. Without an amount the stage approves the amount of the stage before, and the first stage the requested " +
  "amount, even where cover allows less. The claim's proposedAmountCents is the amount that cover allows."

export const claimsContract = {
  /**
   * A page of the claims that the reader may see, newest first by default, in a tab. Search matches claim number,
   * member first or last name, and group name. Amounts are cents. Refuses INVALID for an unknown sort.
   */
  list: read("claims.read")
    .route({ method: "GET", path: "/claims", summary: "List claims", tags: ["Claims"] })
    .input(listInput(claimsList))
    .output(
      listOutput(claimsList, claimRow, {
        /** Over every match of the search, whatever the tab and the status; null when there are too many to count. */
        summary: z.object({ all: z.int(), pending: z.int(), approved: z.int() }).nullable(),
        /** What is requested by these claims, drafts left out. */
        totalValueCents: cents.nullable(),
      }),
    ),

  /**
   * A page of the pending claims, the most urgent first by default. Priority, waiting days (from submission), state
   * and "assigned to" follow the rules of claim-priority. Search matches member name, claim number or claim type.
   */
  pending: read("claims.read")
    .route({ method: "GET", path: "/claims/pending", summary: "List pending claims", tags: ["Claims"] })
    .input(listInput(pendingClaimsList))
    .output(
      listOutput(pendingClaimsList, pendingRow, {
        /** Under the same search, whatever is filtered of them; null when there are too many to count. */
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

  /** The claim that waits for this reader's decision, most urgent first, and how many wait; null when none does. */
  nextForMe: read("claims.read")
    .route({ method: "GET", path: "/claims/next", summary: "Next claim waiting for me", tags: ["Claims"] })
    .input(z.object({ except: claimId.optional() }))
    .output(z.object({ next: z.object({ id: z.uuid(), number: z.string() }).nullable(), waiting: z.int() })),

  /**
   * One claim with its documents, approvals, cover check and history, without what medical privacy keeps from the
   * reader. Refuses NOT_FOUND, also for a claim of another group.
   */
  detail: read("claims.read", { shows: "claim" })
    .route({ method: "GET", path: "/claims/{claimId}", summary: "Read a claim", tags: ["Claims"] })
    .input(z.object({ claimId }))
    .output(claimDetail),

  /** A page of what happened to a claim, newest first. NOT_FOUND as for it. */
  activity: read("claims.read")
    .route({ method: "GET", path: "/claims/{claimId}/activity", summary: "The trail of a claim", tags: ["Claims"] })
    .input(z.object({ claimId: z.uuid(), ...timelineBefore }))
    .output(timelinePage),

  /**
   * The benefits that the product of the member's policy gives at the member's tier on a day, with the claim types that
   * each pays and its cover amount (cents; 0 means no maximum).
   * Refuses NOT_FOUND for a member that the reader may not see.
   */
  benefits: read("claims.read")
    .route({ method: "GET", path: "/claims/benefits", summary: "Benefits to claim", tags: ["Claims"] })
    .input(z.object({ memberId: z.uuid(), incidentOn: day.optional() }))
    .output(
      z.object({
        tier: z.string().nullable(),
        benefits: z.array(
          z.object({
            id: z.uuid(),
            name: z.string(),
            maxCoverCents: cents,
            /** 0 means not set: 100. */
            coverPercentage: z.int(),
            claimTypes: z.array(z.enum(claimTypes)),
          }),
        ),
      }),
    ),

  /**
   * Whether a claim of this member, captured or submitted by the caller, would have somebody to decide every stage:
   * `nobody` says which stages have nobody and who can mend it, and is null when all have. With the `claimId` of a
   * draft, whoever captured that counts as well. Refuses NOT_FOUND for a member that the caller may not see.
   */
  deciders: read("claims.capture")
    .route({ method: "GET", path: "/claims/deciders", summary: "Who could decide a claim", tags: ["Claims"] })
    .input(z.object({ memberId: z.uuid(), claimId: claimId.optional() }))
    .output(z.object({ nobody: z.string().nullable() })),

  /**
   * Saves what was typed: makes a draft (no `claimId`), or changes a draft or a submitted claim (with its `version`).
   * A draft may be incomplete; a submitted claim must stay complete. Refuses INVALID with the fields, STALE with the
   * current claim, WRONG_STATUS once the claim is under review.
   */
  saveDraft: write("claims.capture")
    .route({ method: "POST", path: "/claims", summary: "Save a claim draft", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(
      z
        .strictObject({ claimId: claimId.optional(), version: z.int().optional(), content: claimContent })
        .refine(({ claimId, version }) => claimId === undefined || version !== undefined, {
          path: ["version"],
          message: "Say which version was changed",
        }),
    )
    .output(claimDetail),

  /**
   * Hands a draft in; the answer's `deciders` name who can decide each stage. Refuses INVALID naming the missing fields, NOBODY_TO_DECIDE
   * with the stages that nobody could decide, WRONG_STATUS and STALE.
   */
  submit: write("claims.capture")
    .route({ method: "POST", path: "/claims/{claimId}/submit", summary: "Submit a claim", tags: ["Claims"] })
    .errors({ ...wrongStatus, ...nobodyToDecide })
    .input(z.strictObject(versioned))
    .output(claimDetail),

  /** A manager takes a submitted claim; it is assigned to whoever starts the review. Refuses WRONG_STATUS and STALE. */
  startReview: write("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/review", summary: "Start review", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject(versioned))
    .output(claimDetail),

  /** Those to whom a claim can be given for its review: everybody whose role reviews claims, by name. */
  reviewers: read("claims.review")
    .route({ method: "GET", path: "/claims/reviewers", summary: "List who reviews claims", tags: ["Claims"] })
    .output(z.array(z.object({ userId: z.uuid(), name: z.string() }))),

  /**
   * Gives a claim that is submitted or under review to somebody who reviews claims; they are told. Refuses INVALID for
   * anybody else and for whoever has it already, WRONG_STATUS and STALE.
   */
  reassign: write("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/reassign", summary: "Reassign a claim", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject({ ...versioned, userId: z.uuid("Choose somebody") }))
    .output(claimDetail),

  /**
   * Throws a draft away, with its papers; its number is not used again. By whoever typed into it, or a manager:
   * FORBIDDEN otherwise. Refuses WRONG_STATUS once it was submitted, and STALE.
   */
  withdraw: write("claims.capture")
    .route({ method: "POST", path: "/claims/{claimId}/withdraw", summary: "Withdraw a draft", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject(versioned))
    .output(z.object({ number: z.string() })),

  /**
   * Routes a submitted or reviewed claim to the group administrator's stage. Refuses WRONG_STATUS, STALE, and
   * NOBODY_TO_DECIDE when a stage has lost its people since submission.
   */
  route: write("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/route", summary: "Route for approval", tags: ["Claims"] })
    .errors({ ...wrongStatus, ...nobodyToDecide })
    .input(z.strictObject(versioned))
    .output(claimDetail),

  /** Asks the submitter by e-mail for documents, by type, with a note. Refuses WRONG_STATUS and STALE. */
  requestDocuments: write("claims.review")
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
        documents: z
          .array(z.enum(documentTypes))
          .min(1, "Choose the documents that are missing")
          .max(documentTypes.length),
        note: reason.default(""),
      }),
    )
    .output(claimDetail),

  /** A manager rejects a claim before it is routed; a reason is required. Refuses INVALID, WRONG_STATUS and STALE. */
  reject: write("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/reject", summary: "Reject before routing", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject({ ...versioned, reason }))
    .output(claimDetail),

  /** Sends a claim back to submitted with a reason, opening a new round. Refuses INVALID, WRONG_STATUS and STALE. */
  sendBack: write("claims.review")
    .route({ method: "POST", path: "/claims/{claimId}/send-back", summary: "Send a claim back", tags: ["Claims"] })
    .errors(wrongStatus)
    .input(z.strictObject({ ...versioned, reason }))
    .output(claimDetail),

  /**
   * Decides the stage that waits for the caller. Without `approvedAmountCents` the stage approves the amount of the stage
   * before, and the first stage the requested amount, even where cover allows less: the claim's `proposedAmountCents` is
   * the amount that cover allows. `comment` is
   * required to reject, to approve over a failed cover check, and for the underwriter to stay above the maximum cover;
   * `reductionReason` to approve less than the amount before it. Of several deciders at once one wins;
   * the others read NO_PENDING_STEP. Refuses OWN_CLAIM and DECIDED_BEFORE (four eyes), INVALID with the fields, STALE
   * when the claim was changed since it was read.
   */
  decide: write("claims.decide", { idempotent: true })
    .route({ method: "POST", path: "/claims/{claimId}/decide", summary: "Decide a stage", tags: ["Claims"] })
    .errors({
      ...wrongStatus,
      NO_PENDING_STEP: { status: 409, message: "No pending approval step" },
      OWN_CLAIM: {
        status: 409,
        message: "You captured, submitted or reviewed this claim, or added documents to it. Somebody else decides it.",
      },
      DECIDED_BEFORE: {
        status: 409,
        message: "You decided another stage of this claim. Somebody else decides this one.",
      },
    })
    .input(
      z.strictObject({
        ...versioned,
        idempotencyKey: z.uuid(),
        decision: z.enum(["approve", "reject"]),
        approvedAmountCents: cents
          .max(largestAmountCents, "This amount is too large")
          .nullable()
          .default(null)
          .meta({ description: defaultAmount }),
        comment: reason.default(""),
        /** Shown to the policy holder: nothing medical. */
        reductionReason: reason.default(""),
      }),
    )
    .output(claimDetail),

  /**
   * Who decides claims in whose place, today and on days to come, the first to begin first: of the people whose groups
   * the reader sees.
   */
  standIns: read("claims.read")
    .route({ method: "GET", path: "/claims/stand-ins", summary: "List stand-ins", tags: ["Claims"] })
    .output(z.array(standIn)),

  /**
   * Those for whom the actor may name a stand-in, and for each who it can be: a policy holder for themselves, an
   * administrator for everybody.
   */
  standInChoices: read("claims.standIns")
    .route({ method: "GET", path: "/claims/stand-ins/choices", summary: "List who can stand in", tags: ["Claims"] })
    .output(z.array(z.object({ ...account, standIns: z.array(z.object(account)) }))),

  /**
   * Names somebody who decides a policy holder's stage in their place, from one day to another, both included: a group
   * administrator of the same group, who decides no other stage of that claim, and none that either had a hand in.
   * Refuses INVALID with the field, FORBIDDEN for somebody else's, STANDS_IN_ALREADY where the days touch others, PROOF_REQUIRED.
   */
  nameStandIn: write("claims.standIns")
    .route({ method: "POST", path: "/claims/stand-ins", summary: "Name a stand-in", tags: ["Claims"] })
    .errors({
      ...proofRequired,
      STANDS_IN_ALREADY: { status: 409, message: "Somebody stands in on some of these days already." },
    })
    .input(
      z.strictObject({
        personId: z.uuid("Choose who is away"),
        standInId: z.uuid("Choose who stands in"),
        fromOn: day,
        untilOn: day,
      }),
    )
    .output(standIn),

  /** Ends it at once. Refuses NOT_FOUND for one that is over or that the actor does not see, FORBIDDEN for somebody else's. */
  endStandIn: write("claims.standIns")
    .route({ method: "POST", path: "/claims/stand-ins/{id}/end", summary: "End a stand-in", tags: ["Claims"] })
    .input(z.strictObject({ id: z.uuid() }))
    .output(z.object({ ended: z.literal(true) })),

  /** Approved claims that have no live payment, the longest waiting first. */
  payable: read("payouts.write")
    .route({ method: "GET", path: "/claims/payable", summary: "List claims to be paid", tags: ["Claims"] })
    .input(z.object({ search: line(200).default(""), claimId: claimId.optional() }))
    .output(z.array(payableClaim)),

  /**
   * Makes a payment of an approved claim, waiting for release: `amountCents` up to what is still to be paid of it, all of
   * that without one. A claim has one payment at a time that waits or is on its way: PAYMENT_EXISTS otherwise. INVALID for
   * more than is open. The reference defaults to the claim's number.
   */
  pay: write("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/claims/{claimId}/payments", summary: "Make a claim payment", tags: ["Claims"] })
    .errors({
      ...wrongStatus,
      ...proofRequired,
      PAYMENT_EXISTS: { status: 409, message: "This claim has a payment already." },
    })
    .input(
      payee.safeExtend({
        idempotencyKey: z.uuid(),
        claimId: z.uuid("Choose a claim"),
        amountCents: cents
          .min(1, "Give an amount above nothing")
          .max(largestAmountCents, "This amount is too large")
          .optional(),
        reference: line(140),
        notes: text(2_000),
      }),
    )
    .output(payoutDetail),

  /** Takes a document off a claim that has not been routed. Refuses NOT_FOUND and WRONG_STATUS. */
  removeDocument: write("claims.capture")
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
