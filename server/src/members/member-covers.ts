import type { Day } from "@milkwood/domain/kernel/calendar"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"

type TimedTx = Pick<Cx, "tx" | "now">

export type CoverScope = { memberIds: readonly string[] } | { policyId: string }

/** `member`: the column with the member's id. */
function isMemberInScope(whose: CoverScope, table: string, member: "id" | "member_id"): SQL {
  const at = sql.raw(`${table}.`)
  return "policyId" in whose
    ? sql`${at}policy_id = ${whose.policyId}::uuid`
    : sql`${at}${sql.raw(member)} = any (${sql.param(whose.memberIds)}::uuid[])`
}

/**
 * Opens covers, in the member's tier, for members who have none: on activation, or for joiners of an active policy. A
 * cover starts on the later of the member's and the policy's start dates. A rejoiner starts after their last covered
 * day, so that no day is covered or billed twice.
 */
export async function openCovers({ tx, now }: TimedTx, whose: CoverScope): Promise<void> {
  await tx.run(sql`
    with gone as (
      select old.policy_id, old.id_number, lower(old.passport_number) as passport, upper(c.valid) as free_on
      from members old join member_covers c on c.member_id = old.id and c.superseded_at is null
      where old.status = 'Terminated' and old.policy_id in (select m.policy_id from members m where ${isMemberInScope(whose, "m", "id")})
    )
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, valid, recorded_at)
    select gen_random_uuid(), m.group_id, m.policy_id, m.id, m.tier_id, 'covered',
      daterange(first.day, m.end_on + 1), ${now}::timestamptz
    from members m join policies p on p.id = m.policy_id
    left join (select policy_id, id_number, max(free_on) as free_on from gone group by 1, 2) by_id
      on by_id.policy_id = m.policy_id and by_id.id_number = m.id_number
    left join (select policy_id, passport, max(free_on) as free_on from gone group by 1, 2) by_passport
      on by_passport.policy_id = m.policy_id and by_passport.passport = lower(m.passport_number)
    cross join lateral (select greatest(m.start_on, p.start_on, by_id.free_on, by_passport.free_on) as day) first
    where ${isMemberInScope(whose, "m", "id")} and (m.end_on is null or m.end_on >= first.day)
      and not exists (select from member_covers c where c.member_id = m.id and c.superseded_at is null)`)
}

/**
 * The domain's `changeCovers` in SQL, for many members. Sets the kind or tier from the first covered day on or after
 * `from`, until the next recorded change of the same fact; with "replace", without an end.
 */
export async function changeCovers(
  { tx, now }: TimedTx,
  whose: CoverScope,
  from: Day,
  change: ({ kind: "covered" | "suspended" } | { tierId: string }) & {
    reason?: string | null
    later?: LaterChanges | undefined
  },
): Promise<void> {
  const { reason = null, later = "keep" } = change
  const isKind = "kind" in change
  const [kind, tierId] = isKind ? [change.kind, null] : [null, change.tierId]
  const sets = sql.raw(isKind ? "sets_kind" : "sets_tier")
  const value = isKind ? sql`kind = ${kind}` : sql`tier_id = ${tierId}::uuid`
  await tx.run(sql`
    with live as (
      select c.member_id, c.kind, c.tier_id, c.valid, c.${sets} as sets, min(greatest(lower(c.valid), ${from}::date))
        filter (where not c.valid << daterange(${from}::date, null)) over (partition by c.member_id) as first_on
      from member_covers c where ${isMemberInScope(whose, "c", "member_id")} and c.superseded_at is null
    ), concerned as (
      select member_id, daterange(first_on,
        min(lower(valid)) filter (where ${later === "keep"} and sets and lower(valid) > first_on)) as days
      from live where first_on is not null group by member_id, first_on
      having ${later === "replace"} or not bool_or(valid @> first_on and ${value})
    ), superseded as (
      update member_covers c set superseded_at = ${now} from concerned d
      where c.member_id = d.member_id and c.superseded_at is null and c.valid && d.days
        and (not c.${value} or c.${sets})
      returning c.group_id, c.policy_id, c.member_id, c.tier_id, c.kind, c.reason, c.valid, c.sets_kind, c.sets_tier, d.days
    )
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, reason, valid, recorded_at, sets_kind, sets_tier)
    select gen_random_uuid(), group_id, policy_id, member_id, tier_id, kind, reason,
      valid * daterange(null, lower(days)), ${now}::timestamptz, sets_kind, sets_tier
    from superseded where lower(valid) < lower(days)
    union all
    select gen_random_uuid(), group_id, policy_id, member_id, coalesce(${tierId}::uuid, tier_id), coalesce(${kind}::text, kind),
      coalesce(${reason}::text, reason), shown, ${now}::timestamptz,
      case when ${isKind} then lower(shown) = lower(days) else lower(shown) = lower(valid) and sets_kind end,
      case when ${isKind} then lower(shown) = lower(valid) and sets_tier else lower(shown) = lower(days) end
    from (select *, valid * days as shown from superseded) changed`)
}

