import { type Day, daysBetween, maxDay } from "../kernel/calendar.ts"
import { type Cents, formatRand } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { openYears } from "../ledger/open-years.ts"
import type { Receipt } from "../receipts/receipt.ts"

/** Why a line is nobody's premium. Charges and interest are posted, transfers and what nobody knows are not. */
export const notOursReasons = ["charge", "interest", "transfer", "unknown"] as const
export type NotOursReason = (typeof notOursReasons)[number]

export const placementKinds = ["receipt", ...notOursReasons] as const
export type PlacementKind = (typeof placementKinds)[number]

/** Where a line of the bank belongs: nowhere yet, to a receipt, or for which reason it is not ours. */
export const lineStates = ["open", ...placementKinds] as const
export type LineState = (typeof lineStates)[number]

export const lineStateNames: Record<LineState, string> = {
  open: "To match",
  receipt: "Receipt",
  charge: "Bank charge",
  interest: "Interest",
  transfer: "Transfer",
  unknown: "Not known",
}

export const notOursNames: Record<NotOursReason, string> = {
  charge: "Bank charge",
  interest: "Interest",
  transfer: "Transfer between own accounts",
  unknown: "Nobody knows what it is",
}

export const lineActions = ["link", "notOurs", "undo"] as const
export type LineAction = (typeof lineActions)[number]

/** What may be done with a line now: money that came in on the account that receipts are booked to may be one's. */
export function lineActionsOf(
  line: { state: LineState; amountCents: Cents; isMain: boolean },
  mayWrite: boolean,
): LineAction[] {
  if (!mayWrite) return []
  if (line.state !== "open") return ["undo"]
  return line.amountCents > 0 && line.isMain ? ["link", "notOurs"] : ["notOurs"]
}

/** The day on which a line counts in the ledger: its own, or the first open one. */
export const postedOn = (day: Day, today: Day): Day => maxDay(day, openYears(today).from)

interface BankedLine {
  isMain: boolean
  day: Day
  amountCents: Cents
  text: string
  reference: string
}

/** Whether a receipt is the money of a line: as much, still standing, and booked to its account. */
export function linkable(
  line: BankedLine,
  receipt: Pick<Receipt, "number" | "amountCents" | "reversedAt">,
): Decision<true, "NOT_THIS_RECEIPT"> {
  if (receipt.reversedAt !== null) return refuse("NOT_THIS_RECEIPT", `${receipt.number} was reversed.`)
  if (!line.isMain) return refuse("NOT_THIS_RECEIPT", "Receipts are booked to another bank account.")
  if (receipt.amountCents === line.amountCents) return true
  const amounts = `${formatRand(receipt.amountCents)}, the line ${formatRand(line.amountCents)}`
  return refuse("NOT_THIS_RECEIPT", `${receipt.number} is of ${amounts}.`)
}

/** So many days around a line a receipt is looked for. */
export const daysAround = 92

/** Why a receipt of the same amount may be a line's, the strongest reason first; and how strong they are together. */
export function reasonsFor(
  line: Omit<BankedLine, "isMain">,
  receipt: { receivedOn: Day; reference: string; groupName: string; policyNumber: string },
): { weight: number; reasons: string[] } {
  const said = `${line.text} ${line.reference}`.toLowerCase()
  const words = (receipt.reference.match(/[\w-]*\d[\w-]*/g) ?? []).filter((word) => word.length >= 4)
  const named = [...words, receipt.policyNumber].find((word) => said.includes(word.toLowerCase()))
  const byName = said.includes(receipt.groupName.toLowerCase())
  const days = Math.abs(daysBetween(line.day, receipt.receivedOn))
  const apart = days === 0 ? "The same day" : days === 1 ? "A day apart" : `${days} days apart`
  return {
    weight: (named ? 1_000 : 0) + (byName ? 500 : 0) - days,
    reasons: [
      ...(named ? [`${named} stands in the line`] : []),
      ...(byName ? [`${receipt.groupName} stands in the line`] : []),
      "The same amount",
      apart,
    ],
  }
}
