import { sentences } from "@milkwood/domain/facts"
import type { ListInput } from "@milkwood/domain/kernel/list"
import type { Currency } from "@milkwood/domain/kernel/money"
import { factName, kindName } from "@milkwood/domain/platform/trail-words"
import { modulesByRecordKind } from "@milkwood/domain/screens"
import { auditTrailList } from "@milkwood/domain/settings/audit-trail.list"
import { type TrailEntry, type TrailRow, trailContract } from "@milkwood/domain/settings/trail.contract"
import { type SQL, sql } from "drizzle-orm"
import { query, refused } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import type { SourceCx } from "../platform/lists/source.ts"
import { type AnyFact, changesIn, decryptedDetail, sentence } from "../platform/trail/facts.ts"

interface TrailFilter {
  kind?: string | undefined
  fact?: string | undefined
  recordId?: string | undefined
}

function trailFilterSql({ kind, fact, recordId }: TrailFilter): SQL {
  const conditions = [
    ...(kind === undefined ? [] : [sql`record_kind = ${kind}`]),
    ...(fact === undefined ? [] : [sql`fact = ${fact}`]),
    ...(recordId === undefined ? [] : [sql`record_id = ${recordId}`]),
  ]
  if (conditions.length === 0) return sql`audit_log`
  return sql`(select * from audit_log where ${sql.join(conditions, sql` and `)})`
}

type StoredFact = { fact: string; kind: string; id: string | null; label: string; detail: Omit<AnyFact, "type"> }

/** Facts in an earlier release's format are shown by their action name only. */
function safeSentenceOf({ fact, kind, id, label, detail }: StoredFact, currency: Currency): string {
  try {
    return sentence({ ...detail, type: fact, record: { kind, id, label }, groupId: null }, currency)
  } catch {
    return factName(fact).toLowerCase()
  }
}

const storedFactSql = sql`jsonb_build_object('fact', a.fact, 'kind', a.record_kind, 'id', a.record_id, 'label', a.record_label, 'detail', ${decryptedDetail("a")})`

export function presentTrailRow(row: object, { currency }: SourceCx): object {
  const { kindName: kind, action, what, ...rest } = row as Record<string, unknown>
  return {
    ...rest,
    ...(kind !== undefined && { kindName: kindName(kind as string) }),
    ...(action !== undefined && { action: factName(action as string) }),
    ...(what !== undefined && { what: safeSentenceOf(what as StoredFact, currency) }),
  }
}

export const auditTrail = new List<typeof auditTrailList, TrailRow>(auditTrailList, {
  select: ({ timezone }: SourceCx, asked: ListInput<typeof auditTrailList>) => sql`
    select audit_entry(a.id) as id, a.at as "happenedAt", to_char(a.at at time zone ${timezone}, 'HH24:MI:SS') as time,
      a.actor_name as actor, ${storedFactSql} as what, a.record_kind as "kindName", a.record_label as label,
      g.name as "groupName", a.fact as action, a.actor_id as "_actorId", lower(a.record_label) as _label
    from ${trailFilterSql(asked as TrailFilter)} a
    left join employer_groups g on g.id = a.group_id`,
  search: (pattern) => [{ like: matchesPattern(sql`s._label`, pattern) }],
  // Users filter millions of rows, and do not need the exact count.
  countLimit: 10_000,
  present: (row: TrailRow, cx: SourceCx) => presentTrailRow(row, cx) as TrailRow,
})

export const listTrail = query(trailContract.list, (cx) => auditTrail.page(cx, cx.input))

export const trailDetail = query(
  trailContract.detail,
  async ({ tx, input, timezone, currency }): Promise<TrailEntry> => {
    const found = await tx.row<
      Omit<TrailEntry, "changes" | "details" | "reason" | "what"> & {
        what: StoredFact
        kindName: string
        action: string
      }
    >(sql`
    select audit_entry(a.id) as id, a.at as "happenedAt", to_char(a.at at time zone ${timezone}, 'HH24:MI:SS') as time,
      a.actor_name as actor, a.actor_role as "actorRole", ${storedFactSql} as what, a.record_kind as "kindName",
      a.record_label as label, g.name as "groupName", a.fact as action, a.request_id as "requestId",
      jsonb_build_object('kind', a.record_kind, 'id', a.record_id) as record,
      case when s.seq is not null then jsonb_build_object('seq', s.seq, 'hash', s.hash, 'sealedAt', ${isoText(sql`s.sealed_at`)}) end as seal
    from audit_log a left join employer_groups g on g.id = a.group_id left join audit_seals s on s.audit_id = a.id
    where audit_entry(a.id) = ${input.entryId}`)
    if (!found) throw refused("NOT_FOUND", "This audit trail entry does not exist.")
    const { before: _b, after: _a, reason = null, ...details } = found.what.detail as AnyFact
    return {
      ...found,
      what: safeSentenceOf(found.what, currency),
      kindName: kindName(found.kindName),
      action: factName(found.action),
      reason,
      changes: changesIn(found.what.detail),
      details: Object.entries(details).map(([field, value]) => ({ field, value })),
    }
  },
)

const isoText = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const sortedChoices = (values: string[], name: (value: string) => string) =>
  values.map((value) => ({ value, name: name(value) })).sort((a, b) => (a.name < b.name ? -1 : 1))

/** Facts about jobs and notifications only refresh screens; they concern no record. */
const recordKindsShown = Object.keys(modulesByRecordKind).filter((kind) => kind !== "job" && kind !== "notification")

export const trailChoices = query(trailContract.choices, async ({ tx }) => ({
  people: await tx.rows<{ id: string; name: string }>(
    sql`select id, name from users order by lower(name), id limit 5000`,
  ),
  kinds: sortedChoices(recordKindsShown, kindName),
  facts: sortedChoices(Object.keys(sentences), factName),
}))
