import { randomUUID } from "node:crypto"
import { addDays } from "@milkwood/domain/kernel/calendar"
import type { Fact } from "@milkwood/domain/premiums/premium-facts"
import { sql } from "drizzle-orm"
import { type History, historyStart, tiers } from "../../../domain/test/premium-histories.ts"
import type { Tx } from "../platform/database/database.ts"

const range = ({ from, until }: Fact) => `[${from},${until === null ? "" : addDays(until, 1)})`

/** Writes a history into the database as the owner, row by row as it was recorded; a policy and group of its own. */
export async function store(owner: Tx, history: History): Promise<{ policyId: string; memberIds: string[] }> {
  const [groupId, policyId, productTypeId] = [randomUUID(), randomUUID(), randomUUID()]
  const memberIds = history.members.map(() => randomUUID())
  const at = history.instants[0]!
  const dated = <F extends Fact>(facts: readonly F[]) =>
    JSON.stringify(facts.map((fact) => ({ ...fact, valid: range(fact) })))
  const known = sql.raw(`"recordedAt" timestamptz, "supersededAt" timestamptz`)
  await owner.run(sql`
    insert into employer_groups (id, name, created_at) values (${groupId}, ${`Employer ${groupId}`}, ${at})`)
  await owner.run(sql`
    insert into product_types (id, name, created_at) values (${productTypeId}, ${`Product ${productTypeId}`}, ${at})`)
  await owner.run(sql`
    insert into product_type_vat_rates (product_type_id, from_on, percent, class, recorded_at, superseded_at)
    select ${productTypeId}::uuid, "from", percent, class, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${JSON.stringify(history.policy.vat)}::jsonb)
      as ("from" date, percent numeric, class text, ${known})`)
  await owner.run(sql`
    insert into policies (id, group_id, number, status, product_type_id, premium_cents, start_on, created_at, updated_at)
    values (${policyId}, ${groupId}, ${`GP-${policyId}`}, 'Active', ${productTypeId}, 35000, ${historyStart}, ${at}, ${at})`)
  await owner.run(sql`
    insert into policy_periods (id, group_id, policy_id, kind, valid, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, ${policyId}::uuid, kind, valid, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${dated(history.policy.periods)}::jsonb) as (kind text, valid daterange, ${known})`)
  await owner.run(sql`
    insert into policy_premiums (id, group_id, policy_id, premium_cents, valid, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, ${policyId}::uuid, "premiumCents", valid, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${dated(history.policy.premiums)}::jsonb) as ("premiumCents" bigint, valid daterange, ${known})`)
  await owner.run(sql`
    insert into policy_end_rules (id, group_id, policy_id, rule, valid, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, ${policyId}::uuid, rule, valid, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${dated(history.policy.endRules)}::jsonb) as (rule text, valid daterange, ${known})`)
  await owner.run(sql`
    insert into policy_billed_from (id, group_id, policy_id, month, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, ${policyId}::uuid, month, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${JSON.stringify(history.policy.billedFrom)}::jsonb) as (month date, ${known})`)
  await owner.run(sql`
    insert into members (id, group_id, policy_id, number, first_name, last_name, tier_id, status, start_on, created_at, updated_at)
    select id, ${groupId}::uuid, ${policyId}::uuid, 'M-' || id, 'Member', 'Number ' || place,
      (select id from benefit_tiers where position = 1), 'Active', ${historyStart}::date, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${sql.param(memberIds)}::uuid[]) with ordinality as one (id, place)`)
  const covers = history.members.flatMap(({ covers }, place) =>
    covers.map((cover) => ({
      ...cover,
      valid: range(cover),
      memberId: memberIds[place],
      position: tiers.indexOf(cover.tierId) + 1,
    })),
  )
  await owner.run(sql`
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, valid, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, ${policyId}::uuid, "memberId", t.id, kind, valid, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${JSON.stringify(covers)}::jsonb)
      as ("memberId" uuid, position integer, kind text, valid daterange, ${known})
    join benefit_tiers t using (position)`)
  return { policyId, memberIds }
}
