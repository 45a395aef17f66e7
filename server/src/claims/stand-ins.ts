import { randomUUID } from "node:crypto"
import type { StandIn } from "@milkwood/domain/claims/claim-shape"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import {
  canNameStandInFor,
  nameStandIn as name,
  type StandInPerson,
  standInRole,
} from "@milkwood/domain/claims/stand-in"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor, seesAllGroups, seesGroupSql } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse, query, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { record } from "../platform/trail/facts.ts"
import { claimStandIns } from "./claims.tables.ts"

export const listStandIns = query(claimsContract.standIns, ({ tx, actor, today }) =>
  loadStandIns({ tx, actor }, sql`s.until_on >= ${today}::date`),
)

export const listStandInChoices = query(claimsContract.standInChoices, async (cx) => {
  const { userId, role } = ruleActor(cx.actor)
  return cx.tx.rows<{ userId: string; name: string; standIns: { userId: string; name: string }[] }>(sql`
    select u.id as "userId", u.name, (
      select coalesce(jsonb_agg(jsonb_build_object('userId', o.id, 'name', o.name) order by o.name, o.id), '[]')
      from users o where o.role = ${standInRole.policy_holder} and o.disabled_at is null and o.email_verified
        and exists (select from user_groups a join user_groups b on b.group_id = a.group_id
          where a.user_id = o.id and b.user_id = u.id)) as "standIns"
    from users u
    where u.role = 'policy_holder' and u.disabled_at is null and u.email_verified
      and ${role === "admin" ? sql`true` : sql`u.id = ${userId}`}
    order by u.name, u.id`)
})

export const nameStandIn = command(claimsContract.nameStandIn, async (cx) => {
  expectProof(cx)
  const { personId, standInId, fromOn, untilOn } = cx.input
  const [person, standIn] = [await accountOf(cx, personId), await accountOf(cx, standInId)]
  const actor = ruleActor(cx.actor)
  const fact = orRefuse(name(person, standIn, { fromOn, untilOn }, actor, cx.today))
  const id = randomUUID()
  const made = await cx.tx
    .insert(claimStandIns)
    .values({ id, personId, standInId, fromOn, untilOn, namedBy: actor.userId, createdAt: cx.now })
    .onConflictDoNothing()
    .returning({ id: claimStandIns.id })
  if (made.length === 0) throw refused("STANDS_IN_ALREADY")
  await record(cx, [fact])
  const [named] = await loadStandIns(cx, sql`s.id = ${id}`)
  return named!
})

export const endStandIn = command(claimsContract.endStandIn, async (cx) => {
  const [found] = await loadStandIns(cx, sql`s.id = ${cx.input.id}`)
  if (!found) throw refused("NOT_FOUND")
  if (!found.mayEnd) throw refused("FORBIDDEN", "You can end only your own stand-ins.")
  const { person, standIn, fromOn, untilOn } = found
  const ended = await cx.tx.run(sql`
    update claim_stand_ins set ended_at = ${cx.now} where id = ${found.id} and ended_at is null`)
  if (ended === 0) throw refused("NOT_FOUND")
  const about = { kind: "user" as const, id: person.userId, label: person.name }
  await record(cx, [{ type: "StandInEnded", record: about, groupId: null, standIn: standIn.name, fromOn, untilOn }])
  return { ended: true as const }
})

/** NOT_FOUND when the actor may not see the account. */
async function accountOf({ tx, actor }: Cx, userId: string): Promise<StandInPerson> {
  const found = await tx.row<StandInPerson>(sql`
    select u.id as "userId", u.name, u.role,
      array(select g.group_id from user_groups g where g.user_id = u.id and ${seesGroupSql(actor, sql`g.group_id`)}) as "groupIds"
    from users u where u.id = ${userId} and u.disabled_at is null and u.email_verified`)
  const isKnown =
    found && (seesAllGroups(actor) || found.userId === ruleActor(actor).userId || found.groupIds.length > 0)
  if (!isKnown) throw refused("NOT_FOUND", "This account does not exist.")
  return found
}

async function loadStandIns({ tx, actor }: Pick<Cx, "tx" | "actor">, which: SQL): Promise<StandIn[]> {
  const rows = await tx.rows<Omit<StandIn, "mayEnd">>(sql`
    select s.id, jsonb_build_object('userId', p.id, 'name', p.name) as person,
      jsonb_build_object('userId', o.id, 'name', o.name) as "standIn",
      s.from_on as "fromOn", s.until_on as "untilOn", coalesce(n.name, '') as "namedBy"
    from claim_stand_ins s join users p on p.id = s.person_id join users o on o.id = s.stand_in_id
    left join users n on n.id = s.named_by
    where s.ended_at is null and ${which}
      and (${seesAllGroups(actor)} or exists (
        select from user_groups g where g.user_id = s.person_id and ${seesGroupSql(actor, sql`g.group_id`)}))
    order by s.from_on, p.name, s.id limit 500`)
  return rows.map((row) => ({ ...row, mayEnd: canNameStandInFor(row.person.userId, ruleActor(actor)) }))
}
