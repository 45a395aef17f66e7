import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
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
  /** The first day of the month. */
  month: day,
  /** The month's sent invoices less credit notes, as collection has it. */
  expectedCents: cents,
  /** What is set against them, and credit received in the month that is set against nothing. */
  receivedCents: cents,
  /** What the month's invoices still ask for whose due day has not passed. */
  notDueCents: cents,
  /** Received less expected. */
  differenceCents: cents,
  status: z.enum(reconciliationStatuses),
  /** The day on which it came to match, or on which somebody said what is to be done about the difference as it is now. */
  reconciledOn: day.nullable(),
  notes: z.string(),
  allowedActions: z.array(z.enum(resolutions)),
})
export type ReconciliationRow = z.infer<typeof reconciliationRow>

export const reconciliationDetail = reconciliationRow.extend({
  /** The reasons of the difference, each with a name in `words`; they add up to it. */
  parts: z.array(z.object({ kind: z.enum(partKinds), cents, words: z.string() })),
  /** `remittanceId` is the employer's list that was laid against it last. */
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
  /** Receipts of the month that are not wholly set against invoices. */
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

const ofMonth = { groupId: z.uuid(), month: day }

export const reconciliationContract = {
  /** What was expected of each employer for each month and what came; sums over all that matches. */
  list: read("collection.read")
    .route({ method: "GET", path: "/reconciliation", summary: "List months of employers", tags })
    .input(listInput(reconciliationList))
    .output(
      listOutput(reconciliationList, reconciliationRow, {
        /** Over every status, whatever tab is shown. */
        cards: z.object({ expectedCents: cents, receivedCents: cents, differenceCents: cents }).nullable(),
      }),
    ),

  /** A month of an employer with the parts of its difference. `month` is its first day. NOT_FOUND where nothing was expected and nothing came. */
  detail: read("collection.read")
    .route({ method: "GET", path: "/reconciliation/{groupId}/{month}", summary: "Show a month of an employer", tags })
    .input(z.object(ofMonth))
    .output(reconciliationDetail),

  /**
   * Says what is to be done about a difference, with a note. Writing off gives up what is missing on the month's
   * invoices, the oldest first: at once up to the limit, above it once a second person confirms. The others post
   * nothing. CHANGED where the difference (received less expected, cents) is no longer the one that was looked at.
   */
  resolve: write("collection.write", { idempotent: true })
    .route({ method: "POST", path: "/reconciliation/{groupId}/{month}/resolution", summary: "Resolve a month", tags })
    .input(
      z.object({
        ...ofMonth,
        idempotencyKey: z.uuid(),
        kind: z.enum(resolutions),
        note: text(500).min(1, "Say why"),
        differenceCents: cents,
      }),
    )
    .output(reconciliationDetail)
    .errors({
      CHANGED: { status: 409, message: "The difference has changed. Please check it again." },
      NOT_RESOLVABLE: { status: 409, message: "This cannot be done about this difference." },
      NOTHING_OPEN: { status: 409, message: "Nothing is open on the month's invoices." },
      WRITE_OFF_WAITS: { status: 409, message: "A write-off of one of the invoices waits for a second person." },
    }),

  remittances: remittanceContract,
}
