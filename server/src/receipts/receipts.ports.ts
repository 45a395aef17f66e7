import type { SQL } from "drizzle-orm"
import { port } from "../platform/ports.ts"

/** The credit of a policy that refunds by credit note reserve for its next invoices, as one row and column, in cents. */
export const keptForInvoices = port<(policyId: SQL) => SQL>()

/** Whether a refund ever used a receipt. */
export const wasRefunded = port<(receiptId: SQL) => SQL>()

/** The amounts of a receipt that refunds use, a row a refund. */
export const refundsOfReceipt = port<(receiptId: SQL) => SQL>()

/** Whether a bank line is or ever was matched to a receipt. */
export const wasLinked = port<(receiptId: string) => SQL>()
