import { finished } from "node:stream/promises"
import { defaultStart } from "@milkwood/domain/members/member-start"
import type { StaffList } from "@milkwood/domain/staff-lists/staff-list"
import type { ListContext } from "@milkwood/domain/staff-lists/staff-list-rows"
import {
  failList,
  finishCheck,
  finishImport,
  finishSplit,
  type NamedPolicy,
} from "@milkwood/domain/staff-lists/staff-list-steps"
import { sql } from "drizzle-orm"
import type pg from "pg"
import { from as copyFrom } from "pg-copy-streams"
import { type Actor, actorUserId } from "../platform/calls/actor.ts"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { UnreadableFile, unreadableFile } from "../platform/files/unreadable.ts"
import { isInfrastructureUnavailable, type JobCx, job } from "../platform/work/jobs.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { hasSalaryRates } from "../policies/rates.queries.ts"
import { insertSiblingList, rowsFile } from "./divide-staff-list.ts"
import { countRows, matchMembers } from "./match-members.ts"
import { copyColumns, type RowBatch } from "./reader-messages.ts"
import { checkListFile, splitListFile } from "./reading.ts"
import { lockStaffList, saveStaffList } from "./staff-list-record.ts"
import { analyzeAfterBulkWrite, writeMembers } from "./write-members.ts"

interface ListJobPayload {
  importId: string
}

interface SplitPayload extends ListJobPayload {
  others: NamedPolicy[]
}

/** Runs in one transaction, so that a retry after a crash begins with an empty preview. */
export const staffListCheck = job<ListJobPayload>(
  "staffLists.check",
  (work) => runStep(work, "checking", (cx, list) => checkRows(work, cx, list)),
  (work) => failListJob(work, "checking", defectMessage),
)

/** Moves the rows of other policies to separate lists, starts their checks, and checks the rest, in one transaction. */
export const staffListSplit = job<SplitPayload>(
  "staffLists.divide",
  (work) =>
    runStep(work, "checking", async (cx, list) => {
      const asRequester = { ...cx, actor: await requesterOf(cx) }
      await checkRows(work, cx, await splitRows(work, asRequester, list))
    }),
  (work) => failListJob(work, "checking", defectMessage),
)

async function checkRows(work: JobCx<ListJobPayload>, cx: Cx, list: StaffList): Promise<void> {
  await cx.tx.run(sql`delete from staff_list_rows where staff_list_id = ${list.id}`)
  const { context, defaultTierId } = await readListContext(cx, list)
  const { mapping, corrections } = list
  const task = { importId: list.id, groupId: list.groupId, mapping, corrections, context, currency: cx.currency }
  let rowCount = 0
  const copyOf = (source: RowSource) =>
    copyRows(cx.tx, async (write) => {
      const writeBatch = async ({ copy, rows, total }: RowBatch) => {
        work.signal.throwIfAborted()
        await write(copy)
        await work.progress(rows, total, "Checking rows")
      }
      rowCount = await waitForCheckSlot(work, () => checkListFile({ ...source, ...task }, writeBatch))
    })
  await withRowSource(work, cx, list, copyOf)
  await analyzeAfterBulkWrite(cx, rowCount)
  await matchMembers(cx, { ...list, rowCount })
  await countRows(cx, list)
  const startOn = defaultStart(context.policy, cx.today)
  await saveStaffList(cx, list, orRefuse(finishCheck(list, { defaultTierId, defaultStartOn: startOn }, cx.now)))
}

interface RowSource {
  path: string
  extension: string
}

/** For lists uploaded before rows were stored, uses the uploaded file. */
async function withRowSource<T>(
  { app }: JobCx<ListJobPayload>,
  { tx }: Cx,
  list: StaffList,
  read: (source: RowSource) => Promise<T>,
): Promise<T> {
  const fileId = list.rowsFileId ?? list.fileId
  if (!fileId) throw unreadableFile("The file of this list was deleted.")
  const extension = list.rowsFileId ? "rows" : list.extension
  return app.files.onDisk(tx, fileId, (path) => read({ path, extension }))
}

function waitForCheckSlot<T>(work: JobCx<ListJobPayload>, read: () => Promise<T>): Promise<T> {
  const waits = () => void work.progress(0, null, "Waiting for another list to be checked").catch(() => {})
  return work.app.limits.checks.hold(read, work.signal, { waits })
}

