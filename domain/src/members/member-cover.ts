import type { Day } from "../kernel/calendar.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import type { Member, MemberStatus } from "./member.ts"

/** `until` is the last day, inclusive; null = no end. */
export interface Cover {
  tierId: string
  tierName: string
  kind: "covered" | "suspended"
  from: Day
  until: Day | null
  /** See `CoverDays`. */
  setsKind?: boolean
  setsTier?: boolean
}

/**
 * A member's status on a day, from the dated facts. On their last day a member is already Terminated, but covered until
 * the day ends; read cover from the dated rows.
 */
export function memberStatusOn(
  member: { policyStatus: PolicyStatus; endOn: Day | null; suspended: boolean },
  today: Day,
): MemberStatus {
  if (member.policyStatus === "Draft") return "Pending"
  if (member.endOn !== null && member.endOn <= today) return "Terminated"
  return member.suspended ? "Suspended" : "Active"
}

/** A change recorded for a future day; for an end, `on` is the last day of cover. */
export interface PlannedChange {
  kind: "suspension" | "reinstatement" | "tier" | "end"
  on: Day
}

/** Followed by the day. */
export const plannedChangePhrases: Record<PlannedChange["kind"], string> = {
  suspension: "the suspension from",
  reinstatement: "the reinstatement from",
  tier: "the tier change from",
  end: "the end of membership after",
}

export const plannedChangeLabels: Record<PlannedChange["kind"], string> = {
  suspension: "Suspended from",
  reinstatement: "Reinstated from",
  tier: "Benefit tier changes on",
  end: "Membership ends after",
}

/** Future changes in order of days, except the start of cover. */
export function futureChangesOf({ covers, endOn }: Pick<Member, "covers" | "endOn">, today: Day): PlannedChange[] {
  const changes = covers.flatMap((cover, index): PlannedChange[] => {
    const before = covers[index - 1]
    if (!before || cover.from <= today) return []
    const change: PlannedChange = { kind: cover.kind === "suspended" ? "suspension" : "reinstatement", on: cover.from }
    return [
      ...(cover.kind === before.kind ? [] : [change]),
      ...(cover.tierId === before.tierId ? [] : [{ kind: "tier" as const, on: cover.from }]),
    ]
  })
  return endOn !== null && endOn > today ? [...changes, { kind: "end", on: endOn }] : changes
}

/** INVALID if the last day is before the start of cover; `from` is null without cover. */
export function checkLastDay(from: Day | null, on: Day): Decision<true, "INVALID"> {
  if (from === null || on >= from) return true
  const message = `The date is before the start of cover, ${from}`
  return refuse("INVALID", message, { fields: [{ path: "on", message }] })
}
