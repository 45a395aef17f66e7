import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type Decision, isRefusal, type Refusal, refuse } from "../kernel/refusal.ts"
import { type Payout, payoutStatusNames } from "../payouts/payout.ts"
import type { Receipt } from "../receipts/receipt.ts"
import type { AllocationInput } from "../receipts/receipt-shape.ts"
import type { NotOursReason } from "./bank-placement.ts"

/**
 * A premium of a policy (creates a receipt), an existing receipt, a deposit, a payment, a batch, a returned receipt or
 * deposit, or a payment that came back.
 */
export const partKinds = [
  "policy",
  "receipt",
  "deposit",
  "payout",
  "batch",
  "returned",
  "returnedDeposit",
  "cameBack",
] as const
export type PartKind = (typeof partKinds)[number]

export const candidateKinds = [...partKinds, "notOurs"] as const
export type CandidateKind = (typeof candidateKinds)[number]

export const candidateNames: Record<CandidateKind, string> = {
  policy: "Premium",
  receipt: "Receipt",
  deposit: "Deposit",
  payout: "Payment",
  batch: "Payment batch",
  returned: "Returned payment",
  returnedDeposit: "Returned deposit",
  cameBack: "Returned outgoing payment",
  notOurs: "Not a premium or claim payment",
}

/** A confirmed part of a line. Cents, signed like the line: money out is negative. */
export interface Part {
  as: PartKind
  id: string
  amountCents: Cents
  /** For a policy's part: the invoices to pay; null pays the oldest first. The rest becomes credit. */
  allocations: readonly AllocationInput[] | null
}

/** Strips fields that `banking.confirm` does not accept, such as the part's number. */
export const partInputs = (parts: readonly PartInput[]) =>
  parts.map(({ as, id, amountCents, allocations }) => ({
    as,
    id,
    amountCents,
    allocations: allocations?.map(({ invoiceId, amountCents: cents }) => ({ invoiceId, amountCents: cents })) ?? null,
  }))

type PartInput = Omit<Part, "allocations"> & Partial<Pick<Part, "allocations">>

export interface OfferedPart extends Omit<Part, "allocations"> {
  label: string
  name: string
  allocations: readonly OfferedAllocation[] | null
}

export interface OfferedAllocation extends AllocationInput {
  invoiceNumber: string
  dueOn: Day
  outstandingCents: Cents
}

export const reasonKinds = ["reference", "payer", "amount", "day"] as const
export type ReasonKind = (typeof reasonKinds)[number]

/** A reason as a sentence; a negative weight counts against the candidate. */
export interface Reason {
  about: ReasonKind
  weight: number
  sentence: string
}

export interface Candidate {
  /** Unique among the line's candidates; used by `decline`. */
  key: string
  kind: CandidateKind
  parts: OfferedPart[]
  reason: NotOursReason | null
  score: number
  reasons: Reason[]
  /** A sentence that explains the lower rank; null for the first candidate. */
  lost: string | null
  /** Eligible for automatic posting: an exact, unique reference, or a payer confirmed three times. */
  isSure: boolean
}

/** Refuses parts that differ in direction or kind, or do not add up to the line (cents). */
export function checkParts(
  lineCents: Cents,
  parts: readonly Part[],
  currency: Currency,
): Decision<true, "NOT_THIS_MUCH" | "NOT_TOGETHER"> {
  const ways = new Set(parts.map(({ as }) => partRules[as].way))
  if (ways.size > 1) return refuse("NOT_TOGETHER")
  const [way] = ways
  const isIn = way === "in" || way === "cameBack"
  if (isIn !== lineCents > 0) {
    return refuse("NOT_TOGETHER", isIn ? "This line is money out." : "This line is money in.")
  }
  if (new Set(parts.map(({ as, id }) => `${as} ${id}`)).size < parts.length) {
    return refuse("NOT_TOGETHER", "A part is listed twice. Remove one of them.")
  }
  if (parts.some(({ amountCents }) => amountCents === 0 || amountCents > 0 !== lineCents > 0)) {
    return refuse("NOT_THIS_MUCH", "Every part needs an amount in the same direction as the line.")
  }
  const sum = parts.reduce((cents, { amountCents }) => cents + amountCents, 0)
  if (sum === lineCents) return true
  return refuse(
    "NOT_THIS_MUCH",
    `The parts add up to ${formatMoney(sum, currency)}, but the line is ${formatMoney(lineCents, currency)}.`,
  )
}

/** Which kinds of part can be combined, and the resulting state of the line. */
export const partRules = {
  policy: { way: "in", placed: "receipt" },
  receipt: { way: "in", placed: "receipt" },
  deposit: { way: "in", placed: "receipt" },
  payout: { way: "out", placed: "payout" },
  batch: { way: "out", placed: "payout" },
  returned: { way: "returned", placed: "returned" },
  returnedDeposit: { way: "returned", placed: "returned" },
  cameBack: { way: "cameBack", placed: "payout" },
} as const satisfies Record<PartKind, { way: string; placed: "receipt" | "payout" | "returned" }>

