import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type Decision, isRefusal, type Refusal, refuse } from "../kernel/refusal.ts"
import { type Payout, payoutStatusNames } from "../payouts/payout.ts"
import type { Receipt } from "../receipts/receipt.ts"
import type { AllocationInput } from "../receipts/receipt-shape.ts"
import type { NotOursReason } from "./bank-placement.ts"

/**
 * What a line, or a part of it, is: premium of a policy, for which a receipt is made; a receipt that is recorded; a
 * deposit for several policies, all of its receipts; a payment that left the account; a batch of payments that left
 * together; a receipt that the bank took back; a deposit that it took back, all of its receipts; a payment that came back.
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

/** What else a line may be taken for: why it is nobody's premium. */
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
  cameBack: "Payment that came back",
  notOurs: "Not ours",
}

/** A part of a line as a person confirms it. Units: cents, signed as the line: out is below zero. */
export interface Part {
  as: PartKind
  /** Of the policy, the receipt, the deposit, the payout, or the batch; of what came back, as of what came. */
  id: string
  amountCents: Cents
  /** What of a policy's part pays which invoices; null: the oldest first. What is left is the policy's credit. */
  allocations: readonly AllocationInput[] | null
}

/** The parts as `banking.confirm` takes them: an offered part has more fields, such as its number and its invoices'. */
export const partInputs = (parts: readonly PartInput[]) =>
  parts.map(({ as, id, amountCents, allocations }) => ({
    as,
    id,
    amountCents,
    allocations: allocations?.map(({ invoiceId, amountCents: cents }) => ({ invoiceId, amountCents: cents })) ?? null,
  }))

type PartInput = Omit<Part, "allocations"> & Partial<Pick<Part, "allocations">>

/** A part as it is offered, with what it is read by. */
export interface OfferedPart extends Omit<Part, "allocations"> {
  /** Its number. */
  label: string
  /** Whose it is: the group, the payee. */
  name: string
  allocations: readonly OfferedAllocation[] | null
}

export interface OfferedAllocation extends AllocationInput {
  invoiceNumber: string
  dueOn: Day
  outstandingCents: Cents
}

/** What reasons are about, the strongest kind first. */
export const reasonKinds = ["reference", "payer", "amount", "day"] as const
export type ReasonKind = (typeof reasonKinds)[number]

/** Why a candidate may be it, as a sentence. What speaks against it weighs below zero. */
export interface Reason {
  about: ReasonKind
  weight: number
  sentence: string
}

/** What a line may be, ready to be confirmed. */
export interface Candidate {
  /** Names it among the candidates of its line, and in `decline`. */
  key: string
  kind: CandidateKind
  parts: OfferedPart[]
  /** Why it is not ours, where that is what is offered. */
  reason: NotOursReason | null
  /** What its reasons weigh together. */
  score: number
  /** The strongest first. */
  reasons: Reason[]
  /** Why it stands below the first one; null for the first. */
  lost: string | null
  /** Whether it may post by itself: an exact, unique reference, or a payer whom people confirmed three times. */
  isSure: boolean
}

/** Whether parts can be made of a line: all of one direction and kind, and together its amount. */
export function checkParts(
  lineCents: Cents,
  parts: readonly Part[],
  currency: Currency,
): Decision<true, "NOT_THIS_MUCH" | "NOT_TOGETHER"> {
  const ways = new Set(parts.map(({ as }) => waysOf[as].way))
  if (ways.size > 1) return refuse("NOT_TOGETHER")
  const [way] = ways
  const isIn = way === "in" || way === "cameBack"
  if (isIn !== lineCents > 0) {
    return refuse("NOT_TOGETHER", isIn ? "This line is money that went out." : "This line is money that came in.")
  }
  if (new Set(parts.map(({ as, id }) => `${as} ${id}`)).size < parts.length) {
    return refuse("NOT_TOGETHER", "One of the parts is there twice.")
  }
  if (parts.some(({ amountCents }) => amountCents === 0 || amountCents > 0 !== lineCents > 0)) {
    return refuse("NOT_THIS_MUCH", "Every part has an amount, and none goes the other way than the line.")
  }
  const sum = parts.reduce((cents, { amountCents }) => cents + amountCents, 0)
  if (sum === lineCents) return true
  return refuse(
    "NOT_THIS_MUCH",
    `The parts come to ${formatMoney(sum, currency)}, the line is ${formatMoney(lineCents, currency)}.`,
  )
}

