import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { recordChangeFrom } from "@milkwood/domain/kernel/timeline"
import { changeCovers, endCovers } from "@milkwood/domain/members/cover-days"
import { importList } from "@milkwood/domain/staff-lists/staff-list-steps"
import { sql } from "drizzle-orm"
import { checkPermission } from "../platform/calls/commands.ts"
import { readRecord } from "../platform/database/record.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { findLeaverWithLatestStart } from "../staff-lists/import-staff-list.ts"
import { staffLists } from "../staff-lists/staff-lists.tables.ts"
import {
  groupEqualMembers,
  loadPolicyFacts,
  type Proposed,
  type ProposedCx,
  type ProposedGroup,
  timesRecordedNow,
  unchanged,
} from "./proposed-facts.ts"

export async function loadProposedImport(
  cx: ProposedCx,
  change: Extract<ProposedChange, { act: "importStaffList" }>,
): Promise<Proposed | null> {
  const { tx, today, actor } = cx
  checkPermission(actor, "members.import")
  const list = await readRecord(tx, staffLists, change.importId, "This import does not exist.")
  const policy = await readPolicy(tx, list.policyId)
  const choices = { ...change, changesOn: change.changesOn ?? today }
  const latestStarter = choices.leaversOn ? await findLeaverWithLatestStart(cx, list) : null
  const imported = importList({ ...list, policyNumber: policy.number }, choices, {
    policyStatus: policy.status,
    latestStarter,
  })
  if (policy.status === "Draft" || isRefusal(imported)) return null
  const { leaversOn } = choices
  const facts = await loadPolicyFacts(cx, policy.id)
  const isRated = facts.premiums.some(({ rates }) => rates)
  return {
    policyId: policy.id,
    policy: unchanged(facts),
    groups: [
      ...(await loadJoiners(cx, list.id, isRated)),
      ...(choices.applyChanges ? await loadChangedMembers(cx, list, choices.changesOn, isRated) : []),
      ...(leaversOn
        ? await groupEqualMembers(
            cx,
            policy.id,
            ({ covers, ...others }) => ({ ...others, covers: endCovers(covers, leaversOn) }),
            { only: await loadListRows(cx, list.id, "leaver") },
          )
        : []),
    ],
  }
}

/**
 * Groups joiners by start day, tier and, if rated, birth date and salary. `openCovers` gives the first day of cover.
 */
async function loadJoiners({ tx, now }: ProposedCx, listId: string, isRated: boolean): Promise<ProposedGroup[]> {
  interface JoinerGroups {
    tierId: string
    from: Day
    startOn: Day
    bornOn: Day | null
    monthlyCents: Cents | null
    members: number
  }
  const rows = await tx.rows<JoinerGroups>(sql`
    select coalesce(r.tier_id, l.default_tier_id) as "tierId", count(*)::integer as members,
      case when ${isRated} then r.date_of_birth end as "bornOn",
      case when ${isRated} then r.salary_cents end as "monthlyCents",
      coalesce(r.start_on, l.default_start_on) as "startOn",
      greatest(coalesce(r.start_on, l.default_start_on), p.start_on, by_id.free_on, by_passport.free_on) as from
    from staff_lists l
    join policies p on p.id = l.policy_id
    join staff_list_rows r on r.staff_list_id = l.id and r.outcome = 'joiner'
    left join (${formerMembersBy("old.id_number")}) by_id on by_id.policy_id = l.policy_id and by_id.identity = r.id_number
    left join (${formerMembersBy("lower(old.passport_number)")}) by_passport
      on by_passport.policy_id = l.policy_id and by_passport.identity = lower(r.passport_number)
    where l.id = ${listId} group by 1, 3, 4, 5, 6`)
  return rows.map(({ tierId, from, startOn, bornOn, monthlyCents, members }) => ({
    before: { covers: [] },
    after: {
      covers: [{ ...timesRecordedNow(now), kind: "covered" as const, tierId, from, until: null }],
      births: [{ ...timesRecordedNow(now), bornOn }],
      salaries: monthlyCents === null ? [] : [{ ...timesRecordedNow(now), monthlyCents, from: startOn, until: null }],
    },
    members,
    memberIds: [],
  }))

  function formerMembersBy(identity: string) {
    return sql`
      select old.policy_id, ${sql.raw(identity)} as identity, max(upper(c.valid)) as free_on
      from members old join member_covers c on c.member_id = old.id and c.superseded_at is null
      where old.status = 'Terminated' and old.policy_id = (select policy_id from staff_lists where id = ${listId})
      group by 1, 2`
  }
}

async function loadChangedMembers(
  cx: ProposedCx,
  list: { id: string; policyId: string },
  from: Day,
  isRated: boolean,
): Promise<ProposedGroup[]> {
  const rows = await cx.tx.rows<{ memberId: string; tierId: string | null; monthlyCents: Cents | null }>(sql`
    select m.id as "memberId", case when r.before ? '_tierId' then r.tier_id end as "tierId",
      case when ${isRated} and r.before ? '_salary' then r.salary_cents end as "monthlyCents"
    from staff_list_rows r join members m on m.id = r.member_id and m.version = r.member_version
    where r.staff_list_id = ${list.id} and r.outcome = 'change' and m.status <> 'Terminated'
      and (r.before ? '_tierId' or ${isRated} and r.before ? '_salary')`)
  const byId = new Map(rows.map((row) => [row.memberId, row]))
  return groupEqualMembers(
    cx,
    list.policyId,
    (facts, id) => {
      const { tierId, monthlyCents } = byId.get(id)!
      const made = monthlyCents === null ? null : { ...timesRecordedNow(cx.now), monthlyCents }
      return {
        ...facts,
        ...(tierId !== null && { covers: changeCovers(facts.covers, from, { tierId }) }),
        ...(made && { salaries: recordChangeFrom(facts.salaries ?? [], from, made) }),
      }
    },
    { only: [...byId.keys()], apart: (id) => `${byId.get(id)!.tierId} ${byId.get(id)!.monthlyCents}` },
  )
}

/** Excludes members changed since the list was checked. */
async function loadListRows({ tx }: ProposedCx, listId: string, outcome: "leaver"): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select m.id from staff_list_rows r join members m on m.id = r.member_id and m.version = r.member_version
    where r.staff_list_id = ${listId} and r.outcome = ${outcome} and m.status <> 'Terminated' and m.end_on is null`)
  return rows.map(({ id }) => id)
}
