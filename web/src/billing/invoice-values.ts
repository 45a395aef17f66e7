import type { Vat } from "@milkwood/domain/benefits/vat"
import { followingPeriod, monthBilledBy } from "@milkwood/domain/billing/billed-month"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import type { InvoiceKind } from "@milkwood/domain/billing/invoice"
import { invoiceEdit, invoiceForm, newInvoice } from "@milkwood/domain/billing/invoice-form"
import { type Discount, discountOf } from "@milkwood/domain/billing/invoice-totals"
import type { Day } from "@milkwood/domain/kernel/calendar"
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
  members: { source: "fill" | "keep"; count: number; subtotalCents: Cents } | null
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
  kept: { members: number; subtotalCents: Cents } | null
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
    members: kept && { source: "keep", count: kept.members, subtotalCents: kept.subtotalCents },
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

/** The month whose VAT the lines of members have; null where they have that of the invoice date. */
export const billedMonthOf = ({ kind, periodStartOn, periodEndOn }: InvoiceValues): Day | null =>
  kind === "premium" && periodStartOn && periodEndOn ? monthBilledBy({ periodStartOn, periodEndOn }) : null

interface Countable {
  quantity: number
  unitCents: Cents
  vat?: Vat
}

/**
 * Lines whose quantity and price are readable, for the totals shown while typing; those of members as one, at the VAT of
 * the month that they bill.
 */
export function countable({ lines, members }: InvoiceValues, monthPercent: number): Countable[] {
  // What is typed has no class yet: the rate alone is shown.
  const vat: Vat = { class: "standard", percent: monthPercent }
  const ofMembers = members ? [{ quantity: 1, unitCents: members.subtotalCents, vat }] : []
  const typed = lines.flatMap(({ quantity, unitCents, memberId }) =>
    typeof quantity === "number" && Number.isInteger(quantity) && unitCents !== null
      ? [{ quantity, unitCents, ...(memberId !== null && { vat }) }]
      : [],
  )
  return [...ofMembers, ...typed]
}

/** Whether two states of the form say the same; keys of lines do not count. */
export function sameValues(a: InvoiceValues, b: InvoiceValues): boolean {
  return JSON.stringify(inputOf(a)) === JSON.stringify(inputOf(b))
}
