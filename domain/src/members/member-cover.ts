import type { Day } from "../kernel/calendar.ts"
import { step } from "../kernel/lifecycle.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import { isOpen } from "../policies/policy-lifecycle.ts"
import type { MemberStatus } from "./member.ts"
import { memberLifecycle } from "./member-lifecycle.ts"

/** A stretch of days of a member; `until` is the last day, inclusive, or null without an end. */
export interface Cover {
  tierId: string
  kind: "covered" | "suspended"
  from: Day
  until: Day | null
}

/**
 * A member's status on a day, from the dated facts. Somebody whose last day is today is listed as Terminated, and
 * is covered to the end of the day all the same: cover is read from the dated rows.
 */
export function memberStatusOn(
  member: { policyStatus: PolicyStatus; endOn: Day | null; suspended: boolean },
  today: Day,
): MemberStatus {
  if (member.policyStatus === "Draft") return "Pending"
  if (member.endOn !== null && member.endOn <= today) return "Terminated"
  return member.suspended ? "Suspended" : "Active"
}

/** What is recorded of a member for a day to come; of an end, `on` is the last day of cover. */
export interface Plan {
  kind: "suspension" | "reinstatement" | "tier" | "end"
  on: Day
}

/** A plan in words, before its day. */
export const planWords: Record<Plan["kind"], string> = {
  suspension: "the suspension from",
  reinstatement: "the reinstatement from",
  tier: "the change of tier from",
  end: "the end of membership after",
}

/** A plan as it is told by itself, before its day. */
export const plannedWords: Record<Plan["kind"], string> = {
  suspension: "Suspended from",
  reinstatement: "Reinstated from",
  tier: "Another benefit tier from",
  end: "Membership ends after",
}

/** What is still to come of a member, in order of days; the start of cover itself is not a plan. */
export function plansOf({ covers, endOn }: Pick<Insured, "covers"> & { endOn: Day | null }, today: Day): Plan[] {
  const changes = covers.flatMap((cover, index): Plan[] => {
    const before = covers[index - 1]
    if (!before || cover.from <= today) return []
    const turned: Plan = { kind: cover.kind === "suspended" ? "suspension" : "reinstatement", on: cover.from }
    return [
      ...(cover.kind === before.kind ? [] : [turned]),
      ...(cover.tierId === before.tierId ? [] : [{ kind: "tier" as const, on: cover.from }]),
    ]
  })
  return endOn !== null && endOn > today ? [...changes, { kind: "end", on: endOn }] : changes
}

interface Insured {
  status: MemberStatus
  /** Live rows in order of days. */
  covers: readonly Cover[]
}

const wrong = (message: string) => refuse("INVALID", message, { fields: [{ path: "on", message }] })

/** The day from which a suspension, a reinstatement or another tier counts must be one on which there is cover. */
function within({ covers }: Insured, on: Day, kind?: Cover["kind"]): Decision<true, "INVALID"> {
  const first = covers[0]
  const last = covers.at(-1)
  if (!first || !last) return wrong("The member has no cover")
  if (on < first.from) return wrong(`The date lies before the start of cover, ${first.from}`)
  if (last.until !== null && on > last.until) return wrong(`The date lies after the last day of cover, ${last.until}`)
  const there = covers.find(({ from, until }) => from <= on && (until === null || on <= until))
  if (kind && there?.kind !== kind) {
    return wrong(
      kind === "covered" ? "The member is already suspended on that date" : "The member is not suspended on that date",
    )
  }
  return true
}

/** Suspends from `on`, that day included: no cover for an incident from then on. */
export function suspendMember(member: Insured, on: Day): Decision<true, "WRONG_STATUS" | "INVALID"> {
  const status = step(memberLifecycle, member, "suspend")
  return isRefusal(status) ? status : within(member, on, "covered")
}

/** Covers again from `on`, that day included. */
export function reinstateMember(member: Insured, on: Day): Decision<true, "WRONG_STATUS" | "INVALID"> {
  const status = step(memberLifecycle, member, "reinstate")
  return isRefusal(status) ? status : within(member, on, "suspended")
}

/**
 * Covers somebody whose membership ended again from `on`, that day included: after their last day, and not to come,
 * since nobody is listed as active before their cover.
 */
export function rejoinMember(
  member: { status: MemberStatus; policyStatus: PolicyStatus; endOn: Day | null },
  on: Day,
  today: Day,
): Decision<true, "WRONG_STATUS" | "INVALID"> {
  const status = step(memberLifecycle, member, "reinstate")
  if (isRefusal(status)) return status
  if (!isOpen(member.policyStatus)) return refuse("WRONG_STATUS", "The policy has come to its end")
  if (member.endOn !== null && on <= member.endOn) return wrong(`The membership lasted until ${member.endOn}`)
  if (on > today) return wrong("The date lies in the future")
  return true
}

/** The last day is not before the start of cover, `from`, of those who have any; also of many at once. */
export function mayEnd(from: Day | null, on: Day): Decision<true, "INVALID"> {
  return from !== null && on < from ? wrong(`The date lies before the start of cover, ${from}`) : true
}

/** Ends membership; `on` is the last day and may be to come. */
export function terminateMember(member: Insured, on: Day): Decision<true, "WRONG_STATUS" | "INVALID"> {
  const status = step(memberLifecycle, member, "terminate")
  return isRefusal(status) ? status : mayEnd(member.covers[0]?.from ?? null, on)
}

/** Takes back what is still to come, all of it: cover goes on as it is today. Answers what that is. */
export function withdrawPlans(
  member: Pick<Insured, "covers"> & { endOn: Day | null },
  today: Day,
): Decision<Plan[], "WRONG_STATUS"> {
  const plans = plansOf(member, today)
  return plans.length > 0 ? plans : refuse("WRONG_STATUS", "Nothing is planned for this member")
}

/** Moves to another tier from `on`, that day included. */
export function changeTier(member: Insured, tierId: string, on: Day): Decision<true, "WRONG_STATUS" | "INVALID"> {
  if (member.status !== "Active" && member.status !== "Suspended") {
    return refuse("WRONG_STATUS", `The tier of a member who is ${member.status.toLowerCase()} cannot be changed`)
  }
  const possible = within(member, on)
  if (possible !== true) return possible
  const later = member.covers.filter(({ until }) => until === null || until >= on)
  if (later.every((cover) => cover.tierId === tierId)) return wrong("The member is already in this tier on that date")
  return true
}
