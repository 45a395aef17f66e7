import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { wholeShare } from "../kernel/shares.ts"
import { line, optionalEmail, text } from "../kernel/text-shape.ts"
import { nominationDetail } from "../members/nominations.contract.ts"
import { paymentFileFormats } from "../payouts/batch.ts"
import { payoutMethods, payoutStatuses } from "../payouts/payout.ts"
import { maxPayees, payeeBases, payeeReceivers, payeeRelationships } from "./claim-payees.ts"

const receiver = {
  receivedBy: z.enum(payeeReceivers),
  /** Guardian or trust. */
  receiverName: line(140),
  /** The receiver's account: bank, branch code and account number, or none while it is unknown. */
  bank: line(60),
  branchCode: line(6),
  accountNumber: line(16),
  /** Address for the remittance advice; empty: none. */
  email: optionalEmail,
}

export const claimPayee = z.object({
  name: line(140).min(1, "Enter the name"),
  relationship: z.enum(payeeRelationships, "Choose the relationship"),
  idNumber: line(40)
    .transform((number) => number.replaceAll(" ", "") || null)
    .nullable(),
  dateOfBirth: day.nullable(),
  shareBasisPoints: z
    .int("Enter a share")
    .min(1, "Enter a share above 0.00 %")
    .max(wholeShare, "A share is at most 100.00 %")
    .meta({ description: "Share in hundredths of a per cent: 3333 is 33.33 %" }),
  ...receiver,
})
export type ClaimPayeeInput = z.infer<typeof claimPayee>

const payeeSet = {
  basis: z.enum(payeeBases, "Choose the basis"),
  /** Required for a decision. */
  reason: text(1_000),
  payees: z.array(claimPayee).max(maxPayees, `At most ${maxPayees} payees`),
}

export const claimPaymentRow = z.object({
  id: z.uuid(),
  number: z.string(),
  payeeId: z.uuid().nullable(),
  payeeName: z.string(),
  amountCents: cents,
  status: z.enum(payoutStatuses),
  completedOn: day.nullable(),
  returnedOn: day.nullable(),
})

const recordedPayee = claimPayee.extend({
  id: z.uuid(),
  idNumber: z.string().nullable(),
  isMinor: z.boolean(),
  /** The payee's part of the approved amount; null before the approval. */
  amountCents: cents.nullable(),
  /** Whether a payment is prepared, in progress or completed. */
  hasPayment: z.boolean(),
  version: z.int(),
})
export type RecordedPayee = z.infer<typeof recordedPayee>

const shownNomination = nominationDetail.pick({
  id: true,
  fromOn: true,
  nominees: true,
  recordedBy: true,
  recordedAt: true,
})

const recordReference = z.object({ id: z.uuid(), number: z.string() })

export const claimPayees = z.object({
  claimId: z.uuid(),
  /** Whether the member died, so that nominations apply. */
  isOwnDeath: z.boolean(),
  /** The retirement fund that owns the policy and is paid for the member's death; empty if the employer owns it. */
  owningFund: z.string(),
  /** The nomination on the incident day, as known today; null for none. */
  nomination: shownNomination.nullable(),
  /** The nomination that was known on the incident day, if that was another one. */
  knownNomination: shownNomination.nullable(),
  isChangedSince: z.boolean(),
  current: z
    .object({
      id: z.uuid(),
      basis: z.enum(payeeBases),
      reason: z.string(),
      recordedBy: z.string(),
      recordedAt: instant,
      payees: z.array(recordedPayee),
    })
    .nullable(),
  /** Replaced ones, newest first. */
  earlier: z.array(
    z.object({ id: z.uuid(), summary: z.string(), recordedBy: z.string(), recordedAt: instant, reason: z.string() }),
  ),
  /** The payees that follow from the nomination or the policy. */
  proposal: z.object(payeeSet),
  /** All payments of the claim, oldest first. */
  payments: z.array(claimPaymentRow),
  /** Points to look at before paying; a sentence ends with the numbers of `claims` or `members`, if any. */
  warnings: z.array(
    z.object({ sentence: z.string(), claims: z.array(recordReference), members: z.array(recordReference) }),
  ),
  allowedActions: z.array(z.enum(["record", "change", "pay"])),
})
export type ClaimPayees = z.infer<typeof claimPayees>