/**
 * `made`, `completed`, `returned` and `came_back` are effects of the line; undo reverses them. `linked`, `paid` and
 * `back` link the line to earlier records.
 */
export const matchKinds = ["made", "linked", "returned", "completed", "paid", "came_back", "back"] as const
export type MatchKind = (typeof matchKinds)[number]

export const isOfReceipt = (kind: MatchKind): boolean => kind === "made" || kind === "linked" || kind === "returned"

/**
 * The amount of a receipt on bank lines (cents), and whether the main account's opening balance includes the receipt.
 */
export interface MatchedLineState {
  matchedCents: Cents
  isHeld: boolean
  /** Received on another bank account than the line's. */
  isElsewhere: boolean
}

/**
 * Whether a line can be matched to a receipt. Refuses a reversed receipt, more than its unmatched amount, and a receipt
 * that the opening balance includes.
 */
export function checkLinkable(
  receipt: Pick<Receipt, "number" | "amountCents" | "reversedAt">,
  { matchedCents, amountCents, isHeld }: Omit<MatchedLineState, "isElsewhere"> & { amountCents: Cents },
  currency: Currency,
): Decision<true, "NOT_THIS_RECEIPT"> {
  const { number } = receipt
  if (receipt.reversedAt !== null) return refuse("NOT_THIS_RECEIPT", `${number} was reversed.`)
  if (isHeld) return refuse("NOT_THIS_RECEIPT", `${number} is included in the opening balance of the account.`)
  const left = receipt.amountCents - matchedCents
  if (amountCents <= left) return true
  const others =
    left === 0 ? "is already matched with another line" : `has only ${formatMoney(left, currency)} left to match`
  return refuse("NOT_THIS_RECEIPT", `${number} ${others}.`)
}

/**
 * The deposit's receipts that have no line yet; they must add up to the line's part. Partly matched receipts are
 * matched separately.
 */
export function checkLinkableTogether<
  R extends Pick<Receipt, "number" | "amountCents" | "reversedAt"> & MatchedLineState,
>(
  { number }: { number: string },
  receipts: readonly R[],
  amountCents: Cents,
  currency: Currency,
): Decision<R[], "NOT_THIS_RECEIPT"> {
  const left = receipts.filter((receipt) => checkLinkable(receipt, receipt, currency) === true)
  const sum = left.reduce((cents, receipt) => cents + receipt.amountCents, 0)
  if (sum === amountCents && left.length > 0) return left
  return refuse(
    "NOT_THIS_RECEIPT",
    left.length === 0
      ? `${number} has no receipts left to match.`
      : `${number} has ${formatMoney(sum, currency)} left to match, not ${formatMoney(amountCents, currency)}.`,
  )
}

/** Whether a line can return a receipt: the whole amount, received on the same bank account. */
export function checkReceiptReturn(
  receipt: Pick<Receipt, "number" | "amountCents" | "reversedAt">,
  { matchedCents, amountCents, isHeld, isElsewhere }: MatchedLineState & { amountCents: Cents },
  currency: Currency,
): Decision<true, "NOT_THIS_RECEIPT"> {
  const { number } = receipt
  if (receipt.reversedAt !== null) return refuse("NOT_THIS_RECEIPT", `${number} is already reversed.`)
  if (isElsewhere) return refuse("NOT_THIS_RECEIPT", `${number} was received on another bank account.`)
  if (-amountCents !== receipt.amountCents) {
    return refuse(
      "NOT_THIS_RECEIPT",
      `${number} is ${formatMoney(receipt.amountCents, currency)}. Only the full amount can be returned.`,
    )
  }
  if (isHeld || matchedCents === receipt.amountCents) return true
  return refuse("NOT_THIS_RECEIPT", `First match the bank line on which ${number} was received.`)
}

/** The receipts of a deposit that a line returns: all received and unreversed ones, which must add up to its part. */
export function checkReturnableTogether<
  R extends Pick<Receipt, "number" | "amountCents" | "reversedAt"> & MatchedLineState,
>(
  { number }: { number: string },
  receipts: readonly R[],
  amountCents: Cents,
  currency: Currency,
): Decision<R[], "NOT_THIS_RECEIPT"> {
  const came = receipts.filter(
    (receipt) => checkReceiptReturn(receipt, { ...receipt, amountCents: -receipt.amountCents }, currency) === true,
  )
  const sum = came.reduce((cents, receipt) => cents + receipt.amountCents, 0)
  if (sum === -amountCents && came.length > 0) return came
  return refuse(
    "NOT_THIS_RECEIPT",
    came.length === 0
      ? `${number} has no matched receipts to return.`
      : `${number} has ${formatMoney(sum, currency)} to return, not ${formatMoney(-amountCents, currency)}. Only the full amount can be returned.`,
  )
}

