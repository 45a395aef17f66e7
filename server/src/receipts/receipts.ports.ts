import type { SQL } from "drizzle-orm"
import { port } from "../platform/ports.ts"

/** Credit reserved for next invoices if the policy refunds by credit note: one row, one column, cents. */
export const creditReservedForInvoices = port<(policyId: SQL) => SQL>()

export const wasRefunded = port<(receiptId: SQL) => SQL>()

/** One row per refund: the amount it uses of a receipt. */
export const refundsOfReceipt = port<(receiptId: SQL) => SQL>()

/** Whether a bank line is or ever was matched to the receipt. */
export const wasMatchedToBankLine = port<(receiptId: string) => SQL>()