/** Makes `lastDay` the last covered day. `extend`: a cover that would end sooner continues to it. */
export async function endCovers(
  { tx, now }: TimedTx,
  whose: CoverScope,
  lastDay: Day,
  options: { extend?: boolean } = {},
): Promise<void> {
  const { extend = false } = options
  await tx.run(sql`
    with last as (
      select distinct on (c.member_id) c.id from member_covers c
      where ${isMemberInScope(whose, "c", "member_id")} and c.superseded_at is null
      order by c.member_id, c.valid desc
    ), superseded as (
      update member_covers c set superseded_at = ${now}
      where ${isMemberInScope(whose, "c", "member_id")} and c.superseded_at is null
        and (not c.valid << daterange(${lastDay}::date + 1, null)
          or (${extend} and c.id in (select id from last) and upper(c.valid) <= ${lastDay}::date))
      returning c.id, group_id, policy_id, member_id, tier_id, kind, reason, valid, sets_kind, sets_tier
    ), redrawn as (
      select s.*, case when ${extend} and s.id in (select id from last) then daterange(lower(s.valid), null) else s.valid end
        * daterange(null, ${lastDay}::date + 1) as shown
      from superseded s
    )
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, reason, valid, recorded_at, sets_kind, sets_tier)
    select gen_random_uuid(), group_id, policy_id, member_id, tier_id, kind, reason, shown, ${now}::timestamptz, sets_kind, sets_tier
    from redrawn where not isempty(shown)`)
}

/**
 * Continues today's or the next cover without an end, and supersedes all later ones. The `order by` makes PostgreSQL
 * supersede every row before it inserts one, otherwise they would overlap.
 */
export async function cancelPlannedCovers(
  { tx, now, today }: TimedTx & Pick<Cx, "today">,
  whose: CoverScope,
): Promise<void> {
  await tx.run(sql`
    with kept as (
      select distinct on (c.member_id) c.id from member_covers c
      where ${isMemberInScope(whose, "c", "member_id")} and c.superseded_at is null and not c.valid << daterange(${today}::date, null)
      order by c.member_id, c.valid
    ), superseded as (
      update member_covers c set superseded_at = ${now}
      where ${isMemberInScope(whose, "c", "member_id")} and c.superseded_at is null
        and (c.id in (select id from kept) or lower(c.valid) > ${today}::date)
      returning c.id, group_id, policy_id, member_id, tier_id, kind, reason, valid, sets_kind, sets_tier
    )
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, reason, valid, recorded_at, sets_kind, sets_tier)
    select gen_random_uuid(), group_id, policy_id, member_id, tier_id, kind, reason, daterange(lower(valid), null),
      ${now}::timestamptz, sets_kind, sets_tier
    from superseded where id in (select id from kept)
    order by lower(valid)`)
}

