import type { Day } from "../kernel/calendar.ts"
import { step } from "../kernel/lifecycle.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import { reaches } from "../kernel/stretches.ts"
import type { LaterChanges } from "../kernel/timeline.ts"
import { isOpen } from "../policies/policy-lifecycle.ts"
import type { Member } from "./member.ts"
import { type Cover, mayEnd, plansOf } from "./member-cover.ts"
import { type MemberFact, newsOf, newsOnPolicy, policyOf, replacing } from "./member-facts.ts"
import { memberLifecycle } from "./member-lifecycle.ts"

/**
 * A member after a rule, and the news about it. What is dated (suspensions, tiers) stands in the member's covers; of it
 * the member's own row keeps copies of today, which are rewritten once the covers are.
 */
export interface MemberChange {
  value: Member
  facts: MemberFact[]
}

type Change<More extends string = never> = Decision<MemberChange, "WRONG_STATUS" | More>

/** The member with these changes and the next version. */
export function changed(member: Member, changes: Partial<Member>, ...facts: MemberFact[]): MemberChange {
  return { value: { ...member, ...changes, version: member.version + 1 }, facts }
}

const wrong = (message: string) => refuse("INVALID", message, { fields: [{ path: "on", message }] })

const coverOn = ({ covers }: Member, on: Day): Cover | undefined =>
  covers.find(({ from, until }) => from <= on && (until === null || on <= until))

/** The day from which a suspension, a reinstatement or another tier counts must be a day with cover. */
function within(member: Member, on: Day, kind?: Cover["kind"]): Decision<true, "INVALID"> {
  const first = member.covers[0]
  const last = member.covers.at(-1)
  if (!first || !last) return wrong("The member has no cover")
  if (on < first.from) return wrong(`The date lies before the start of cover, ${first.from}`)
  if (last.until !== null && on > last.until) return wrong(`The date lies after the last day of cover, ${last.until}`)
  const there = coverOn(member, on)
  if (!there) return wrong("The member has no cover on that date")
  if (kind && there.kind !== kind) {
    return wrong(
      kind === "covered" ? "The member is already suspended on that date" : "The member is not suspended on that date",
    )
  }
  return true
}

/**
 * Suspensions are dated: a member who is suspended today may have another suspension recorded for earlier days, and a
 * member who is active today may have an earlier or later suspension shortened. Refuses every other status.
 */
function mayChangeKind(member: Member, action: "suspend" | "reinstate"): Decision<true, "WRONG_STATUS"> {
  if (member.status === "Active" || member.status === "Suspended") return true
  const status = step(memberLifecycle, member, action)
  return isRefusal(status) ? status : true
}

/** Suspends from `on`, that day included, until the next recorded change: an incident on those days is not covered. */
export function suspendMember(member: Member, on: Day, reason: string, later?: LaterChanges): Change<"INVALID"> {
  const status = mayChangeKind(member, "suspend")
  if (isRefusal(status)) return status
  const possible = within(member, on, "covered")
  if (isRefusal(possible)) return possible
  return changed(member, {}, { type: "MemberSuspended", ...newsOf(member), on, reason, ...replacing(later) })
}

/** Covers again from `on`, that day included, until the next recorded change. */
export function reinstateMember(member: Member, on: Day, reason: string, later?: LaterChanges): Change<"INVALID"> {
  const status = mayChangeKind(member, "reinstate")
  if (isRefusal(status)) return status
  const possible = within(member, on, "suspended")
  if (isRefusal(possible)) return possible
  return changed(member, {}, { type: "MemberReinstated", ...newsOf(member), on, reason, ...replacing(later) })
}

/**
 * Covers somebody whose membership ended again from `on`, that day included: after their last day, and not to come,
 * since nobody is listed as active before their cover.
 */