type MatchedPayout = Pick<Payout, "number" | "amountCents" | "status" | "bankAccountId">

/** Whether a line is the debit of a whole payment, from the payment's account and only once. Returns the match kind. */
export function checkPayable(
  payout: MatchedPayout,
  line: { amountCents: Cents; accountId: string; isMain: boolean },
  { isMatched, isHeld }: { isMatched: boolean; isHeld: boolean },
  currency: Currency,
): Decision<"completed" | "paid", "NOT_THIS_PAYMENT"> {
  const { number, status } = payout
  const wrong = payoutMismatch(payout, line, -line.amountCents, currency)
  if (wrong) return wrong
  if (status === "processing") return "completed"
  // A payment returned manually before its debit was imported may still be matched to that debit.
  if (status !== "completed" && status !== "returned") {
    return refuse("NOT_THIS_PAYMENT", `${number} is ${payoutStatusNames[status].toLowerCase()}, not processing.`)
  }
  if (isHeld) return refuse("NOT_THIS_PAYMENT", `${number} is included in the opening balance of the account.`)
  return isMatched ? refuse("NOT_THIS_PAYMENT", `${number} is already matched with another line.`) : "paid"
}

export interface PaymentMatchState {
  isMatched: boolean
  isHeld: boolean
}

/**
 * The unmatched payments of a batch, which must add up to the line's part. Payments returned manually since count if
 * the line's amount includes them.
 */
export function checkPayableTogether<P extends MatchedPayout & PaymentMatchState>(
  batch: { number: string; bankAccountId: string },
  payments: readonly P[],
  line: { amountCents: Cents; accountId: string; isMain: boolean },
  currency: Currency,
): Decision<{ payment: P; kind: "completed" | "paid" }[], "NOT_THIS_PAYMENT"> {
  const { number, bankAccountId } = batch
  if (bankAccountId !== line.accountId) {
    return refuse("NOT_THIS_PAYMENT", `${number} is paid from another bank account.`)
  }
  const all = payments.flatMap((payment) => {
    const of = { ...line, amountCents: -payment.amountCents }
    const kind = checkPayable({ ...payment, bankAccountId }, of, payment, currency)
    return isRefusal(kind) ? [] : [{ payment, kind }]
  })
  const sumOf = (some: typeof all) => some.reduce((cents, { payment }) => cents + payment.amountCents, 0)
  if (sumOf(all) === -line.amountCents && all.length > 0) return all
  // The bank's debit may exclude payments that were returned.
  const left = all.filter(({ payment }) => payment.status !== "returned")
  const sum = sumOf(left)
  if (sum === -line.amountCents && left.length > 0) return left
  const whole = left.length === 1 ? "a payment" : `${left.length} payments`
  return refuse(
    "NOT_THIS_PAYMENT",
    left.length === 0
      ? `${number} has no payments left to match.`
      : `${number} has ${whole} of ${formatMoney(sum, currency)} in total left to match, not ${formatMoney(-line.amountCents, currency)}.`,
  )
}

/** Whether a line is the return of a whole payment that was debited before. Returns the match kind. */
export function checkPaymentReturn(
  payout: MatchedPayout,
  line: { amountCents: Cents; accountId: string; isMain: boolean },
  { isMatched, isHeld, isBack }: { isMatched: boolean; isHeld: boolean; isBack: boolean },
  currency: Currency,
): Decision<"came_back" | "back", "NOT_THIS_PAYMENT"> {
  const { number, status } = payout
  const wrong = payoutMismatch(payout, line, line.amountCents, currency)
  if (wrong) return wrong
  if (status !== "completed" && status !== "returned") return refuse("NOT_THIS_PAYMENT", `${number} is not paid yet.`)
  if (isBack) return refuse("NOT_THIS_PAYMENT", `${number} was already returned on another line.`)
  if (!isMatched && !isHeld) return refuse("NOT_THIS_PAYMENT", `First match the bank line that paid ${number}.`)
  return status === "completed" ? "came_back" : "back"
}

function payoutMismatch(
  { number, amountCents, bankAccountId }: MatchedPayout,
  line: { accountId: string; isMain: boolean },
  lineCents: Cents,
  currency: Currency,
): Refusal<"NOT_THIS_PAYMENT"> | null {
  if (amountCents !== lineCents) {
    return refuse(
      "NOT_THIS_PAYMENT",
      `${number} is ${formatMoney(amountCents, currency)}, not ${formatMoney(lineCents, currency)}.`,
    )
  }
  const isIts = bankAccountId === null ? line.isMain : bankAccountId === line.accountId
  return isIts ? null : refuse("NOT_THIS_PAYMENT", `${number} is paid from another bank account.`)
}
