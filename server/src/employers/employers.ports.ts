import type { SQL } from "drizzle-orm"
import { port } from "../platform/ports.ts"

export const policyCount = port<(groupId: SQL) => SQL>()