export function rejoinMember(member: Member, on: Day, reason: string, today: Day): Change<"INVALID"> {
  const status = step(memberLifecycle, member, "reinstate")
  if (isRefusal(status)) return status
  if (!isOpen(member.policyStatus)) return refuse("WRONG_STATUS", "The policy has come to its end")
  if (member.endOn !== null && on <= member.endOn) return wrong(`The membership lasted until ${member.endOn}`)
  if (on > today) return wrong("The date lies in the future")
  return changed(
    member,
    { endOn: null, status, statusReason: null },
    { type: "MemberReinstated", ...newsOf(member), on, reason },
    { type: "MembersAdded", ...newsOnPolicy(policyOf(member), [member]) },
  )
}

/** Ends membership; `on` is the last day and may be to come. */
export function terminateMember(member: Member, on: Day, reason: string): Change<"INVALID"> {
  const status = step(memberLifecycle, member, "terminate")
  if (isRefusal(status)) return status
  const possible = mayEnd(member.covers[0]?.from ?? null, on)
  return isRefusal(possible) ? possible : ended(member, on, reason)
}

/** Ends membership with the day of death; whose membership had ended by then stays as they are. */
export function endWithDeath(member: Member, on: Day, reason: string): MemberChange {
  const over = member.endOn !== null && member.endOn <= on
  return over ? { value: member, facts: [] } : ended(member, on, reason)
}

function ended(member: Member, on: Day, reason: string): MemberChange {
  return changed(
    member,
    { endOn: on, statusReason: reason },
    { type: "MemberTerminated", ...newsOf(member), on, reason },
    { type: "MembersRemoved", ...newsOnPolicy(policyOf(member), [member]) },
  )
}

/** Takes back what is still to come, all of it: cover goes on as it is today. */
export function withdrawPlans(member: Member, reason: string, today: Day): Change {
  const plans = plansOf(member, today)
  if (plans.length === 0) return refuse("WRONG_STATUS", "Nothing is planned for this member")
  return changed(
    member,
    { endOn: null, statusReason: null },
    { type: "MemberPlansWithdrawn", ...newsOf(member), plans, reason },
  )
}

/** Sets what a member earns from a day on; the amount is kept out of the trail. */
export function setSalary(member: Member, on: Day, later?: LaterChanges): Change {
  if (member.status === "Terminated") {
    return refuse("WRONG_STATUS", "The record of a terminated member is kept as it is.")
  }
  return changed(member, {}, { type: "MemberSalarySet", ...newsOf(member), on, ...replacing(later) })
}

/** Moves to another tier from `on`, that day included, until the next recorded change of tier; `later` may replace those. */
export function changeTier(
  member: Member,
  tier: { id: string; name: string },
  on: Day,
  { reason, later = "keep" }: { reason?: string | undefined; later?: LaterChanges | undefined } = {},
): Change<"INVALID"> {
  if (member.status !== "Active" && member.status !== "Suspended") {
    return refuse("WRONG_STATUS", `The tier of a member who is ${member.status.toLowerCase()} cannot be changed`)
  }
  const possible = within(member, on)
  if (isRefusal(possible)) return possible
  const concerned = later === "keep" ? [coverOn(member, on)!] : member.covers.filter((cover) => reaches(cover, on))
  if (concerned.every(({ tierId }) => tierId === tier.id))
    return wrong("The member is already in this tier on that date")
  return changed(
    member,
    {},
    {
      type: "MemberTierChanged",
      ...newsOf(member),
      on,
      ...(reason ? { reason } : {}),
      ...replacing(later),
      before: { tierName: coverOn(member, on)?.tierName ?? member.tierName },
      after: { tierName: tier.name },
    },
  )
}

/** Takes a pending member out of a draft: nothing was insured or owed yet, so nothing is kept but the trail. */
export function removeMember(member: Member): Decision<{ value: null; facts: MemberFact[] }, "WRONG_STATUS"> {
  if (member.status !== "Pending") {
    return refuse("WRONG_STATUS", "Only members of a draft policy are removed; others are terminated.")
  }
  return {
    value: null,
    facts: [
      { type: "MemberRemoved", ...newsOf(member) },
      { type: "MembersRemoved", ...newsOnPolicy(policyOf(member), [member]) },
    ],
  }
}
