import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"
import { allocationInput } from "../receipts/receipt-shape.ts"
import { isRefunded } from "../receipts/receipts.contract.ts"
import { bankLineRow } from "./bank-line-shape.ts"
import { bankPayersList } from "./bank-payers.list.ts"
import { notOursReasons } from "./bank-placement.ts"
import { candidateKinds, partKinds, reasonKinds } from "./matching.ts"

const tags = ["Banking"]

/** A part of a line as it is confirmed. Amounts are signed as the line's; `id` is of the policy, receipt, deposit, payout or batch. */
export const linePart = z.object({
  as: z.enum(partKinds),
  id: z.uuid(),
  amountCents: cents,
  /** Of a policy's part: what pays which invoice; null pays the oldest first. The rest is the policy's credit. */
  allocations: z.array(allocationInput).max(500).nullable().default(null),
})

export type LinePart = z.input<typeof linePart>

export const offeredPart = z.object({
  as: z.enum(partKinds),
  id: z.uuid(),
  amountCents: cents,
  /** The number of the policy, receipt, deposit, payout or batch. */
  label: z.string(),
  /** The group's name, or the payee's; of a deposit the groups' names, of a batch how many payments it is. */
  name: z.string(),
  /** What it would pay, the oldest first; null where it is no policy's part. What they leave is the policy's credit. */
  allocations: z
    .array(allocationInput.extend({ invoiceNumber: z.string(), dueOn: day, outstandingCents: cents }))
    .nullable(),
})
export type OfferedPart = z.infer<typeof offeredPart>

/**
 * What a line may be. `confirm` takes `as`, `id`, `amountCents` and `allocations` of each part, and `invoiceId` and
 * `amountCents` of each allocation. A candidate of kind `notOurs` has no parts and a `reason` for the procedure `notOurs`
 * instead.
 */
export const lineCandidate = z.object({
  /** Names it among the candidates of its line; for `decline`. */
  key: z.string(),
  kind: z.enum(candidateKinds),
  parts: z.array(offeredPart),
  reason: z.enum(notOursReasons).nullable(),
  score: z.int(),
  /** The strongest first; what speaks against it weighs below zero. */
  reasons: z.array(z.object({ about: z.enum(reasonKinds), weight: z.int(), sentence: z.string() })),
  /** Why it stands below the first one, as a sentence; null for the first. */
  lost: z.string().nullable(),
  /** It would post by itself, if the setting and its largest amount allowed it. */
  isSure: z.boolean(),
})
export type LineCandidate = z.infer<typeof lineCandidate>

export const lineSuggestions = z.object({
  lineId: z.uuid(),
  /** The payer as it is learnt: the line's words without numbers, days and the bank's own words. */
  payer: z.string(),
  /** The likeliest first; none where nothing speaks for anything. */
  candidates: z.array(lineCandidate),
})
export type LineSuggestions = z.infer<typeof lineSuggestions>

/** What was learnt of a payer's text: for a policy, or for a reason why such lines are not ours. */
export const learntPayer = z.object({
  id: z.uuid(),
  payer: z.string(),
  reason: z.enum(notOursReasons).nullable(),
  confirmed: z.int(),
  declined: z.int(),
  lastAt: instant,
})
export type LearntPayer = z.infer<typeof learntPayer>

/** A payer among all of them; of a policy, or with a reason why its lines are not ours. */
export const bankPayerRow = learntPayer.extend({
  policyId: z.uuid().nullable(),
  policyNumber: z.string().nullable(),
  groupName: z.string().nullable(),
})
export type BankPayerRow = z.infer<typeof bankPayerRow>

/** How far a file or an account is: "212 of 240 matched". */
export const matchingProgress = z.object({
  lines: z.int(),
  placed: z.int(),
  /** Posted by themselves, among those placed. */
  byItself: z.int(),
  /** Of the lines to match: what came in and, below zero, what went out. */
  openInCents: cents,
  openOutCents: cents,
})
export type MatchingProgress = z.infer<typeof matchingProgress>

const placed = {
  PLACED: { status: 409, message: "Somebody else has matched this line meanwhile. Nothing was changed." },
} as const

