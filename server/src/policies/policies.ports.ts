import type { Day } from "@milkwood/domain/kernel/calendar"
import type { SQL } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { port } from "../platform/ports.ts"

/** Includes members who left. */
export const hasMembers = port<(policyId: string) => SQL>()

/** Excludes members who left. */
export const memberCount = port<(policyId: SQL) => SQL>()

/** Members of a policy `p` by status, as an object; `total` excludes members who left. */
export const memberCounts = port<() => SQL>()

/** Today's monthly premium of a policy `p` in one row: `cents` (null if a rate is missing) and `unrated`. */
export const shownPolicyPremium = port<(today: Day) => SQL>()

/** A policy's covered people without a rate: the count, and the first few with the reason. */
export const unratedMembers =
  port<
    (
      cx: Pick<Cx, "tx" | "now" | "today">,
      policyId: string,
    ) => Promise<{ count: number; some: { memberId: string; name: string; why: string }[] }>
  >()

export const hasStaffLists = port<(policyId: string) => SQL>()

export const hasStaffListInProgress = port<(policyId: string) => SQL>()
