import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { type RemittanceField, remittanceFields } from "./remittance-columns.ts"
import { remittanceOutcomes } from "./remittance-outcome.ts"
import { remittanceRowsList } from "./remittance-rows.list.ts"
import { remittancesList } from "./remittances.list.ts"

const tags = ["Premium reconciliation"]

const column = z.int().min(0).max(199)

/** Column index, from 0, per field. */
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
  /** Totals of the list, and of the invoice's member lines with VAT, before discount. */
  paidCents: cents,
  billedCents: cents,
  /** Paid less billed. */
  differenceCents: cents,
  /** Members that differ; null until the columns are chosen. */
  differingCount: z.int().nullable(),
})
export type RemittanceRow = z.infer<typeof remittanceRow>

const total = z.object({ count: z.int(), paidCents: cents, billedCents: cents })

export const remittanceDetail = remittanceRow.extend({
  policyId: z.uuid(),
  policyNumber: z.string(),
  /** First day of the invoice's month. */
  month: day,
  invoiceTotalCents: cents,
  /** The part of the invoice not from member lines: other lines, discount, VAT rounding. */
  otherInvoiceCents: cents,
  totals: z.object(
    Object.fromEntries(remittanceOutcomes.map((outcome) => [outcome, total])) as Record<
      (typeof remittanceOutcomes)[number],
      typeof total
    >,
  ),
  /** Rows that were left out, with reasons; at most 50. */
  notes: z.array(z.string()),
  headers: z.array(z.string()),
  /** The first rows below the header, unchanged. */
  sample: z.array(z.array(z.string())),
  columns: remittanceColumns,
  /** False once data retention has deleted the file and rows. */
  hasFile: z.boolean(),
  version: z.int(),
  allowedActions: z.array(z.enum(["lay", "remove"])),
})
export type RemittanceDetail = z.infer<typeof remittanceDetail>

/** A member or unknown person on the list, the invoice or both. */
export const comparisonRow = z.object({
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
export type LaidRemittanceRow = z.infer<typeof comparisonRow>

const remittanceTarget = z.object({ remittanceId: z.uuid() })
const edited = remittanceTarget.extend({ version: z.int() })

/**
 * An employer's payment list, compared with the invoice. Upload by `POST /api/remittances` (multipart: invoiceId, then
 * the file), which returns `{ remittanceId }`. It is compared at once if its columns are known.
 */
export const remittanceContract = {
  list: readProcedure("collection.read")
    .route({ method: "GET", path: "/remittances", summary: "List remittance lists", tags })
    .input(listInput(remittancesList))
    .output(listOutput(remittancesList, remittanceRow)),

  /** A list with its totals. NOT_FOUND if it does not exist. */
  detail: readProcedure("collection.read")
    .route({ method: "GET", path: "/remittances/{remittanceId}", summary: "Read a remittance list", tags })
    .input(remittanceTarget)
    .output(remittanceDetail),

  /** The comparison per member; sums in cents. */
  rows: readProcedure("collection.read")
    .route({
      method: "GET",
      path: "/remittances/{remittanceId}/rows",
      summary: "List the rows of a remittance list",
      tags,
    })
    .input(listInput(remittanceRowsList, { remittanceId: z.uuid() }))
    .output(listOutput(remittanceRowsList, comparisonRow)),

  /**
   * Compares a list with its invoice by these columns, replacing an earlier comparison. INVALID if the columns identify
   * no person or no amount.
   */
  lay: writeProcedure("collection.write")
    .route({ method: "POST", path: "/remittances/{remittanceId}/lay", summary: "Choose the columns of a list", tags })
    .input(edited.extend({ columns: remittanceColumns }))
    .output(remittanceDetail),

  /** Deletes a list with its file and comparison; the audit trail keeps the entry. */
  remove: writeProcedure("collection.write")
    .route({ method: "DELETE", path: "/remittances/{remittanceId}", summary: "Remove a remittance list", tags })
    .input(edited)
    .output(z.object({})),
}
