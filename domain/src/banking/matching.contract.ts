import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"
import { allocationInput } from "../receipts/receipt-shape.ts"
import { receiptRefunded } from "../receipts/receipts.contract.ts"
import { bankLineRow } from "./bank-line-shape.ts"
import { bankPayersList } from "./bank-payers.list.ts"
import { notOursReasons } from "./bank-placement.ts"
import { candidateKinds, partKinds, reasonKinds } from "./matching.ts"

const tags = ["Banking"]

/** A confirmed part of a line. Amounts have the line's sign; `id` is a policy, receipt, deposit, payment or batch. */
export const linePart = z.object({
  as: z.enum(partKinds),
  id: z.uuid(),
  amountCents: cents,
  /** For a policy: the invoices to pay; null pays the oldest first. The rest becomes credit. */
  allocations: z.array(allocationInput).max(500).nullable().default(null),
})

export type LinePart = z.input<typeof linePart>

export const offeredPart = z.object({
  as: z.enum(partKinds),
  id: z.uuid(),
  amountCents: cents,
  label: z.string(),
  name: z.string(),
  /** Invoices that the part pays, oldest first; null if the part is not a policy's. The rest becomes credit. */
  allocations: z
    .array(allocationInput.extend({ invoiceNumber: z.string(), dueOn: day, outstandingCents: cents }))
    .nullable(),
})
export type OfferedPart = z.infer<typeof offeredPart>

/**
 * The procedure `confirm` needs `as`, `id`, `amountCents` and `allocations` of each part, and `invoiceId` and
 * `amountCents` of each allocation. A candidate of kind `notOurs` has no parts, but a `reason` for `notOurs`.
 */
export const lineCandidate = z.object({
  key: z.string(),
  kind: z.enum(candidateKinds),
  parts: z.array(offeredPart),
  reason: z.enum(notOursReasons).nullable(),
  score: z.int(),
  /** Strongest first; negative weights count against it. */
  reasons: z.array(z.object({ about: z.enum(reasonKinds), weight: z.int(), sentence: z.string() })),
  /** A sentence that explains the lower rank; null for the first candidate. */
  lost: z.string().nullable(),
  /** Eligible for automatic posting, subject to the setting and its cap. */
  isSure: z.boolean(),
})
export type LineCandidate = z.infer<typeof lineCandidate>

export const lineSuggestions = z.object({
  lineId: z.uuid(),
  /** Words of the line without numbers, days and bank words. */
  payer: z.string(),
  candidates: z.array(lineCandidate),
})
export type LineSuggestions = z.infer<typeof lineSuggestions>

export const learntPayer = z.object({
  id: z.uuid(),
  payer: z.string(),
  reason: z.enum(notOursReasons).nullable(),
  confirmed: z.int(),
  declined: z.int(),
  lastAt: instant,
})
export type LearntPayer = z.infer<typeof learntPayer>

export const bankPayerRow = learntPayer.extend({
  policyId: z.uuid().nullable(),
  policyNumber: z.string().nullable(),
  groupName: z.string().nullable(),
})
export type BankPayerRow = z.infer<typeof bankPayerRow>

export const matchingProgress = z.object({
  lines: z.int(),
  placed: z.int(),
  automatic: z.int(),
  /** Money in, and money out as a negative sum, of the lines to match. */
  openInCents: cents,
  openOutCents: cents,
})
export type MatchingProgress = z.infer<typeof matchingProgress>

const lineAlreadyPlaced = {
  PLACED: { status: 409, message: "Someone else matched this line in the meantime. Nothing was changed." },
} as const

export const matchErrors = {
  ...lineAlreadyPlaced,
  NOT_THIS_MUCH: { status: 422, message: "The parts do not add up to the amount of the line." },
  NOT_TOGETHER: { status: 422, message: "These parts cannot be combined on one line." },
  NOT_THIS_RECEIPT: { status: 409, message: "This receipt does not match this line." },
  NOT_THIS_PAYMENT: { status: 409, message: "This payment does not match this line." },
  NOT_OPEN: { status: 409, message: "One of the invoices is no longer open for this policy." },
  OVER_ALLOCATED: { status: 422, message: "The allocations exceed the available amount." },
  RETURNED: {
    status: 409,
    message: "This payment was returned on another line. Undo the match of that line first. Nothing was changed.",
  },
  WRONG_STATUS: { status: 409, message: "The status of the matched record does not allow this." },
  NUMBER_TAKEN: { status: 409, message: "Another receipt has this number." },
  REVERSED: { status: 409, message: "This receipt was reversed." },
  ...receiptRefunded,
} as const

