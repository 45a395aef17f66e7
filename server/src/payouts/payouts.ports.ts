import type { Cents } from "@milkwood/domain/kernel/money"
import type { SQL } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { port } from "../platform/ports.ts"

/** The organisation's bank accounts that payments can be made from, as a subquery to join. */
export const accountsToPayFrom = port<() => SQL>()

/** Claims that wait for a payment, as a select of the columns of the payments list. */
export const claimsToPay = port<() => string>()

/** The number of approved claims that wait for a payment, and their total. */
export const waitingForPayment = port<(tx: Tx) => Promise<{ count: number; cents: Cents }>>()
