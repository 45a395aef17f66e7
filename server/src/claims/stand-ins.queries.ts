import type { ClaimDuties } from "@milkwood/domain/claims/claim-lifecycle"
import { standInRole } from "@milkwood/domain/claims/stand-in"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Role, RuleActor } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

const stage = "policy_holder"

/**
 * Stand-ins for the policy holder's stage of claim `c` today. Neither person is involved in the claim, and both see its
 * group.
 */
export const activeStandIns = (today: Day): SQL => sql`
  select s.person_id, s.stand_in_id from claim_stand_ins s
  join users person on person.id = s.person_id and person.role = ${stage} and person.disabled_at is null
  join user_groups theirs on theirs.user_id = person.id and theirs.group_id = c.group_id
  join users other on other.id = s.stand_in_id and other.role = ${standInRole[stage]}
    and other.disabled_at is null and other.email_verified
  join user_groups others on others.user_id = other.id and others.group_id = c.group_id
  where s.ended_at is null and ${today}::date between s.from_on and s.until_on
    and not array[s.person_id, s.stand_in_id] && (c.captured_by || c.submitted_by)`

/** The person for whom this actor stands in on claim `c` today, or null. */
export const representedPersonSql = ({ userId, role }: { userId: string; role: Role | null }, today: Day): SQL =>
  role === standInRole[stage]
    ? sql`(select f.person_id from (${activeStandIns(today)}) f where f.stand_in_id = ${userId} limit 1)`
    : sql`null::uuid`

export async function readStandIn(tx: Tx, claimId: string, actor: RuleActor, today: Day): Promise<StandIn> {
  const found = await tx.row<StandIn>(
    sql`select ${representedPersonSql(actor, today)} as "standsInFor" from claims c where c.id = ${claimId}`,
  )
  return found!
}

type StandIn = Pick<ClaimDuties, "standsInFor">

export const standInsOfClaim = (tx: Tx, claimId: string, today: Day) =>
  tx.rows<{ userId: string; name: string }>(sql`
    select f.stand_in_id as "userId", other.name || ' for ' || person.name as name
    from claims c cross join lateral (${activeStandIns(today)}) f
    join users other on other.id = f.stand_in_id join users person on person.id = f.person_id
    where c.id = ${claimId} order by other.name, person.name`)
