import type { Vat } from "@milkwood/domain/benefits/vat"
import { billedMonthOf, clearPeriodMonth } from "@milkwood/domain/billing/billed-month"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import type { InvoiceKind } from "@milkwood/domain/billing/invoice"
import { emptyInvoiceForm, invoiceEdit, invoiceForm } from "@milkwood/domain/billing/invoice-form"
import { type Discount, discountOf } from "@milkwood/domain/billing/invoice-totals"
import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"

/** `key` is a stable React key. */
export interface LineValues {
  key: string
  description: string
  quantity: number | string
  unitCents: Cents | null
  memberId: string | null
  tierId: string | null
  /** Set for adjustments; null means the month of the period. */
  billedMonth: Day | null
}

interface MemberMonth {
  month: Day | null
  cents: Cents
}

/** Form state; unreadable days and amounts are null. */
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
  /** Lines that the server generates or keeps; the form does not list them. */
  members: {
    source: "fill" | "keep"
    count: number
    subtotalCents: Cents
    /** Totals by month; a null month means the month of the period. */
    months: MemberMonth[]
  } | null
}

let lastKey = 0
const createLineKey = () => `line-${++lastKey}`

export const createEmptyLine = (): LineValues => ({
  key: createLineKey(),
  description: "",
  quantity: 1,
  unitCents: 0,
  memberId: null,
  tierId: null,
  billedMonth: null,
})

export const lineValuesOf = (line: {
  description: string
  quantity: number
  unitCents: Cents
  memberId?: string | null
  tierId?: string | null
}): LineValues => ({
  key: createLineKey(),
  description: line.description,
  quantity: line.quantity,
  unitCents: line.unitCents,
  memberId: line.memberId ?? null,
  tierId: line.tierId ?? null,
  billedMonth: null,
})

export function createStartValues(today: Day, policyId: string | null): InvoiceValues {
  const { kind = "premium", notes = "", discountCents = 0, lines, ...days } = emptyInvoiceForm(today)
  const discount = { discountIn: "cents", discountCents, discountPercent: "", discountReason: "" } as const
  const { discountPercent: _, discountReason: __, ...rest } = days
  return { ...rest, kind, notes, ...discount, policyId, lines: lines.map(lineValuesOf), members: null }
}

export interface InvoiceDraft {
  invoice: InvoiceDetail
  lines: (Parameters<typeof lineValuesOf>[0] & { billedMonth: Day | null })[]
  kept: { members: number; subtotalCents: Cents; months: MemberMonth[] } | null
}

export function valuesOf({ invoice, lines, kept }: InvoiceDraft): InvoiceValues {
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
        ? lines.map((line) => ({ ...lineValuesOf(line), billedMonth: clearPeriodMonth(line, invoice).billedMonth }))
        : [createEmptyLine()],
    members: kept && {
      ...{ source: "keep", count: kept.members },
      ...{ subtotalCents: kept.subtotalCents, months: kept.months },
    },
  }
}

/** The schema reports unreadable values. */
function invoiceInputOf({
  policyId,
  discountIn,
  discountCents,
  discountPercent,
  lines,
  members,
  ...rest
}: InvoiceValues) {
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

export type InvoiceErrors = Record<string, string>

const unreadableMessages: Record<string, string> = {
  invoiceOn: "Enter the invoice date",
  dueOn: "Enter the due date",
  periodStartOn: "Enter the first day of the period",
  periodEndOn: "Enter the last day of the period",
}

function invoiceErrorsOf(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
  values: InvoiceValues,
): InvoiceErrors {
  const errors: InvoiceErrors = {}
  for (const { path, message } of issues) {
    const name = path.map(String).join(".")
    const missing = values[name as keyof InvoiceValues] === null ? unreadableMessages[name] : undefined
    errors[name] ??= missing ?? (/expected (number|int)/i.test(message) ? "Enter a number" : message)
  }
  return errors
}

/** Ignores lines without a description, which are not saved. */
export function parseNewInvoice(values: InvoiceValues) {
  const parsed = invoiceForm.safeParse(invoiceInputOf(values))
  return parsed.success ? { invoice: parsed.data } : { errors: invoiceErrorsOf(parsed.error.issues, values) }
}

export function parseEditedInvoice(values: InvoiceValues) {
  const { policyId: _, ...input } = invoiceInputOf(values)
  const parsed = invoiceEdit.safeParse(input)
  return parsed.success ? { invoice: parsed.data } : { errors: invoiceErrorsOf(parsed.error.issues, values) }
}

export function discountOfValues(values: InvoiceValues, subtotalCents: Cents): Discount {
  const { discountIn, discountCents, discountPercent, discountReason } = values
  const percent = typeof discountPercent === "number" ? discountPercent : 0
  return discountOf(subtotalCents, {
    discountCents: discountCents ?? 0,
    discountPercent: discountIn === "percent" ? percent : null,
    discountReason,
  })
}

/** The 1st of the line's month, or the invoice date. Same rule as the server. */
function vatDayOf(
  { kind, invoiceOn, periodStartOn, periodEndOn }: InvoiceValues,
  { memberId, billedMonth }: Pick<LineValues, "memberId" | "billedMonth">,
): Day | null {
  if (memberId === null) return invoiceOn
  if (billedMonth !== null) return firstOfMonth(billedMonth)
  return kind === "premium" && periodStartOn && periodEndOn ? billedMonthOf({ periodStartOn, periodEndOn }) : invoiceOn
}

const enteredLinesOf = ({
  lines,
  members,
}: InvoiceValues): Pick<LineValues, "memberId" | "billedMonth" | "quantity" | "unitCents">[] => [
  ...(members?.months ?? []).map(({ month, cents }) => ({
    ...{ memberId: "members", billedMonth: month },
    ...{ quantity: 1, unitCents: cents },
  })),
  ...lines,
]

export const vatDaysOf = (values: InvoiceValues): Day[] =>
  [...new Set([values.invoiceOn, ...enteredLinesOf(values).map((line) => vatDayOf(values, line))])]
    .filter((day) => day !== null)
    .sort()

interface LineAmount {
  quantity: number
  unitCents: Cents
  vat?: Vat | undefined
}

/** Readable lines only; unlisted member lines count as one line per month. */
export const lineAmountsOf = (values: InvoiceValues, vatOn: ReadonlyMap<Day, Vat>): LineAmount[] =>
  enteredLinesOf(values).flatMap(({ quantity, unitCents, ...line }) =>
    typeof quantity === "number" && Number.isInteger(quantity) && unitCents !== null
      ? [{ quantity, unitCents, vat: vatOn.get(vatDayOf(values, line) ?? "") }]
      : [],
  )

/** Ignores line keys. */
export function areSameValues(a: InvoiceValues, b: InvoiceValues): boolean {
  return JSON.stringify(invoiceInputOf(a)) === JSON.stringify(invoiceInputOf(b))
}
