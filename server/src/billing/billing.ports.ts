import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { SQL } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { port } from "../platform/ports.ts"

/** The day of the last allocation to an invoice that was not released, today at the latest. */
export const lastAllocatedOn = port<(invoiceId: SQL, today: Day) => SQL>()

/** The receipts that paid an invoice, a row each. */
export const paymentsOf = port<(invoiceId: string) => SQL>()

/** The total of an invoice that is written off, and the VAT in it, in one row. */
export const writtenOffOf = port<(invoiceId: string) => SQL>()

/** The part of an invoice that the policy's credit pays when the invoice is sent. */
export const creditUsedBy =
  port<(tx: Tx, invoice: { policyId: string; totalCents: Cents; useCredit: boolean | undefined }) => Promise<Cents>>()