const claimId = z.uuid()
const tags = ["Claims"]
const wrongStatus = {
  WRONG_STATUS: { status: 409, message: "The claim's status or its payments no longer allow this." },
} as const

export const payeesContract = {
  /**
   * The people who are paid for a claim, with the nomination on the incident day, a proposal, and all payments. NOT_FOUND
   * for a draft.
   */
  detail: readProcedure("payouts.read")
    .route({ method: "GET", path: "/claims/{claimId}/payees", summary: "Read the payees of a claim", tags })
    .input(z.object({ claimId }))
    .output(claimPayees),

  /**
   * Records who is paid, with shares that add up to exactly 100.00 %; it replaces the earlier payees. `replaces` is the
   * id of those (null for none): CONFLICT if there are others. A payee under 18 on the incident day needs a guardian or
   * a trust. INVALID with the fields, NEEDS_UNDERWRITER for a decision by another user, WRONG_STATUS once a payment is
   * prepared.
   */
  record: writeProcedure("claims.payees")
    .route({ method: "PUT", path: "/claims/{claimId}/payees", summary: "Record the payees of a claim", tags })
    .errors({
      ...wrongStatus,
      NEEDS_UNDERWRITER: { status: 403, message: "Only an underwriter can decide on other payees." },
    })
    .input(z.object({ claimId, replaces: z.uuid().nullable(), ...payeeSet }))
    .output(claimPayees),

  /**
   * Changes the receiver and account of a payee who has no payment that counts. The next payment is held if name or
   * account differ from the last released one. STALE, and WRONG_STATUS for a payee with a payment.
   */
  change: writeProcedure("claims.payees")
    .route({
      method: "PUT",
      path: "/claims/{claimId}/payees/{payeeId}",
      summary: "Change the account of a payee",
      tags,
    })
    .errors(wrongStatus)
    .input(z.object({ claimId, payeeId: z.uuid(), version: z.int(), ...receiver }))
    .output(claimPayees),

  /**
   * Prepares a payment for each recorded payee of approved claims who has none, with the payee's part of the approved
   * amount. `payeeIds` narrows. With `batch`, the payments are put into one new batch. `refused` names the claims and
   * payees that were left out, with the reason; INVALID if none is left.
   */
  pay: writeProcedure("payouts.write", { idempotent: true })
    .route({ method: "POST", path: "/claims/payees/payments", summary: "Prepare the payments of claims", tags })
    .errors({
      ...wrongStatus,
      ...proofRequired,
      PAYMENT_EXISTS: { status: 409, message: "Someone else just prepared one of these payments. Please try again." },
      NOT_FOR_BATCH: { status: 409, message: "These payments cannot be added to a batch." },
    })
    .input(
      z.object({
        idempotencyKey: z.uuid(),
        claimIds: z.array(claimId).min(1, "Choose a claim").max(500, "At most 500 claims"),
        payeeIds: z.array(z.uuid()).max(maxPayees).optional(),
        method: z.enum(payoutMethods).default("bank_transfer"),
        batch: z
          .object({
            bankAccountId: z.uuid("Choose the account to pay from"),
            executionOn: day,
            format: z.enum(paymentFileFormats),
          })
          .optional(),
      }),
    )
    .output(
      z.object({
        payments: z.array(
          claimPaymentRow
            .pick({ id: true, number: true, payeeName: true, amountCents: true })
            .extend({ claimNumber: z.string() }),
        ),
        refused: z.array(z.object({ claimId, number: z.string(), memberName: z.string(), reason: z.string() })),
        batch: z.object({ id: z.uuid(), number: z.string() }).nullable(),
      }),
    ),
}
