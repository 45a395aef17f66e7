import type { Day } from "@milkwood/domain/kernel/calendar"
import type { SQL } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { port } from "../platform/ports.ts"

/** The rated monthly premium of a member `m` of policy `p`, in one row: `cents, unrated`. */
export const shownRatedPremium = port<(today: Day) => SQL>()

/** Call it after every change of names, start or end dates: claims store copies of them. `memberIds` is a query. */
export const copyMembersToClaims = port<(tx: Tx, memberIds: SQL) => Promise<void>>()
