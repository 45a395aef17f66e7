import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { type RemittanceField, remittanceFields } from "./remittance-columns.ts"
import { remittanceOutcomes } from "./remittance-outcome.ts"
import { remittanceRowsList } from "./remittance-rows.list.ts"
import { remittancesList } from "./remittances.list.ts"

const tags = ["Premium reconciliation"]

const column = z.int().min(0).max(199)

/** Which column of the file (from 0) stands for what. */
export const remittanceColumns = z.object(
  Object.fromEntries(remittanceFields.map((field) => [field, column.optional()])) as Record<
    RemittanceField,
    z.ZodOptional<typeof column>
  >,
)

export const remittanceRow = z.object({
  id: z.uuid(),
  fileName: z.string(),
  groupId: z.uuid(),
  groupName: z.string(),
  invoiceId: z.uuid(),
  invoiceNumber: z.string(),
  createdAt: instant,
  createdByName: z.string(),
  /** What the list comes to, and what the invoice bills for members, with VAT and before discount. */
  paidCents: cents,
  billedCents: cents,
  /** Paid less billed. */
  differenceCents: cents,
  /** How many members do not agree; null until it is known which column is what. */
  differingCount: z.int().nullable(),
})
export type RemittanceRow = z.infer<typeof remittanceRow>

const total = z.object({ count: z.int(), paidCents: cents, billedCents: cents })

export const remittanceDetail = remittanceRow.extend({
  policyId: z.uuid(),
  policyNumber: z.string(),
  /** The first day of the invoice's month. */
  month: day,
  invoiceTotalCents: cents,
  /** What the invoice asks for besides its members' lines: other lines, discount, the rounding of VAT. */
  besidesCents: cents,
  totals: z.object(
    Object.fromEntries(remittanceOutcomes.map((outcome) => [outcome, total])) as Record<
      (typeof remittanceOutcomes)[number],
      typeof total
    >,
  ),
  /** Rows that were left out, and why, as sentences; the first fifty. */
  notes: z.array(z.string()),
  headers: z.array(z.string()),
  /** The first rows below the header, as they stand in the file. */
  sample: z.array(z.array(z.string())),
  columns: remittanceColumns,
  /** Whether its file and rows are kept still; the retention of data deletes them after their years. */
  hasFile: z.boolean(),
  version: z.int(),
  allowedActions: z.array(z.enum(["lay", "remove"])),
})
export type RemittanceDetail = z.infer<typeof remittanceDetail>

/** A member, or somebody whom nobody knows, on the list or on the invoice or on both. */
export const laidRow = z.object({
  id: z.uuid(),
  memberId: z.uuid().nullable(),
  name: z.string(),
  memberNumber: z.string().nullable(),
  line: z.int().nullable(),
  outcome: z.enum(remittanceOutcomes),
  paidCents: cents.nullable(),
  billedCents: cents.nullable(),
  differenceCents: cents,
  words: z.string(),
})
export type LaidRemittanceRow = z.infer<typeof laidRow>

const one = z.object({ remittanceId: z.uuid() })
const edited = one.extend({ version: z.int() })

/**
 * An employer's own list of who was paid for, laid against the invoice. The file comes by `POST /api/remittances`
 * (multipart: the field invoiceId, then the file), which answers `{ remittanceId }`; it is laid at once where its columns
 * are known.
 */
export const remittanceContract = {
  /** The lists that were laid. */
  list: read("collection.read")
    .route({ method: "GET", path: "/remittances", summary: "List remittance lists", tags })
    .input(listInput(remittancesList))
    .output(listOutput(remittancesList, remittanceRow)),

  /** One list with what it comes to. NOT_FOUND where there is none. */
  detail: read("collection.read")
    .route({ method: "GET", path: "/remittances/{remittanceId}", summary: "Show a remittance list", tags })
    .input(one)
    .output(remittanceDetail),

  /** A list laid against its invoice, member by member; sums in cents. */
  rows: read("collection.read")
    .route({ method: "GET", path: "/remittances/{remittanceId}/rows", summary: "Rows of a remittance list", tags })
    .input(listInput(remittanceRowsList, { remittanceId: z.uuid() }))
    .output(listOutput(remittanceRowsList, laidRow)),

  /**
   * Lays a list against its invoice with these columns, in place of what was laid before. INVALID where they do not say
   * who and how much.
   */
  lay: write("collection.write")
    .route({ method: "POST", path: "/remittances/{remittanceId}/lay", summary: "Choose the columns of a list", tags })
    .input(edited.extend({ columns: remittanceColumns }))
    .output(remittanceDetail),

  /** Throws a list away, with its file and what was laid; the trail keeps that it was there. */
  remove: write("collection.write")
    .route({ method: "DELETE", path: "/remittances/{remittanceId}", summary: "Remove a remittance list", tags })
    .input(edited)
    .output(z.object({})),
}
