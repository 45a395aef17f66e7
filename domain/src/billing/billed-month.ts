import type { Vat } from "../benefits/vat.ts"
import { addMonths, type Day, firstOfMonth } from "../kernel/calendar.ts"
import type { InvoiceKind } from "./invoice.ts"
import type { InvoiceLineInput } from "./invoice-form.ts"

/**
 * First day of the month that a premium period bills: the month whose 1st is in the period, otherwise the month in
 * which it begins.
 */
export function billedMonthOf({ periodStartOn, periodEndOn }: { periodStartOn: Day; periodEndOn: Day }): Day {
  const begins = firstOfMonth(periodStartOn)
  const next = addMonths(begins, 1)
  return begins < periodStartOn && next <= periodEndOn ? next : begins
}

/**
 * The line's own `billedMonth`, otherwise the month of the invoice: `billedMonthOf` for a premium invoice, the month in
 * which the period begins for others.
 */
export function setCoverMonth(
  billedMonth: Day | null,
  invoice: { kind: InvoiceKind; periodStartOn: Day; periodEndOn: Day },
): Day {
  if (billedMonth !== null) return billedMonth
  return invoice.kind === "premium" ? billedMonthOf(invoice) : firstOfMonth(invoice.periodStartOn)
}

export interface MonthAssignedLine extends InvoiceLineInput {
  billedMonth: Day | null
  vat: Vat
}

/**
 * Sets `billedMonth` of each line. Lines without a member, and lines of non-premium invoices that name no month, get
 * null and do not count as billed premium.
 */
export function assignLineMonths<Line extends Pick<InvoiceLineInput, "memberId" | "billedMonth">>(
  form: { kind: InvoiceKind; periodStartOn: Day; periodEndOn: Day },
  lines: readonly Line[],
): (Line & { billedMonth: Day | null })[] {
  return lines.map((line) => ({
    ...line,
    billedMonth:
      line.memberId === null
        ? null
        : line.billedMonth !== null
          ? firstOfMonth(line.billedMonth)
          : form.kind === "premium"
            ? billedMonthOf(form)
            : null,
  }))
}

/** Clears a `billedMonth` equal to the period's month, so that the line follows when the draft's period is edited. */
export function clearPeriodMonth<Line extends { billedMonth: Day | null }>(
  line: Line,
  draft: { periodStartOn: Day; periodEndOn: Day },
): Line {
  return line.billedMonth === billedMonthOf(draft) ? { ...line, billedMonth: null } : line
}
