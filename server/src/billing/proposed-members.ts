import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { recordChangeFrom } from "@milkwood/domain/kernel/timeline"
import {
  changeCovers,
  createCovers,
  endCovers,
  rejoinCovers,
  withoutFutureChanges,
} from "@milkwood/domain/members/cover-days"
import type { Dependent } from "@milkwood/domain/members/dependents"
import type { Member } from "@milkwood/domain/members/member"
import type { CoverFact, MemberFacts } from "@milkwood/domain/members/member-dated-facts"
import { editMember } from "@milkwood/domain/members/member-edit"
import { completeIdentity } from "@milkwood/domain/members/member-identity"
import { defaultStart } from "@milkwood/domain/members/member-start"
import * as members from "@milkwood/domain/members/member-steps"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import { sql } from "drizzle-orm"
import { readMember, readMembers } from "../members/member-record.ts"
import { memberDetail } from "../members/members.queries.ts"
import { checkPermission } from "../platform/calls/commands.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import {
  groupEqualMembers,
  loadPolicyFacts,
  type Proposed,
  type ProposedChanges,
  type ProposedCx,
  timesRecordedNow,
  unchanged,
} from "./proposed-facts.ts"

type ProposedChangeOf<A extends ProposedChange["act"]> = Extract<ProposedChange, { act: A }>

export async function loadProposedJoiner(
  cx: ProposedCx,
  change: ProposedChangeOf<"addMember">,
): Promise<Proposed | null> {
  const { tx, now, today } = cx
  const { monthlyCents } = change
  if (monthlyCents !== null) checkPermission(cx.actor, "members.salary")
  const policy = await readPolicy(tx, change.policyId)
  if (policy.status === "Draft" || !isOpen(policy.status)) return null
  const { idNumber, passportNumber, tierId, dateOfBirth, dependents } = change
  // A former member's cover starts after the previous one.
  const gone = await tx.row<{ freeOn: Day | null }>(sql`
    select max(upper(c.valid)) as "freeOn" from members old
    join member_covers c on c.member_id = old.id and c.superseded_at is null
    where old.policy_id = ${policy.id} and old.status = 'Terminated'
      and (old.id_number = ${idNumber} or lower(old.passport_number) = lower(${passportNumber}::text))`)
  const from = change.startOn ?? defaultStart(policy, today)
  const cover: CoverFact = { ...timesRecordedNow(now), kind: "covered", tierId, from, until: null }
  const after = {
    covers: createCovers(cover, policy.startOn, gone?.freeOn ?? null),
    births: [{ ...timesRecordedNow(now), bornOn: birthDayOfInput({ idNumber, dateOfBirth }, today) }],
    dependents: dependents.map((one, index) => ({
      ...timesRecordedNow(now),
      dependentId: `${index}`,
      relationship: one.relationship,
      bornOn: birthDayOfInput(one, today),
      from: one.fromOn ?? from,
      until: one.untilOn ?? null,
    })),
    salaries: monthlyCents === null ? [] : [{ ...timesRecordedNow(now), monthlyCents, from, until: null }],
  }
  return {
    policyId: policy.id,
    policy: unchanged(await loadPolicyFacts(cx, policy.id)),
    groups: [{ before: { covers: [] }, after, members: 1, memberIds: [] }],
  }
}

function birthDayOfInput(typed: { idNumber: string | null; dateOfBirth: Day | null }, today: Day): Day | null {
  const settled = completeIdentity({ ...typed, passportNumber: null, gender: null }, today, false)
  return isRefusal(settled) ? typed.dateOfBirth : settled.dateOfBirth
}

export type MembersChange = ProposedChangeOf<
  "terminateMember" | "suspendMember" | "reinstateMember" | "changeTier" | "withdrawPlans"
>