/** Returns the list with the remaining rows. */
async function splitRows(work: JobCx<SplitPayload>, cx: Cx, list: StaffList): Promise<StaffList> {
  const { files } = work.app
  const { others } = work.payload
  const parts = Object.fromEntries(others.flatMap(({ names }, nth) => names.map((name) => [name, nth + 1])))
  const task = { corrections: list.corrections, column: list.mapping.groupPolicy!, parts }
  const divided = await withRowSource(work, cx, list, (source) =>
    waitForCheckSlot(work, () => splitListFile(files, { ...source, ...task })),
  )
  try {
    await Promise.all(divided.map(({ rows }) => files.put(rows)))
    const keep = async (groupId: string, { rows }: (typeof divided)[number]) =>
      (await files.save(cx, { ...rowsFile, name: list.fileName, groupId, content: rows })).id
    const [left, ...moved] = divided
    for (const [nth, part] of moved.entries()) {
      const { rowCount, sample } = part
      if (rowCount === 0) continue
      await insertSiblingList(cx, list, others[nth]!, {
        ...{ rowCount, sample, rowsFileId: await keep(others[nth]!.groupId, part) },
      })
    }
    const { rowCount, sample } = left!
    const rowsFileId = await keep(list.groupId, left!)
    const change = finishSplit(list, { rowCount, sample, rowsFileId }, others)
    await saveStaffList(cx, list, change)
    await cx.tx.run(sql`delete from files where id = ${list.rowsFileId}`)
    return change.value
  } finally {
    for (const { rows } of divided) await files.discard(rows)
  }
}

export const staffListImport = job<ListJobPayload>(
  "staffLists.import",
  (work) =>
    runStep(work, "committing", async (cx, list) => {
      const asRequester = { ...cx, actor: await requesterOf(cx) }
      const done = await writeMembers(asRequester, list, async (written, total) => {
        work.signal.throwIfAborted()
        await work.progress(written, total, "Writing members")
      })
      await countRows(cx, list)
      await saveStaffList(asRequester, list, orRefuse(finishImport(list, done, cx.now)))
      await cx.tx.run(sql`delete from files where id = ${list.rowsFileId}`)
    }),
  (work) => failListJob(work, "committing", defectMessage),
)

/** The audit trail names the user who requested the import. */
async function requesterOf({ tx, actor }: Cx): Promise<Actor> {
  const found = await tx.row<{ name: string }>(sql`select name from users where id = ${actorUserId(actor)}`)
  return found ? { ...actor, name: found.name } : actor
}

/**
 * Runs a step and completes its job in one transaction, so that a job delivered twice or killed before its commit has
 * its effect once. Errors mark the import as failed.
 */
async function runStep(
  work: JobCx<ListJobPayload>,
  status: StaffList["status"],
  act: (cx: Cx, list: StaffList) => Promise<void>,
): Promise<void> {
  const { importId } = work.payload
  try {
    await work.transaction(async (cx) => {
      const list = await lockStaffList(cx, importId, {})
      if (list.status !== status || list.jobId !== work.jobId) return
      await act(cx, list)
      await work.complete(cx, null, `/members/import/${importId}`)
    })
  } catch (error) {
    if (isInfrastructureUnavailable(error) || work.signal.aborted) throw error
    const expected = error instanceof UnreadableFile
    if (!expected) {
      work.app.log.error(
        { job: work.jobId, code: (error as { code?: string }).code, err: error instanceof Error ? error.name : "" },
        "an import failed",
      )
    }
    await failListJob(work, status, expected ? error.message : defectMessage)
  }
}

const defectMessage = "The list could not be processed. Nothing was changed; please try again."

async function failListJob(work: JobCx<ListJobPayload>, status: StaffList["status"], failure: string): Promise<void> {
  await work.transaction(async (cx) => {
    const list = await lockStaffList(cx, work.payload.importId, {})
    if (list.status !== status || list.jobId !== work.jobId) return
    await saveStaffList(cx, list, orRefuse(failList(list, failure)))
  })
}

async function readListContext(
  cx: Cx,
  list: StaffList,
): Promise<{ context: ListContext; defaultTierId: string | null }> {
  const policy = await readPolicy(cx.tx, list.policyId)
  const found = await cx.tx.row<{ bySalary: boolean }>(
    sql`select ${hasSalaryRates(sql`${policy.id}`, cx.today)} as "bySalary"`,
  )
  const tiers = await cx.tx.rows<{ id: string; name: string }>(
    sql`select id, name from benefit_tiers order by position, name`,
  )
  return {
    context: { today: cx.today, policy: { ...policy, bySalary: found!.bySalary }, tiers },
    defaultTierId: tiers[0]?.id ?? null,
  }
}

async function copyRows(tx: Tx, work: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>): Promise<void> {
  const client = tx.client as pg.ClientBase
  const stream = client.query(copyFrom(`copy staff_list_rows (${copyColumns.join(", ")}) from stdin`))
  const end = finished(stream)
  // Avoids an unhandled rejection: `received` is awaited elsewhere.
  end.catch(() => {})
  try {
    await work((chunk) =>
      Promise.race([
        end,
        new Promise<void>((resolve, reject) => stream.write(chunk, (error) => (error ? reject(error) : resolve()))),
      ]),
    )
    stream.end()
    await end
  } catch (error) {
    stream.destroy()
    await end.catch(() => {})
    throw error
  }
}
