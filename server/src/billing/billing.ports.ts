import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { SQL } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { port } from "../platform/ports.ts"

/** The day of the last allocation still in effect, no later than today. */
export const lastAllocatedOn = port<(invoiceId: SQL, today: Day) => SQL>()

/** One row per receipt that paid the invoice. */
export const paymentsOf = port<(invoiceId: string) => SQL>()

/** One row: the invoice's total write-off and its VAT. */
export const writtenOffOf = port<(invoiceId: string) => SQL>()

/** The part of an invoice paid from the policy's credit when it is sent. */
export const creditUsedBy =
  port<(tx: Tx, invoice: { policyId: string; totalCents: Cents; useCredit: boolean | undefined }) => Promise<Cents>>()
