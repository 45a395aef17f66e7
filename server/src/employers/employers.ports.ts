import type { SQL } from "drizzle-orm"
import { port } from "../platform/ports.ts"

/** How many policies a group has. */
export const policyCount = port<(groupId: SQL) => SQL>()