export const matchErrors = {
  ...placed,
  NOT_THIS_MUCH: { status: 422, message: "The parts do not come to the amount of the line." },
  NOT_TOGETHER: { status: 422, message: "These cannot be parts of one line." },
  NOT_THIS_RECEIPT: { status: 409, message: "This receipt is not the money of this line." },
  NOT_THIS_PAYMENT: { status: 409, message: "This payment is not the money of this line." },
  NOT_OPEN: { status: 409, message: "One of the invoices is not open for this policy any more." },
  OVER_ALLOCATED: { status: 422, message: "More is allocated than there is." },
  /** Of what was matched and came back since: that line is undone first. */
  RETURNED: { status: 409, message: "It came back by another line, which is undone first. Nothing was changed." },
  WRONG_STATUS: { status: 409, message: "This cannot be done in its current state." },
  /** Of a receipt that is made. */
  NUMBER_TAKEN: { status: 409, message: "Another receipt has this number." },
  REVERSED: { status: 409, message: "This receipt was reversed." },
  ...isRefunded,
} as const

export const matchingContract = {
  /**
   * What each of these lines may be, the likeliest first, in the order asked for; lines that are placed have none.
   * `search` looks for policies, receipts, deposits and payments by number or name instead, whatever speaks for them. NOT_FOUND
   * where a line is not there.
   */
  suggestions: read("banking.read")
    .route({ method: "POST", path: "/bank-lines/suggestions", summary: "What lines may be", tags })
    .input(z.object({ lineIds: z.array(z.uuid()).min(1).max(100), search: line(80).default("") }))
    .output(z.array(lineSuggestions)),

  /**
   * Says what a line is, in one part or split over several: all or nothing. A part of a policy makes a receipt with its
   * allocations, one of a receipt links it, one of a deposit all its receipts that no line shows yet, one of a payout completes it or links it where it is completed, one of a
   * batch does so with all its payments that no line shows yet; `returned`
   * reverses the receipt that the bank took back, `cameBack` records that a payment came back. The parts go the way of
   * the line and come to its amount. What is confirmed is learnt of the payer. Answers the line.
   */
  confirm: write("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/{lineId}/parts", summary: "Say what a line is", tags })
    .errors(matchErrors)
    .input(z.object({ lineId: z.uuid(), idempotencyKey: z.uuid(), parts: z.array(linePart).min(1).max(1000) }))
    .output(z.array(bankLineRow)),

  /**
   * Joins lines that came in to one receipt: one that is there, or one made for a policy (`as` "policy", dated on the
   * last line's day). A receipt that is there takes them up to its amount. Answers the lines.
   */
  join: write("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/join", summary: "Join lines to one receipt", tags })
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
   * Says that a line is not a candidate that was offered for it (`key`); it is not offered for this line again, and
   * weighs against the payer's text being that policy's. Answers what the line may be now.
   */
  decline: write("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/{lineId}/declined", summary: "Decline a suggestion", tags })
    .errors(placed)
    .input(z.object({ lineId: z.uuid(), idempotencyKey: z.uuid(), key: line(200).min(1) }))
    .output(lineSuggestions),

  /**
   * Posts what is sure among an account's lines to match, by the setting and up to its amount, in a job whose result is
   * `{ posted }`. OFF where the setting does not allow it. It runs by itself after an import.
   */
  matchByItself: write("banking.write", { idempotent: true })
    .route({ method: "POST", path: "/bank-lines/by-itself", summary: "Post what is sure", tags })
    .errors({ OFF: { status: 409, message: "Nothing is posted automatically: the settings do not allow it." } })
    .input(z.object({ accountId: z.uuid(), idempotencyKey: z.uuid() }))
    .output(z.object({ jobId: z.uuid() })),

  /** How far the lines of an account, or of one statement, are matched. Units: cents. */
  progress: read("banking.read")
    .route({ method: "GET", path: "/bank-lines/progress", summary: "How far lines are matched", tags })
    .input(z.object({ accountId: z.uuid().optional(), statementId: z.uuid().optional() }))
    .output(matchingProgress),

  /** What was learnt of payers: of a policy, or without one, of lines that are not ours. The latest first. */
  payers: read("banking.read")
    .route({ method: "GET", path: "/bank-payers", summary: "Payers that were learnt", tags })
    .input(z.object({ policyId: z.uuid().nullable().default(null) }))
    .output(z.array(learntPayer)),

  /** All that was learnt of payers: whose they are, or why their lines are not ours. */
  learntPayers: read("banking.read")
    .route({ method: "GET", path: "/bank-payers/learnt", summary: "List learnt payers", tags })
    .input(listInput(bankPayersList))
    .output(listOutput(bankPayersList, bankPayerRow)),

  /** Forgets what was learnt of a payer's text. */
  forgetPayer: write("banking.write")
    .route({ method: "DELETE", path: "/bank-payers/{payerId}", summary: "Forget a payer", tags })
    .input(z.object({ payerId: z.uuid() }))
    .output(z.object({})),
}
