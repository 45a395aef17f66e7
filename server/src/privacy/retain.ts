import { randomUUID } from "node:crypto"
import { privacySettings } from "@milkwood/domain/privacy/privacy-settings"
import {
  canRemove,
  isEmptyCount,
  type RetentionCounts,
  type RetentionKind,
  retentionEndOn,
  retentionKinds,
} from "@milkwood/domain/privacy/retention"
import { retentionContract } from "@milkwood/domain/privacy/retention.contract"
import { sql } from "drizzle-orm"
import { markNotificationsDone, notifyPeople } from "../notifications/tell.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { job, startJob } from "../platform/work/jobs.ts"
import {
  countDue,
  readPendingRetention,
  readRetentionOverview,
  retentionJob,
  type StoredRun,
  selectMembersDue,
} from "./retention.queries.ts"

/** Records per transaction: removing a member takes a dozen statements, a document one. */
const removalBatchSizes = { members: 20, papers: 500 }

const factHeadOf = ({ id, today }: Pick<StoredRun, "id" | "today">) => ({
  record: { kind: "retention" as const, id, label: `Retention of ${today}` },
  groupId: null,
})

const runsSelect = sql`select id, today, years, state from retention_runs`

/** Records the counts due before any removal. Returns the run that may now remove them. */
async function startOrResumeRun(cx: Cx): Promise<StoredRun | undefined> {
  const begun = await cx.tx.row<StoredRun>(sql`${runsSelect} where state = 'removing' order by today limit 1`)
  if (begun) return begun
  const { retentionYears: years, autoRetention: isAutomatic } = await readSettings(cx.tx, privacySettings)
  await cx.tx.run(sql`select see_who_is_gone(${cx.today}::date)`)
  const due = await countDue(cx, retentionEndOn(cx.today, years))
  if (isEmptyCount(due)) return undefined
  const before = await cx.tx.row<StoredRun>(sql`${runsSelect} where today = ${cx.today}`)
  if (before?.state === "done") return undefined
  const run = (await cx.tx.row<StoredRun>(sql`
    insert into retention_runs (id, shown_at, today, years, due)
    values (${randomUUID()}, ${cx.now}, ${cx.today}, ${years}, ${JSON.stringify(due)}::jsonb)
    on conflict (today) do update set due = excluded.due, shown_at = excluded.shown_at returning id, today, years, state`))!
  if (!before) await record(cx, [{ type: "RetentionShown", ...factHeadOf(run), due }])
  if (run.years === years && canRemove({ today: cx.today, isAutomatic, ...(await readPendingRetention(cx, years)) })) {
    await cx.tx.run(sql`update retention_runs set state = 'removing' where id = ${run.id}`)
    return { ...run, state: "removing" }
  }
  const { record: about } = factHeadOf(run)
  // One notification per pending removal, not one per night.
  const since = (await readPendingRetention(cx, years)).shownSince ?? run.today
  await notifyPeople(cx, "retention_due", [
    { record: about, groupId: null, roles: ["admin"], once: `retention ${years} ${since}` },
  ])
  return undefined
}

const addRemovedCount = (cx: Cx, run: StoredRun, kind: RetentionKind, count: number) =>
  cx.tx.run(sql`
    update retention_runs set removed = jsonb_set(removed, array[${kind}::text], to_jsonb(coalesce((removed ->> ${kind})::int, 0) + ${count}::int))
    where id = ${run.id}`)

async function removeBatch(cx: Cx, run: StoredRun, kind: RetentionKind): Promise<number> {
  const before = retentionEndOn(run.today, run.years)
  if (kind !== "members") {
    const some = sql`${before}::date, ${run.today}::date, ${removalBatchSizes.papers}`
    const forget =
      kind === "removed_people" ? sql`forget_removed_people(${some})` : sql`forget_papers(${kind}, ${some})`
    const { count } = (await cx.tx.row<{ count: number }>(sql`select ${forget} as count`))!
    if (count > 0) await addRemovedCount(cx, run, kind, count)
    return count
  }
  const some = await cx.tx.rows<{ id: string; number: string; groupId: string }>(sql`
    select m.id, m.number, m.group_id as "groupId" from members m where m.id in (${selectMembersDue(before)} limit ${removalBatchSizes.members})`)
  for (const { id } of some)
    await cx.tx.run(sql`select forget_person(${id}, ${before}::date, ${run.today}::date, ${cx.now}::timestamptz)`)
  if (some.length === 0) return 0
  await record(
    cx,
    some.map(({ id, number, groupId }) => ({
      type: "MemberForgotten" as const,
      record: { kind: "member" as const, id, label: number },
      groupId,
    })),
  )
  await addRemovedCount(cx, run, kind, some.length)
  return some.length
}

/**
 * Nightly: lists records past retention, then removes confirmed or auto-approved ones in batches. A rerun continues,
 * because removed records are no longer due. Housekeeping deletes the files.
 */
export const retain = job(retentionJob, async ({ transaction, signal, progress }) => {
  const run = await transaction(startOrResumeRun)
  if (!run) return { removed: {} }
  let done = 0
  for (const kind of retentionKinds) {
    for (;;) {
      signal.throwIfAborted()
      const count = await transaction((cx) => removeBatch(cx, run, kind))
      if (count === 0) break
      done += count
      await progress(done)
    }
  }
  return transaction(async (cx) => {
    const { removed } = (await cx.tx.row<{ removed: RetentionCounts }>(sql`
      update retention_runs set state = 'done', finished_at = ${cx.now} where id = ${run.id} returning removed`))!
    await record(cx, [{ type: "RetentionDone", ...factHeadOf(run), removed }])
    return { removed }
  })
})

const startRetentionJob = (cx: Cx) =>
  startJob(cx, { kind: retentionJob, label: "Data retention", payload: {}, resultPath: "/settings/security" })

export const checkRetentionNow = command(retentionContract.look, async (cx) => {
  if ((await readRetentionOverview(cx)).isUnderway) throw refused("UNDERWAY")
  await startRetentionJob(cx)
  return readRetentionOverview(cx)
})

export const confirmRetention = command(retentionContract.confirm, async (cx) => {
  expectProof(cx)
  const { runId } = cx.input
  const shown = (await readRetentionOverview(cx)).runs.find(({ id }) => id === runId)
  if (!shown?.allowedActions.includes("confirm")) throw refused("NOT_SHOWN")
  const confirmed = await cx.tx.run(sql`
    update retention_runs set state = 'removing', confirmed_by = ${actorUserId(cx.actor)}, confirmed_at = ${cx.now}
    where id = ${runId} and state = 'shown'`)
  if (confirmed === 0) throw refused("NOT_SHOWN")
  // The confirmation also completes the notifications of earlier nights.
  const told = await cx.tx.rows<{ id: string }>(sql`select id from retention_runs`)
  await markNotificationsDone(
    cx,
    ["retention_due"],
    told.map(({ id }) => id),
  )
  await record(cx, [{ type: "RetentionConfirmed", ...factHeadOf(shown), due: shown.due }])
  await startRetentionJob(cx)
  return readRetentionOverview(cx)
})
