import type { SQL } from "drizzle-orm"
import { port } from "../platform/ports.ts"

/** The employer groups that meet a condition on `g.id`, as an array of id and name, sorted by name. */
export const groupsWhere = port<(condition: SQL) => SQL>()

/** The group names in one line, for a file. */
export const groupNamesWhere = port<(condition: SQL) => SQL>()

export const countGroups = port<(groupIds: string[]) => SQL>()
