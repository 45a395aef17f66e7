import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { type SQL, sql } from "drizzle-orm"
import type { PgTable } from "drizzle-orm/pg-core"
import { memberNotes } from "../members/members.tables.ts"
import { type Actor, actorUserId } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { claimNotes } from "./claims.tables.ts"

const openFollowUps = (table: PgTable, actor: Actor): SQL => sql`
  from ${table} n where n.written_by = ${actorUserId(actor)}
    and n.follow_up_on is not null and n.followed_up_at is null and n.struck_at is null`

/** Days of the actor's open follow-ups, of claims and members. */
export const followUpDays = (actor: Actor): SQL => sql`
  select n.follow_up_on ${openFollowUps(claimNotes, actor)}
  union all select n.follow_up_on ${openFollowUps(memberNotes, actor)}`

export const listFollowUps = query(claimsContract.followUps, ({ tx, actor }) =>
  tx.rows(sql`
    select f.id, f.kind as "recordKind", f.record_id as "recordId", f.text, f.follow_up_on as "followUpOn",
      f.written_at as "writtenAt", coalesce(c.number, m.number) as "recordNumber",
      m.first_name || ' ' || m.last_name as "memberName"
    from (
      select n.id, 'claim' as kind, n.claim_id as record_id, n.text, n.follow_up_on, n.written_at
      ${openFollowUps(claimNotes, actor)}
      union all
      select n.id, 'member', n.member_id, n.text, n.follow_up_on, n.written_at
      ${openFollowUps(memberNotes, actor)}
    ) f
    left join claims c on f.kind = 'claim' and c.id = f.record_id
    join members m on m.id = coalesce(c.member_id, f.record_id)
    order by f.follow_up_on, f.written_at, f.id limit 500`),
)
