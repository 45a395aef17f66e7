import type { Day } from "@milkwood/domain/kernel/calendar"
import type { SQL } from "drizzle-orm"
import { port } from "../platform/ports.ts"

/** The rated monthly premium of a member `m` of policy `p`, in one row: `cents, unrated`. */
export const shownRatedPremium = port<(today: Day) => SQL>()