/** Covers a member again after a gap, in their last covered tier. */
export async function coverRejoinedMember(
  { tx, now }: TimedTx,
  memberId: string,
  from: Day,
  reason: string,
): Promise<void> {
  await tx.run(sql`
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, reason, valid, recorded_at, sets_kind, sets_tier)
    select gen_random_uuid(), m.group_id, m.policy_id, m.id, coalesce(held.tier_id, m.tier_id), 'covered', ${reason},
      daterange(${from}::date, null), ${now}::timestamptz, true, false
    from members m left join lateral (
      select tier_id from member_covers where member_id = m.id and superseded_at is null order by valid desc limit 1
    ) held on true where m.id = ${memberId}`)
}

/** Removes the end of covers that end on `lastDay`. */
export async function reopenCovers({ tx, now }: TimedTx, whose: CoverScope, lastDay: Day): Promise<void> {
  await tx.run(sql`
    with ended as (
      update member_covers c set superseded_at = ${now}
      where ${isMemberInScope(whose, "c", "member_id")} and c.superseded_at is null and upper(c.valid) = ${lastDay}::date + 1
      returning group_id, policy_id, member_id, tier_id, kind, reason, valid, sets_kind, sets_tier
    )
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, reason, valid, recorded_at, sets_kind, sets_tier)
    select gen_random_uuid(), group_id, policy_id, member_id, tier_id, kind, reason, daterange(lower(valid), null),
      ${now}::timestamptz, sets_kind, sets_tier
    from ended`)
}

/**
 * Reverses the cover changes recorded at one instant, except for members whose covers changed later. Returns the ids of
 * restored members.
 */
export async function restoreCovers(
  { tx, now }: TimedTx,
  memberIds: readonly string[],
  recordedAt: string,
): Promise<string[]> {
  const at = sql`${recordedAt}::timestamptz`
  const untouched = await tx.rows<{ id: string }>(sql`
    select m.id from unnest(${sql.param(memberIds)}::uuid[]) as m (id)
    where exists (select from member_covers c where c.member_id = m.id and c.superseded_at = ${at})
      and not exists (select from member_covers c
        where c.member_id = m.id and (c.recorded_at > ${at} or c.superseded_at > ${at}))`)
  const ids = untouched.map(({ id }) => id)
  const theirs = sql`member_id = any (${sql.param(ids)}::uuid[])`
  await tx.run(sql`
    update member_covers set superseded_at = ${now} where ${theirs} and recorded_at = ${at} and superseded_at is null`)
  await tx.run(sql`
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, reason, valid, recorded_at, sets_kind, sets_tier)
    select gen_random_uuid(), group_id, policy_id, member_id, tier_id, kind, reason, valid, ${now}::timestamptz, sets_kind, sets_tier
    from member_covers where ${theirs} and superseded_at = ${at} and recorded_at < ${at}`)
  return ids
}

/**
 * Updates status and tier on members' rows from the dated facts (memberStatusOn in the domain). Returns the number of
 * rows changed. Covers are looked up member by member: without statistics on new rows, PostgreSQL would compare every
 * cover with every member.
 */
export async function refreshMembers({ tx, today }: Pick<Cx, "tx" | "today">, whose: CoverScope): Promise<number> {
  return tx.run(sql`
    update members m set status = fresh.status, tier_id = fresh.tier_id
    from (
      select m.id, coalesce(c.tier_id, held.tier_id, m.tier_id) as tier_id,
        case
          when p.status = 'Draft' then 'Pending'
          when m.end_on <= ${today}::date then 'Terminated'
          when c.kind = 'suspended' then 'Suspended'
          else 'Active'
        end as status
      from members m join policies p on p.id = m.policy_id
      left join lateral (
        select tier_id, kind from member_covers
        where member_id = m.id and superseded_at is null and valid @> ${today}::date limit 1
      ) c on true
      left join lateral (
        select tier_id from member_covers
        where member_id = m.id and superseded_at is null and lower(valid) <= ${today}::date and c.tier_id is null
        order by valid desc limit 1
      ) held on true
      where ${isMemberInScope(whose, "m", "id")}
    ) fresh
    where fresh.id = m.id and (fresh.status, fresh.tier_id) is distinct from (m.status, m.tier_id)`)
}