export const matchingContract = {
  /**
   * Candidates for each line, best first; none for placed lines. With `search`, finds records by number or name
   * instead. NOT_FOUND if a line does not exist.
   */
  suggestions: readProcedure("banking.read")
    .route({ method: "POST", path: "/bank-lines/suggestions", summary: "Suggest matches for lines", tags })
    .input(z.object({ lineIds: z.array(z.uuid()).min(1).max(100), search: line(80).default("") }))
    .output(z.array(lineSuggestions)),

  /**
   * Confirms a line as parts that add up to it, all or none. A policy's part creates a receipt; receipts and deposits
   * are linked; payments and batches are completed or linked. `returned` reverses a receipt; `cameBack` records a
   * returned payment. Learns the payer. Returns the line.
   */
  confirm: writeProcedure("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/{lineId}/parts", summary: "Match a line", tags })
    .errors(matchErrors)
    .input(z.object({ lineId: z.uuid(), idempotencyKey: z.uuid(), parts: z.array(linePart).min(1).max(1000) }))
    .output(z.array(bankLineRow)),

  /**
   * Joins incoming lines to an existing receipt, up to its amount, or to a new one (`as` "policy", dated on the last
   * line's day). Returns the lines.
   */
  join: writeProcedure("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/join", summary: "Match several lines with one receipt", tags })
    .errors(matchErrors)
    .input(
      z.object({
        lineIds: z.array(z.uuid()).min(2).max(50),
        idempotencyKey: z.uuid(),
        to: z.object({
          as: z.enum(["policy", "receipt"]),
          id: z.uuid(),
          allocations: z.array(allocationInput).max(500).nullable().default(null),
        }),
      }),
    )
    .output(z.array(bankLineRow)),

  /**
   * Declines a candidate (`key`) for a line. The candidate is not offered again, and the payer counts as declined for
   * its policy. Returns the remaining candidates.
   */
  decline: writeProcedure("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/{lineId}/declined", summary: "Decline a suggestion", tags })
    .errors(lineAlreadyPlaced)
    .input(z.object({ lineId: z.uuid(), idempotencyKey: z.uuid(), key: line(200).min(1) }))
    .output(lineSuggestions),

  /**
   * Posts the account's sure lines in a job, within the setting and its cap; its result is `{ posted }`. Also runs
   * after an import. OFF if the setting is disabled.
   */
  autoMatch: writeProcedure("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/auto-match", summary: "Match lines automatically", tags })
    .errors({ OFF: { status: 409, message: "Automatic matching is turned off in Settings. Nothing was posted." } })
    .input(z.object({ accountId: z.uuid(), idempotencyKey: z.uuid() }))
    .output(z.object({ jobId: z.uuid() })),

  /** Matching progress of an account or a statement, in cents. */
  progress: readProcedure("banking.read")
    .route({ method: "GET", path: "/bank-lines/progress", summary: "Read the matching progress", tags })
    .input(z.object({ accountId: z.uuid().optional(), statementId: z.uuid().optional() }))
    .output(matchingProgress),

  /** Learned payers of a policy, latest first. Without a policy: those of lines that are not ours. */
  payers: readProcedure("banking.read")
    .route({ method: "GET", path: "/bank-payers", summary: "List the known payers of a policy", tags })
    .input(z.object({ policyId: z.uuid().nullable().default(null) }))
    .output(z.array(learntPayer)),

  /** All learned payers: of policies, and of lines that are not ours. */
  learntPayers: readProcedure("banking.read")
    .route({ method: "GET", path: "/bank-payers/learnt", summary: "List known payers", tags })
    .input(listInput(bankPayersList))
    .output(listOutput(bankPayersList, bankPayerRow)),

  forgetPayer: writeProcedure("banking.write")
    .route({ method: "DELETE", path: "/bank-payers/{payerId}", summary: "Remove a known payer", tags })
    .input(z.object({ payerId: z.uuid() }))
    .output(z.object({})),
}