/** Which parts go together, and as what the line is then placed. */
export const waysOf = {
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
 * What of a line is a receipt or payment, as it is kept: a receipt made for it, one that was there, one that the bank
 * took back; a payment completed by it, one that was completed already, one that came back by it, and one of which that
 * was recorded already. What the line did is undone with it, what was there stays.
 */
export const matchKinds = ["made", "linked", "returned", "completed", "paid", "came_back", "back"] as const
export type MatchKind = (typeof matchKinds)[number]

export const isOfReceipt = (kind: MatchKind): boolean => kind === "made" || kind === "linked" || kind === "returned"

/** How much of a receipt is on lines, and whether the opening balance of the main account includes it. */
export interface OnLines {
  matchedCents: Cents
  isHeld: boolean
  /** It came in on another bank account than that of the line. */
  isElsewhere: boolean
}

/**
 * Whether money of a line is that of a receipt which is there: it stands, so much of it is on no line yet, and it is not
 * in the balance with which the account began.
 */
export function linkable(
  receipt: Pick<Receipt, "number" | "amountCents" | "reversedAt">,
  { matchedCents, amountCents, isHeld }: Omit<OnLines, "isElsewhere"> & { amountCents: Cents },
  currency: Currency,
): Decision<true, "NOT_THIS_RECEIPT"> {
  const { number } = receipt
  if (receipt.reversedAt !== null) return refuse("NOT_THIS_RECEIPT", `${number} was reversed.`)
  if (isHeld) return refuse("NOT_THIS_RECEIPT", `${number} is in the balance with which the account begins here.`)
  const left = receipt.amountCents - matchedCents
  if (amountCents <= left) return true
  const others =
    left === 0 ? "is already matched with another line" : `has ${formatMoney(left, currency)} left that is on no line`
  return refuse("NOT_THIS_RECEIPT", `${number} ${others}.`)
}

/**
 * The receipts of a deposit that a line is: all that no line shows yet, which together come to the line's part. One that
 * is on a line in part is matched by itself.
 */
export function linkableTogether<R extends Pick<Receipt, "number" | "amountCents" | "reversedAt"> & OnLines>(
  { number }: { number: string },
  receipts: readonly R[],
  amountCents: Cents,
  currency: Currency,
): Decision<R[], "NOT_THIS_RECEIPT"> {
  const left = receipts.filter((receipt) => linkable(receipt, receipt, currency) === true)
  const sum = left.reduce((cents, receipt) => cents + receipt.amountCents, 0)
  if (sum === amountCents && left.length > 0) return left
  return refuse(
    "NOT_THIS_RECEIPT",
    left.length === 0
      ? `Nothing of ${number} is left that no line shows.`
      : `${number} has ${formatMoney(sum, currency)} that no line shows yet, not ${formatMoney(amountCents, currency)}.`,
  )
}

/** Whether a line can be the bank's taking back of a receipt: of all of it, which came in on the same bank account. */
export function returnable(
  receipt: Pick<Receipt, "number" | "amountCents" | "reversedAt">,
  { matchedCents, amountCents, isHeld, isElsewhere }: OnLines & { amountCents: Cents },
  currency: Currency,
): Decision<true, "NOT_THIS_RECEIPT"> {
  const { number } = receipt
  if (receipt.reversedAt !== null) return refuse("NOT_THIS_RECEIPT", `${number} was reversed already.`)
  if (isElsewhere) return refuse("NOT_THIS_RECEIPT", `${number} came in on another bank account.`)
  if (-amountCents !== receipt.amountCents) {
    return refuse(
      "NOT_THIS_RECEIPT",
      `${number} is of ${formatMoney(receipt.amountCents, currency)}: it comes back as a whole.`,
    )
  }
  if (isHeld || matchedCents === receipt.amountCents) return true
  return refuse("NOT_THIS_RECEIPT", `Match the line first by which ${number} came in.`)
}

/**
 * The receipts of a deposit that a line takes back: all that stand and had come in, which together come to the line's
 * part. One that no line shows has not come in, and is not taken back.
 */
export function returnableTogether<R extends Pick<Receipt, "number" | "amountCents" | "reversedAt"> & OnLines>(
  { number }: { number: string },
  receipts: readonly R[],
  amountCents: Cents,
  currency: Currency,
): Decision<R[], "NOT_THIS_RECEIPT"> {
  const came = receipts.filter(
    (receipt) => returnable(receipt, { ...receipt, amountCents: -receipt.amountCents }, currency) === true,
  )
  const sum = came.reduce((cents, receipt) => cents + receipt.amountCents, 0)
  if (sum === -amountCents && came.length > 0) return came
  return refuse(
    "NOT_THIS_RECEIPT",
    came.length === 0
      ? `Nothing of ${number} stands that came in by a line.`
      : `${formatMoney(sum, currency)} of ${number} came in and stands, not ${formatMoney(-amountCents, currency)}: it comes back as a whole.`,
  )
}

type MatchedPayout = Pick<Payout, "number" | "amountCents" | "status" | "bankAccountId">

/** Whether a line shows that a payment left: of all of it, from its account, once. Answers what becomes of it. */
export function payable(
  payout: MatchedPayout,
  line: { amountCents: Cents; accountId: string; isMain: boolean },
  { isMatched, isHeld }: { isMatched: boolean; isHeld: boolean },
  currency: Currency,
): Decision<"completed" | "paid", "NOT_THIS_PAYMENT"> {
  const { number, status } = payout
  const wrong = wrongPayout(payout, line, -line.amountCents, currency)
  if (wrong) return wrong
  if (status === "processing") return "completed"
  // One that was returned by hand before its line came had left as well.
  if (status !== "completed" && status !== "returned") {
    return refuse("NOT_THIS_PAYMENT", `${number} is ${payoutStatusNames[status].toLowerCase()}, not on its way.`)
  }
  if (isHeld) return refuse("NOT_THIS_PAYMENT", `${number} is in the balance with which the account begins here.`)
  return isMatched ? refuse("NOT_THIS_PAYMENT", `${number} is already matched with another line.`) : "paid"
}

/** What stands of a payment: whether a line shows that it left, or the balance holds it with which its account began. */
export interface Shown {
  isMatched: boolean
  isHeld: boolean
}

/**
 * What becomes of a batch's payments when a line shows that all of it left which no line shows yet: together they come to
 * the line's part, and left its account. Payments that were returned by hand since are among them where the line shows that.
 */
export function payableTogether<P extends MatchedPayout & Shown>(
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
    const kind = payable({ ...payment, bankAccountId }, of, payment, currency)
    return isRefusal(kind) ? [] : [{ payment, kind }]
  })
  const sumOf = (some: typeof all) => some.reduce((cents, { payment }) => cents + payment.amountCents, 0)
  if (sumOf(all) === -line.amountCents && all.length > 0) return all
  // The bank may have left out those that came back.
  const left = all.filter(({ payment }) => payment.status !== "returned")
  const sum = sumOf(left)
  if (sum === -line.amountCents && left.length > 0) return left
  const whole = left.length === 1 ? "a payment" : `${left.length} payments`
  return refuse(
    "NOT_THIS_PAYMENT",
    left.length === 0
      ? `Nothing of ${number} is on its way.`
      : `${number} has ${whole} of ${formatMoney(sum, currency)} together that no line shows yet, not ${formatMoney(-line.amountCents, currency)}.`,
  )
}

