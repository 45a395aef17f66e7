import type { Vat } from "@milkwood/domain/benefits/vat"
import { followingPeriod, monthBilledBy } from "@milkwood/domain/billing/billed-month"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import type { InvoiceKind } from "@milkwood/domain/billing/invoice"
import { invoiceEdit, invoiceForm, newInvoice } from "@milkwood/domain/billing/invoice-form"
import { type Discount, discountOf } from "@milkwood/domain/billing/invoice-totals"
import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"

/** A line while it is typed; `key` keeps a row itself while others come and go. */
export interface LineValues {
  key: string
  description: string
  quantity: number | string
  unitCents: Cents | null
  memberId: string | null
  tierId: string | null
  /** The month of an adjustment; other lines of members bill the month of the period, whatever it becomes. */
  billedMonth: Day | null
}

interface MonthOfMembers {
  month: Day | null
  cents: Cents
}

/** The form as it is typed: days and amounts are null while they are not readable. */
export interface InvoiceValues {
  policyId: string | null
  kind: InvoiceKind
  invoiceOn: Day | null
  dueOn: Day | null
  periodStartOn: Day | null
  periodEndOn: Day | null
  notes: string
  discountIn: "cents" | "percent"
  discountCents: Cents | null
  discountPercent: number | string
  discountReason: string
  lines: LineValues[]
  /** Lines of members that are not shown one by one: the server makes them when it saves, or leaves those it has. */
  members: {
    source: "fill" | "keep"
    count: number
    subtotalCents: Cents
    /** What they come to by the month that they bill; null: that of the period. */
    months: MonthOfMembers[]
  } | null
}

let lastKey = 0
const nextKey = () => `line-${++lastKey}`

/** The default line: quantity 1, price 0. */
export const emptyLine = (): LineValues => ({
  key: nextKey(),
  description: "",
  quantity: 1,
  unitCents: 0,
  memberId: null,
  tierId: null,
  billedMonth: null,
})

export const lineOf = (line: {
  description: string
  quantity: number
  unitCents: Cents
  memberId?: string | null
  tierId?: string | null
}): LineValues => ({
  key: nextKey(),
  description: line.description,
  quantity: line.quantity,
  unitCents: line.unitCents,
  memberId: line.memberId ?? null,
  tierId: line.tierId ?? null,
  billedMonth: null,
})

/** What a new invoice starts with. */
export function startValues(today: Day, policyId: string | null): InvoiceValues {
  const { kind = "premium", notes = "", discountCents = 0, lines, ...days } = newInvoice(today)
  const discount = { discountIn: "cents", discountCents, discountPercent: "", discountReason: "" } as const
  const { discountPercent: _, discountReason: __, ...rest } = days
  return { ...rest, kind, notes, ...discount, policyId, lines: lines.map(lineOf), members: null }
}

/** A draft to be edited, with its lines as `draftLines` hands them out. */
export interface Draft {
  invoice: InvoiceDetail
  lines: (Parameters<typeof lineOf>[0] & { billedMonth: Day | null })[]
  kept: { members: number; subtotalCents: Cents; months: MonthOfMembers[] } | null
}

/** A saved draft, to be edited. */
export function valuesOf({ invoice, lines, kept }: Draft): InvoiceValues {
  const { policyId, kind, invoiceOn, dueOn, periodStartOn, periodEndOn, notes } = invoice
  const { discountCents, discountPercent, discountReason } = invoice
  return {
    policyId,
    kind,
    invoiceOn,
    dueOn,
    periodStartOn,
    periodEndOn,
    notes,
    discountIn: discountPercent === null ? "cents" : "percent",
    discountCents: discountPercent === null ? discountCents : 0,
    discountPercent: discountPercent ?? "",
    discountReason,
    lines:
      lines.length > 0
        ? lines.map((line) => ({ ...lineOf(line), billedMonth: followingPeriod(line, invoice).billedMonth }))
        : [emptyLine()],
    members: kept && {
      ...{ source: "keep", count: kept.members },
      ...{ subtotalCents: kept.subtotalCents, months: kept.months },
    },
  }
}

