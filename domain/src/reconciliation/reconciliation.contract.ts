import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { partKinds } from "./explain.ts"
import { reconciliationList } from "./reconciliation.list.ts"
import { reconciliationStatuses, resolutions } from "./reconciliation.ts"
import { remittanceContract } from "./remittance.contract.ts"

const tags = ["Premium reconciliation"]

export const reconciliationRow = z.object({
  id: z.uuid(),
  groupId: z.uuid(),
  groupName: z.string(),
  /** First day of the month. */
  month: day,
  /** The month's sent invoices less credit notes, as in collection. */
  expectedCents: cents,
  /** Payments allocated to those invoices, plus the month's unallocated credit. */
  receivedCents: cents,
  /** Open on the month's invoices and not yet due. */
  notDueCents: cents,
  /** Received less expected. */
  differenceCents: cents,
  status: z.enum(reconciliationStatuses),
  /** The day the month matched, or the day its current difference was resolved. */
  reconciledOn: day.nullable(),
  notes: z.string(),
  allowedActions: z.array(z.enum(resolutions)),
})
export type ReconciliationRow = z.infer<typeof reconciliationRow>

export const reconciliationDetail = reconciliationRow.extend({
  /** Reasons that add up to the difference, each with a description. */
  parts: z.array(z.object({ kind: z.enum(partKinds), cents, words: z.string() })),
  /** `remittanceId`: the latest remittance list compared with it. */
  invoices: z.array(
    z.object({
      id: z.uuid(),
      number: z.string(),
      policyNumber: z.string(),
      expectedCents: cents,
      openCents: cents,
      remittanceId: z.uuid().nullable(),
    }),
  ),
  /** Receipts of the month that are not fully allocated. */
  receipts: z.array(
    z.object({ id: z.uuid(), number: z.string(), policyId: z.uuid(), receivedOn: day, creditCents: cents }),
  ),
  resolved: z.array(
    z.object({
      id: z.uuid(),
      kind: z.enum(resolutions),
      differenceCents: cents,
      note: z.string(),
      at: instant,
      byName: z.string().nullable(),
    }),
  ),
})
export type ReconciliationDetail = z.infer<typeof reconciliationDetail>

const groupMonth = { groupId: z.uuid(), month: day }

export const reconciliationContract = {
  /** Expected and received per employer and month; sums over all matches. */
  list: readProcedure("collection.read")
    .route({
      method: "GET",
      path: "/reconciliation",
      summary: "List premium reconciliation by employer and month",
      tags,
    })
    .input(listInput(reconciliationList))
    .output(
      listOutput(reconciliationList, reconciliationRow, {
        /** Totals over every status, regardless of the tab. */
        cards: z.object({ expectedCents: cents, receivedCents: cents, differenceCents: cents }).nullable(),
      }),
    ),

  /**
   * A month with the parts of its difference. `month` is its first day. NOT_FOUND if nothing was expected or received.
   */
  detail: readProcedure("collection.read")
    .route({
      method: "GET",
      path: "/reconciliation/{groupId}/{month}",
      summary: "Read an employer's premium reconciliation for a month",
      tags,
    })
    .input(z.object(groupMonth))
    .output(reconciliationDetail),

  /**
   * Resolves a difference, with a note. A write-off applies to the month's oldest invoices first: at once up to the
   * limit, above it after a second user's confirmation. Other resolutions post nothing. CHANGED if the difference
   * (received less expected, cents) is not the given one.
   */
  resolve: writeProcedure("collection.write", { idempotent: true })
    .route({ method: "POST", path: "/reconciliation/{groupId}/{month}/resolution", summary: "Resolve a month", tags })
    .input(
      z.object({
        ...groupMonth,
        idempotencyKey: z.uuid(),
        kind: z.enum(resolutions),
        note: text(500).min(1, "Enter a note"),
        differenceCents: cents,
      }),
    )
    .output(reconciliationDetail)
    .errors({
      CHANGED: { status: 409, message: "The difference has changed. Please check it again." },
      NOT_RESOLVABLE: { status: 409, message: "This resolution does not fit the difference." },
      NOTHING_OPEN: { status: 409, message: "The month's invoices have no unpaid amount." },
      WRITE_OFF_WAITS: {
        status: 409,
        message: "A write-off of one of the invoices is waiting for confirmation by a second person.",
      },
    }),

  remittances: remittanceContract,
}