/** Whether a line shows that a payment came back: of all of it, and that it had left. Answers what becomes of it. */
export function backable(
  payout: MatchedPayout,
  line: { amountCents: Cents; accountId: string; isMain: boolean },
  { isMatched, isHeld, isBack }: { isMatched: boolean; isHeld: boolean; isBack: boolean },
  currency: Currency,
): Decision<"came_back" | "back", "NOT_THIS_PAYMENT"> {
  const { number, status } = payout
  const wrong = wrongPayout(payout, line, line.amountCents, currency)
  if (wrong) return wrong
  if (status !== "completed" && status !== "returned") return refuse("NOT_THIS_PAYMENT", `${number} has not left yet.`)
  if (isBack) return refuse("NOT_THIS_PAYMENT", `${number} came back by another line already.`)
  if (!isMatched && !isHeld) return refuse("NOT_THIS_PAYMENT", `Match the line first by which ${number} left.`)
  return status === "completed" ? "came_back" : "back"
}

function wrongPayout(
  { number, amountCents, bankAccountId }: MatchedPayout,
  line: { accountId: string; isMain: boolean },
  lineCents: Cents,
  currency: Currency,
): Refusal<"NOT_THIS_PAYMENT"> | null {
  if (amountCents !== lineCents) {
    return refuse(
      "NOT_THIS_PAYMENT",
      `${number} is of ${formatMoney(amountCents, currency)}, not ${formatMoney(lineCents, currency)}.`,
    )
  }
  const isIts = bankAccountId === null ? line.isMain : bankAccountId === line.accountId
  return isIts ? null : refuse("NOT_THIS_PAYMENT", `${number} is paid from another bank account.`)
}