/** The form as the domain's schema reads it; what is not readable becomes the schema's own complaint. */
function inputOf({ policyId, discountIn, discountCents, discountPercent, lines, members, ...rest }: InvoiceValues) {
  const percent = typeof discountPercent === "number" ? discountPercent : Number.NaN
  return {
    ...rest,
    memberLines: members?.source ?? "typed",
    policyId: policyId ?? "",
    discountCents: discountIn === "percent" ? 0 : (discountCents ?? Number.NaN),
    discountPercent: discountIn === "percent" ? percent : null,
    lines: lines.map(({ key: _, quantity, unitCents, ...line }) => ({
      ...line,
      quantity: typeof quantity === "number" ? quantity : Number.NaN,
      unitCents: unitCents ?? Number.NaN,
    })),
  }
}

/** What is wrong, by field; the same rules as the server's. */
export type InvoiceErrors = Record<string, string>

const unreadable: Record<string, string> = {
  invoiceOn: "Give the invoice date",
  dueOn: "Give the due date",
  periodStartOn: "Give the first day of the period",
  periodEndOn: "Give the last day of the period",
}

function errorsOf(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
  values: InvoiceValues,
): InvoiceErrors {
  const errors: InvoiceErrors = {}
  for (const { path, message } of issues) {
    const name = path.map(String).join(".")
    const missing = values[name as keyof InvoiceValues] === null ? unreadable[name] : undefined
    errors[name] ??= missing ?? (/expected (number|int)/i.test(message) ? "Give a number" : message)
  }
  return errors
}

/** Checks a new invoice. A line without a description is not saved, and so not checked. */
export function readNew(values: InvoiceValues) {
  const parsed = invoiceForm.safeParse(inputOf(values))
  return parsed.success ? { invoice: parsed.data } : { errors: errorsOf(parsed.error.issues, values) }
}

/** Checks an edited draft. */
export function readEdit(values: InvoiceValues) {
  const { policyId: _, ...input } = inputOf(values)
  const parsed = invoiceEdit.safeParse(input)
  return parsed.success ? { invoice: parsed.data } : { errors: errorsOf(parsed.error.issues, values) }
}

/** The discount of a subtotal as far as it is readable, for the totals shown while typing. */
export function discountShown(values: InvoiceValues, subtotalCents: Cents): Discount {
  const { discountIn, discountCents, discountPercent, discountReason } = values
  const percent = typeof discountPercent === "number" ? discountPercent : 0
  return discountOf(subtotalCents, {
    discountCents: discountCents ?? 0,
    discountPercent: discountIn === "percent" ? percent : null,
    discountReason,
  })
}

/** The day whose VAT a line has: the first of the month that it bills, or the invoice date, as the server settles it. */
function vatDayOf(
  { kind, invoiceOn, periodStartOn, periodEndOn }: InvoiceValues,
  { memberId, billedMonth }: Pick<LineValues, "memberId" | "billedMonth">,
): Day | null {
  if (memberId === null) return invoiceOn
  if (billedMonth !== null) return firstOfMonth(billedMonth)
  return kind === "premium" && periodStartOn && periodEndOn ? monthBilledBy({ periodStartOn, periodEndOn }) : invoiceOn
}

const linesOf = ({
  lines,
  members,
}: InvoiceValues): Pick<LineValues, "memberId" | "billedMonth" | "quantity" | "unitCents">[] => [
  ...(members?.months ?? []).map(({ month, cents }) => ({
    ...{ memberId: "members", billedMonth: month },
    ...{ quantity: 1, unitCents: cents },
  })),
  ...lines,
]

/** The days whose VAT the lines have, the invoice date among them. */
export const vatDaysOf = (values: InvoiceValues): Day[] =>
  [...new Set([values.invoiceOn, ...linesOf(values).map((line) => vatDayOf(values, line))])]
    .filter((day) => day !== null)
    .sort()

interface Countable {
  quantity: number
  unitCents: Cents
  vat?: Vat | undefined
}

/**
 * Lines whose quantity and price are readable, for the totals shown while typing, each at the VAT of its month; those of
 * members that are not shown one by one, as one for each month.
 */
export const countable = (values: InvoiceValues, vatOn: ReadonlyMap<Day, Vat>): Countable[] =>
  linesOf(values).flatMap(({ quantity, unitCents, ...line }) =>
    typeof quantity === "number" && Number.isInteger(quantity) && unitCents !== null
      ? [{ quantity, unitCents, vat: vatOn.get(vatDayOf(values, line) ?? "") }]
      : [],
  )

/** Whether two states of the form say the same; keys of lines do not count. */
export function sameValues(a: InvoiceValues, b: InvoiceValues): boolean {
  return JSON.stringify(inputOf(a)) === JSON.stringify(inputOf(b))
}
