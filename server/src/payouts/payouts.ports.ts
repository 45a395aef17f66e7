import type { Cents } from "@milkwood/domain/kernel/money"
import type { SQL } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { port } from "../platform/ports.ts"

/** A subquery to join: the organisation's accounts that can pay. */
export const accountsToPayFrom = port<() => SQL>()

/** Selects the columns of the payments list. */
export const claimsToPay = port<() => SQL>()

/** Approved claims without a payment: number and total. */
export const waitingForPayment = port<(tx: Tx) => Promise<{ count: number; cents: Cents }>>()