/** Members by policy; refused members are counted only. */
export async function loadProposedMembers(cx: ProposedCx, change: MembersChange): Promise<ProposedChanges> {
  const { tx, now, today } = cx
  const all = await readMembers(tx, change.memberIds)
  const changed = all.filter((member) => !isRefusal(decideMemberChange(member, change, today)))
  const byId = new Map(changed.map((member) => [member.id, member]))
  const policies: Proposed[] = []
  for (const [policyId, those] of Map.groupBy(changed, (member) => member.policyId))
    policies.push({
      policyId,
      policy: unchanged(await loadPolicyFacts(cx, policyId)),
      groups: await groupEqualMembers(
        cx,
        policyId,
        (facts, id) => ({ ...facts, covers: coversAfter(facts.covers, byId.get(id)!, change, now, today) }),
        {
          only: those.map(({ id }) => id),
          // A reinstated member gets the previous tier.
          apart: (id) => `${byId.get(id)!.status} ${byId.get(id)!.tierId}`,
        },
      ),
    })
  return { policies, refused: all.length - changed.length }
}

export async function loadProposedFamily(
  cx: ProposedCx,
  change: ProposedChangeOf<"changeDependents">,
): Promise<Proposed | null> {
  const member = await readMember(cx.tx, change.memberId)
  const { dependents } = await memberDetail(cx, member.id)
  const edited = editMember(member, dependents, { dependents: change.dependents }, cx.today)
  if (isRefusal(edited)) return null
  const { added, changed, removed } = edited.dependents
  const others = new Set([...changed, ...removed].map(({ id }) => id))
  const made = [...changed, ...added.map((one, at) => ({ ...one, id: `${at}` }))].map((one: Dependent) => ({
    ...timesRecordedNow(cx.now),
    dependentId: one.id,
    relationship: one.relationship,
    bornOn: one.dateOfBirth,
    from: one.fromOn,
    until: one.untilOn,
  }))
  return proposeForMember(cx, member, (facts) => ({
    ...facts,
    dependents: [...(facts.dependents ?? []).filter(({ dependentId }) => !others.has(dependentId)), ...made],
  }))
}

export async function loadProposedSalary(
  cx: ProposedCx,
  change: ProposedChangeOf<"setSalary">,
): Promise<Proposed | null> {
  checkPermission(cx.actor, "members.salary")
  const { on, monthlyCents, laterChanges } = change
  const member = await readMember(cx.tx, change.memberId)
  if (isRefusal(members.setSalary(member, on))) return null
  const made = monthlyCents === null ? null : { ...timesRecordedNow(cx.now), monthlyCents }
  return proposeForMember(cx, member, (facts) => ({
    ...facts,
    salaries: recordChangeFrom(facts.salaries ?? [], on, made, laterChanges),
  }))
}

async function proposeForMember(
  cx: ProposedCx,
  { id, policyId, policyStatus }: Member,
  after: (facts: MemberFacts) => MemberFacts,
): Promise<Proposed | null> {
  if (policyStatus === "Draft") return null
  return {
    policyId,
    policy: unchanged(await loadPolicyFacts(cx, policyId)),
    groups: await groupEqualMembers(cx, policyId, after, { only: [id] }),
  }
}

function decideMemberChange(member: Member, change: MembersChange, today: Day) {
  switch (change.act) {
    case "terminateMember":
      return members.terminateMember(member, change.on, "")
    case "suspendMember":
      return members.suspendMember(member, change.on, "", change.laterChanges)
    case "reinstateMember":
      return member.status === "Terminated"
        ? members.rejoinMember(member, change.on, "", today)
        : members.reinstateMember(member, change.on, "", change.laterChanges)
    case "changeTier":
      return members.changeTier(member, { id: change.tierId, name: "" }, change.on, { later: change.laterChanges })
    case "withdrawPlans":
      return members.withdrawPlans(member, "", today)
  }
}

function coversAfter(
  covers: readonly CoverFact[],
  member: Member,
  change: MembersChange,
  now: Temporal.Instant,
  today: Day,
): CoverFact[] {
  switch (change.act) {
    case "terminateMember":
      return endCovers(covers, change.on, true)
    case "suspendMember":
      return changeCovers(covers, change.on, { kind: "suspended" }, change.laterChanges)
    case "reinstateMember": {
      const again = {
        ...timesRecordedNow(now),
        kind: "covered" as const,
        tierId: member.tierId,
        from: change.on,
        until: null,
      }
      return member.status === "Terminated"
        ? rejoinCovers(covers, again)
        : changeCovers(covers, change.on, { kind: "covered" }, change.laterChanges)
    }
    case "changeTier":
      return changeCovers(covers, change.on, { tierId: change.tierId }, change.laterChanges)
    case "withdrawPlans":
      return withoutFutureChanges(covers, today)
  }
}
