import type { Day } from "../kernel/calendar.ts"
import { applyTransition } from "../kernel/lifecycle.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import { isReaching } from "../kernel/stretches.ts"
import type { LaterChanges } from "../kernel/timeline.ts"
import { isOpen } from "../policies/policy-lifecycle.ts"
import type { Member } from "./member.ts"
import { type Cover, checkLastDay, futureChangesOf } from "./member-cover.ts"
import {
  type MemberFact,
  memberFactHead,
  memberFactOnPolicy,
  policyRecordOf,
  replacesLaterFlag,
} from "./member-facts.ts"
import { memberLifecycle } from "./member-lifecycle.ts"

/**
 * The member after a command, with its facts. Dated facts are in `covers`; the member row copies today's values and is
 * updated after them.
 */
export interface MemberChange {
  value: Member
  facts: MemberFact[]
}

type MemberDecision<More extends string = never> = Decision<MemberChange, "WRONG_STATUS" | More>

export function applyMemberChange(member: Member, changes: Partial<Member>, ...facts: MemberFact[]): MemberChange {
  return { value: { ...member, ...changes, version: member.version + 1 }, facts }
}

const refuseDay = (message: string) => refuse("INVALID", message, { fields: [{ path: "on", message }] })

const coverOn = ({ covers }: Member, on: Day): Cover | undefined =>
  covers.find(({ from, until }) => from <= on && (until === null || on <= until))

/** The first day of a change must be a covered day. */
function checkDayInCover(member: Member, on: Day, kind?: Cover["kind"]): Decision<true, "INVALID"> {
  const first = member.covers[0]
  const last = member.covers.at(-1)
  if (!first || !last) return refuseDay("The member has no cover")
  if (on < first.from) return refuseDay(`The date is before the start of cover, ${first.from}`)
  if (last.until !== null && on > last.until) return refuseDay(`The date is after the last day of cover, ${last.until}`)
  const there = coverOn(member, on)
  if (!there) return refuseDay("The member has no cover on that date")
  if (kind && there.kind !== kind) {
    return refuseDay(
      kind === "covered" ? "The member is already suspended on that date" : "The member is not suspended on that date",
    )
  }
  return true
}

/**
 * A suspended member may get an earlier suspension. An active member may have an earlier or later suspension shortened.
 * Every other status is refused.
 */
function checkKindChange(member: Member, action: "suspend" | "reinstate"): Decision<true, "WRONG_STATUS"> {
  if (member.status === "Active" || member.status === "Suspended") return true
  const status = applyTransition(memberLifecycle, member, action)
  return isRefusal(status) ? status : true
}

/** Suspends from `on` (inclusive) until the next recorded change; incidents on those days are not covered. */
export function suspendMember(
  member: Member,
  on: Day,
  reason: string,
  later?: LaterChanges,
): MemberDecision<"INVALID"> {
  const status = checkKindChange(member, "suspend")
  if (isRefusal(status)) return status
  const possible = checkDayInCover(member, on, "covered")
  if (isRefusal(possible)) return possible
  return applyMemberChange(
    member,
    {},
    { type: "MemberSuspended", ...memberFactHead(member), on, reason, ...replacesLaterFlag(later) },
  )
}

/** Covers again from `on` (inclusive) until the next recorded change. */
export function reinstateMember(
  member: Member,
  on: Day,
  reason: string,
  later?: LaterChanges,
): MemberDecision<"INVALID"> {
  const status = checkKindChange(member, "reinstate")
  if (isRefusal(status)) return status
  const possible = checkDayInCover(member, on, "suspended")
  if (isRefusal(possible)) return possible
  return applyMemberChange(
    member,
    {},
    { type: "MemberReinstated", ...memberFactHead(member), on, reason, ...replacesLaterFlag(later) },
  )
}

/**
 * Covers a former member again from `on` (inclusive), after their last day. A future `on` is refused: a member is never
 * active before cover starts.
 */
