import type { SQL } from "drizzle-orm"
import { port } from "../platform/ports.ts"

export const isInvoiced = port<(memberId: SQL) => SQL>()

export const hasClaims = port<(memberId: SQL) => SQL>()
