import { z } from "zod"
import { addDays, type Day, firstOfMonth, lastOfMonth } from "../kernel/calendar.ts"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { line, text } from "../kernel/text-shape.ts"
import { invoiceKinds } from "./invoice.ts"
import { invoiceTotals } from "./invoice-totals.ts"

/**
 * Maximum lines that a caller may send; generated member lines are not counted. PDFs of invoices with more lines list
 * sums.
 */
export const maxInvoiceLines = 5_000
/** Maximum member lines sent to the client; beyond it the server generates them. */
export const maxEditableMemberLines = 1_000

/**
 * Source of member lines. `typed`: among the sent lines; `fill`: generated per paying member; `keep`: the draft's.
 * Other lines come last.
 */
const memberLineSources = ["typed", "fill", "keep"] as const

/** R 10 000 000 000 in cents, well within exact integers. */
const maxSubtotalCents = 1_000_000_000_000

/** A negative unit price is an adjustment. */
export const invoiceLineInput = z.object({
  description: line(300, "Use at most 300 characters for the description"),
  quantity: z.int("Enter a whole number").min(1, "The quantity must be at least 1").max(100_000),
  unitCents: cents
    .min(-1_000_000_000, "The unit price can be at most 10 million")
    .max(1_000_000_000, "The unit price can be at most 10 million"),
  memberId: z.uuid().nullable().default(null),
  tierId: z.uuid().nullable().default(null),
  /** First day of the month; null: the month of a premium invoice's period. */
  billedMonth: day.nullable().default(null),
})
export type InvoiceLineInput = z.infer<typeof invoiceLineInput>

const fields = z.object({
  kind: z.enum(invoiceKinds).default("premium"),
  invoiceOn: day,
  dueOn: day,
  periodStartOn: day,
  periodEndOn: day,
  notes: text(2_000, "Use at most 2000 characters for the notes").default(""),
  discountCents: cents.min(0, "The discount cannot be negative").default(0),
  /** Per cent of the subtotal instead of cents; at most two decimals. */
  discountPercent: z
    .number()
    .gt(0, "Enter a discount above 0 %")
    .max(100, "The discount can be at most 100 %")
    .refine((percent) => Number.isInteger(Number((percent * 100).toFixed(6))), "Enter at most two decimals")
    .nullable()
    .default(null),
  discountReason: line(200, "Use at most 200 characters for the reason").default(""),
  /** Drops lines with an empty description (specification 2, section 5). */
  lines: z
    .array(invoiceLineInput)
    .max(maxInvoiceLines, `Enter at most ${maxInvoiceLines} lines`)
    .transform((lines) => lines.filter((line) => line.description !== "")),
  memberLines: z.enum(memberLineSources).default("typed"),
})

type Fields = z.infer<typeof fields>
type FormProblem = { path: "lines" | "discountCents" | "periodStartOn"; message: string }

/** The first problem with the lines (including member lines) or discount. */
export function findLineProblem({ lines, discountCents }: Pick<Fields, "lines" | "discountCents">): FormProblem | null {
  if (lines.length === 0) return { path: "lines", message: "Please add at least one line item" }
  const { subtotalCents } = invoiceTotals(lines, 0)
  if (subtotalCents < 0) return { path: "lines", message: "The total of the lines cannot be negative" }
  if (subtotalCents > maxSubtotalCents)
    return { path: "lines", message: "The total of the lines can be at most 10 000 000 000" }
  if (discountCents > subtotalCents)
    return { path: "discountCents", message: "The discount cannot exceed the subtotal" }
  return null
}

function checkFormTotals(form: Fields, context: z.RefinementCtx<Fields>) {
  const wrong = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message })
  if (form.dueOn < form.invoiceOn) wrong("dueOn", "The due date is before the invoice date")
  if (form.periodEndOn < form.periodStartOn) wrong("periodEndOn", "The period ends before it starts")
  if ((form.discountCents > 0 || form.discountPercent !== null) && form.discountReason === "")
    wrong("discountReason", "Enter the reason for the discount")
  const { kind, memberLines, periodStartOn, periodEndOn } = form
  if (memberLines === "fill" && (kind !== "premium" || !isCalendarMonth(periodStartOn, periodEndOn))) {
    wrong("periodStartOn", "Member lines bill a full month: set the period from its first to its last day")
  }
  // An out-of-range quantity or price was already reported, and the sums would be meaningless.
  if (memberLines !== "typed" || context.issues.some(({ path }) => path?.[0] === "lines")) return
  const told = findLineProblem(form)
  if (told) wrong(told.path, told.message)
}

const isCalendarMonth = (from: Day, to: Day) => from === firstOfMonth(from) && to === lastOfMonth(from)

/** Fields of specification 2, sections 2 and 5. */
export const invoiceForm = fields
  .extend({
    policyId: z.uuid("Please select a policy"),
    memberLines: z.enum(["typed", "fill"]).default("typed"),
  })
  .superRefine(checkFormTotals)
export type InvoiceForm = z.infer<typeof invoiceForm>
export type InvoiceFormInput = z.input<typeof invoiceForm>

/** An edit cannot change the policy. `kind` is required, because its default would change the kind. */
export const invoiceEdit = fields.extend({ kind: z.enum(invoiceKinds) }).superRefine(checkFormTotals)
export type InvoiceEdit = z.infer<typeof invoiceEdit>

/** Today, 30 days to pay, a period of 30 days, one empty line (specification 2, section 9). */
export function emptyInvoiceForm(today: Day): Omit<InvoiceFormInput, "policyId"> {
  return {
    kind: "premium",
    invoiceOn: today,
    dueOn: addDays(today, 30),
    periodStartOn: today,
    periodEndOn: addDays(today, 30),
    notes: "",
    discountCents: 0,
    lines: [{ description: "", quantity: 1, unitCents: 0 }],
  }
}
