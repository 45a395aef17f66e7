import type { SQL } from "drizzle-orm"
import { port } from "../platform/ports.ts"

export const policyCount = port<(groupId: SQL) => SQL>()
/** Numbers of the policies that are neither terminated nor expired, as an array. */
export const openPolicyNumbers = port<(groupId: SQL) => SQL>()
/** Excludes terminated members. */
export const groupMemberCount = port<(groupId: SQL) => SQL>()
