import type { SQL } from "drizzle-orm"
import { port } from "../platform/ports.ts"

/** Whether a member has a line on an invoice. */
export const isInvoiced = port<(memberId: SQL) => SQL>()

export const hasClaims = port<(memberId: SQL) => SQL>()