export function rejoinMember(member: Member, on: Day, reason: string, today: Day): MemberDecision<"INVALID"> {
  const status = applyTransition(memberLifecycle, member, "reinstate")
  if (isRefusal(status)) return status
  if (!isOpen(member.policyStatus)) return refuse("WRONG_STATUS", "The policy has ended")
  if (member.endOn !== null && on <= member.endOn)
    return refuseDay(`Choose a day after the last day of membership, ${member.endOn}`)
  if (on > today) return refuseDay("The date cannot be in the future")
  return applyMemberChange(
    member,
    { endOn: null, status, statusReason: null },
    { type: "MemberReinstated", ...memberFactHead(member), on, reason },
    { type: "MembersAdded", ...memberFactOnPolicy(policyRecordOf(member), [member]) },
  )
}

/** `on` is the last day of cover and may be in the future. */
export function terminateMember(member: Member, on: Day, reason: string): MemberDecision<"INVALID"> {
  const status = applyTransition(memberLifecycle, member, "terminate")
  if (isRefusal(status)) return status
  const possible = checkLastDay(member.covers[0]?.from ?? null, on)
  return isRefusal(possible) ? possible : applyTermination(member, on, reason)
}

/** Ends membership on the day of death; an earlier end is unchanged. */
export function terminateOnDeath(member: Member, on: Day, reason: string): MemberChange {
  const over = member.endOn !== null && member.endOn <= on
  return over ? { value: member, facts: [] } : applyTermination(member, on, reason)
}

function applyTermination(member: Member, on: Day, reason: string): MemberChange {
  return applyMemberChange(
    member,
    { endOn: on, statusReason: reason },
    { type: "MemberTerminated", ...memberFactHead(member), on, reason },
    { type: "MembersRemoved", ...memberFactOnPolicy(policyRecordOf(member), [member]) },
  )
}

/** Withdraws all future changes: cover continues as it is today. */
export function withdrawPlans(member: Member, reason: string, today: Day): MemberDecision {
  const plans = futureChangesOf(member, today)
  if (plans.length === 0) return refuse("WRONG_STATUS", "This member has no planned changes")
  return applyMemberChange(
    member,
    { endOn: null, statusReason: null },
    { type: "MemberPlansWithdrawn", ...memberFactHead(member), plans, reason },
  )
}

/** Sets a salary from a day; the amount is not in the trail. */
export function setSalary(member: Member, on: Day, later?: LaterChanges): MemberDecision {
  if (member.status === "Terminated") {
    return refuse("WRONG_STATUS", "The record of a terminated member cannot be changed.")
  }
  return applyMemberChange(
    member,
    {},
    { type: "MemberSalarySet", ...memberFactHead(member), on, ...replacesLaterFlag(later) },
  )
}

/** Changes the tier from `on` (inclusive) until the next recorded change, which `later` may replace. */
export function changeTier(
  member: Member,
  tier: { id: string; name: string },
  on: Day,
  { reason, later = "keep" }: { reason?: string | undefined; later?: LaterChanges | undefined } = {},
): MemberDecision<"INVALID"> {
  if (member.status !== "Active" && member.status !== "Suspended") {
    return refuse("WRONG_STATUS", `The tier of a ${member.status.toLowerCase()} member cannot be changed`)
  }
  const possible = checkDayInCover(member, on)
  if (isRefusal(possible)) return possible
  const concerned = later === "keep" ? [coverOn(member, on)!] : member.covers.filter((cover) => isReaching(cover, on))
  if (concerned.every(({ tierId }) => tierId === tier.id))
    return refuseDay("The member is already in this tier on that date")
  return applyMemberChange(
    member,
    {},
    {
      type: "MemberTierChanged",
      ...memberFactHead(member),
      on,
      ...(reason ? { reason } : {}),
      ...replacesLaterFlag(later),
      before: { tierName: coverOn(member, on)?.tierName ?? member.tierName },
      after: { tierName: tier.name },
    },
  )
}

/** Removes a pending member: nothing was insured or owed, so only the trail is kept. */
export function removeMember(member: Member): Decision<{ value: null; facts: MemberFact[] }, "WRONG_STATUS"> {
  if (member.status !== "Pending") {
    return refuse("WRONG_STATUS", "You can remove members of a draft policy only. Terminate this member instead.")
  }
  return {
    value: null,
    facts: [
      { type: "MemberRemoved", ...memberFactHead(member) },
      { type: "MembersRemoved", ...memberFactOnPolicy(policyRecordOf(member), [member]) },
    ],
  }
}
