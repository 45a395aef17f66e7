import type { Day } from "@milkwood/domain/kernel/calendar"
import type { SQL } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { port } from "../platform/ports.ts"

/** Whether a policy has a member, including members who left. */
export const hasMembers = port<(policyId: string) => SQL>()

/** How many members a policy has, without those who left. */
export const memberCount = port<(policyId: SQL) => SQL>()

/** How many members a policy `p` has by status, as an object; `total` excludes those who left. */
export const memberCounts = port<() => SQL>()

/** The monthly premium of a policy `p` today, in one row: `cents`, null where a person has no rate, and `unrated`. */
export const shownPolicyPremium = port<(today: Day) => SQL>()

/** The covered people of a policy who have no rate, with the reason: the number of them, and the first few. */
export const unratedMembers =
  port<
    (
      cx: Pick<Cx, "tx" | "now" | "today">,
      policyId: string,
    ) => Promise<{ count: number; some: { memberId: string; name: string; why: string }[] }>
  >()

/** Whether a staff list was ever uploaded for a policy. */
export const hasStaffLists = port<(policyId: string) => SQL>()

/** Whether a staff list of a policy is being checked or imported. */
export const hasStaffListAtWork = port<(policyId: string) => SQL>()
