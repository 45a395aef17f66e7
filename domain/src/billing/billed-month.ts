import type { Vat } from "../benefits/vat.ts"
import { addMonths, type Day, firstOfMonth } from "../kernel/calendar.ts"
import type { InvoiceKind } from "./invoice.ts"
import type { InvoiceLineInput } from "./invoice-form.ts"

/** The month, by its first day, that a premium period bills: that whose 1st it holds, or else that in which it begins. */
export function monthBilledBy({ periodStartOn, periodEndOn }: { periodStartOn: Day; periodEndOn: Day }): Day {
  const begins = firstOfMonth(periodStartOn)
  const next = addMonths(begins, 1)
  return begins < periodStartOn && next <= periodEndOn ? next : begins
}

/**
 * The month that a line covers: the one that it names. Without one, a premium invoice covers the month that its period
 * bills, and another invoice the month in which its period begins.
 */
export function coverMonth(
  billedMonth: Day | null,
  invoice: { kind: InvoiceKind; periodStartOn: Day; periodEndOn: Day },
): Day {
  if (billedMonth !== null) return billedMonth
  return invoice.kind === "premium" ? monthBilledBy(invoice) : firstOfMonth(invoice.periodStartOn)
}

/** A line as it is stored: with the month of its member, and its VAT. */
export interface SettledLine extends InvoiceLineInput {
  billedMonth: Day | null
  vat: Vat
}

/**
 * The month of each line: the one that it names, or else, of a member on a premium invoice, that of the period. Lines
 * without a member, and those of other invoices that name none, bill no month, and do not count as billed premium.
 */
export function linesWithMonths<Line extends Pick<InvoiceLineInput, "memberId" | "billedMonth">>(
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
            ? monthBilledBy(form)
            : null,
  }))
}

/** A line of a draft that is edited: one that bills the month of its period goes on to, whatever the period becomes. */
export function followingPeriod<Line extends { billedMonth: Day | null }>(
  line: Line,
  draft: { periodStartOn: Day; periodEndOn: Day },
): Line {
  return line.billedMonth === monthBilledBy(draft) ? { ...line, billedMonth: null } : line
}
