import type { Vat } from "../benefits/vat.ts"
import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { MonthAssignedLine } from "./billed-month.ts"
import type { Cause } from "./difference.ts"
import { causeSentence, type TextFormats } from "./difference-words.ts"
import { vatParts } from "./invoice-totals.ts"

/** Cents without VAT and before discount. */
export interface DifferenceToBill {
  memberId: string
  firstName: string
  lastName: string
  causes: readonly Cause[]
  /** `rated`: how a rate table gave the amount. */
  months: readonly {
    month: Day
    cents: Cents
    vat: Vat
    tierId: string | null
    tierName: string | null
    rated?: string | null
  }[]
}

export interface BillLine extends MonthAssignedLine {
  memberId: string
  billedMonth: Day
  /** True for a difference of an earlier month than the run's. */
  isAdjustment: boolean
}

/** Without VAT and before discount. */
export interface BillCredit {
  memberId: string
  month: Day
  cents: Cents
  sentences: string[]
}

/** Lines and credits together equal the difference. */
export interface Bill {
  lines: BillLine[]
  credits: BillCredit[]
}

/**
 * One invoice bills everything if the total is positive and no VAT rate is below 0. Otherwise an invoice bills positive
 * member months, and credit notes the rest.
 */
export function billOf(differences: readonly DifferenceToBill[], month: Day, wording: TextFormats): Bill {
  const lines = billLines(differences, month, wording)
  const rates = vatParts(lines, 0)
  const subtotalCents = rates.reduce((sum, { netCents }) => sum + netCents, 0)
  if (lines.length === 0 || (subtotalCents > 0 && rates.every(({ netCents }) => netCents >= 0)))
    return { lines, credits: [] }
  const ofMonths = new Map<string, BillLine[]>()
  for (const line of lines) {
    const key = `${line.memberId} ${line.billedMonth}`
    ofMonths.set(key, [...(ofMonths.get(key) ?? []), line])
  }
  const bill: Bill = { lines: [], credits: [] }
  for (const some of ofMonths.values()) {
    const cents = some.reduce((sum, { unitCents }) => sum + unitCents, 0)
    const { memberId, billedMonth } = some[0]!
    if (cents > 0) bill.lines.push(...some)
    else if (cents < 0)
      bill.credits.push({
        memberId,
        month: billedMonth,
        cents: -cents,
        sentences: some.map((line) => line.description),
      })
  }
  return bill
}

/** A line per cause and month; lines of `month` first. */
export function billLines(differences: readonly DifferenceToBill[], month: Day, wording: TextFormats): BillLine[] {
  const lines = differences.flatMap(({ memberId, firstName, lastName, causes, months }) => {
    const ofMonth = new Map(months.map((one) => [one.month, one]))
    const name = `${firstName} ${lastName}`
    return causes.flatMap((cause) =>
      cause.months.map(({ month: billedMonth, cents }): BillLine => {
        const { vat, tierId, tierName, rated } = ofMonth.get(billedMonth)!
        const isAdjustment = cause.kind !== "month" || billedMonth !== month
        const words = isAdjustment
          ? causeSentence({ ...cause, months: [{ month: billedMonth, cents }] }, name, wording)
          : `${name} - ${rated ?? tierName ?? "Standard"}`
        return {
          memberId,
          tierId,
          billedMonth,
          description: words.slice(0, 300),
          quantity: 1,
          unitCents: cents,
          vat,
          isAdjustment,
        }
      }),
    )
  })
  return [...lines.filter((line) => !line.isAdjustment), ...lines.filter((line) => line.isAdjustment)]
}

/** Joins as many sentences as fit in `limit` characters. */
export function joinCreditReasons(sentences: readonly string[], limit = 500): string {
  for (let count = sentences.length; count > 0; count--) {
    const left = sentences.length - count
    const reason = sentences.slice(0, count).join(" · ") + (left > 0 ? ` · and ${left} more` : "")
    if (reason.length <= limit) return reason
  }
  return "Months billed but not owed"
}
