import { randomUUID } from "node:crypto"
import type { JobView } from "@milkwood/domain/platform/platform.contract"
import { DrizzleQueryError, sql } from "drizzle-orm"
import type { PoolClient } from "pg"
import type { App } from "../app.ts"
import { actorUserId, type SystemActor } from "../calls/actor.ts"
import type { Cx } from "../calls/commands.ts"
import { isDatabaseUnavailable, sqlState, type Tx } from "../database/database.ts"
import { jobLock } from "../database/locks.ts"
import { isStorageUnavailable } from "../files/storage.ts"
import { notifyScreens } from "./live.ts"

export interface JobCx<Payload> {
  jobId: string
  payload: Payload
  app: App
  /**
   * Aborted at shutdown: throw between steps, and the job continues at the next start. A job that returns counts as
   * done.
   */
  signal: AbortSignal
  /** Reports progress; screens get it at most four times a second. `total` may follow later. */
  progress(done: number, total?: number | null, message?: string): Promise<void>
  transaction<T>(work: (cx: Cx) => Promise<T>): Promise<T>
  /** Marks the job done in the transaction of its effect, so that the effect happens once. */
  complete(cx: Cx, result?: unknown, resultPath?: string): Promise<void>
}

export interface JobHandler {
  kind: string
  run(cx: JobCx<never>): Promise<unknown>
  /** Called once instead of `run` when the job is given up, so that its record can show the failure. */
  giveUp?: ((cx: JobCx<never>) => Promise<void>) | undefined
}

export function job<Payload>(
  kind: string,
  run: (cx: JobCx<Payload>) => Promise<unknown>,
  giveUp?: (cx: JobCx<Payload>) => Promise<void>,
): JobHandler {
  return { kind, run: run as JobHandler["run"], giveUp: giveUp as JobHandler["giveUp"] }
}

export interface NewJob {
  kind: string
  label: string
  payload: unknown
  groupId?: string | null
  resultPath?: string
}

/** Whether a job should continue once the database or the file storage is back. */
export const isInfrastructureUnavailable = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || isStorageUnavailable(error)

/** Queues a job in the transaction of the change. Returns its id. */
export async function startJob(cx: Pick<Cx, "tx" | "actor" | "now">, start: NewJob): Promise<string> {
  const id = randomUUID()
  await cx.tx.run(sql`
    insert into jobs (id, kind, label, payload, group_id, asked_by, state, result_path, run_at, created_at)
    values (${id}, ${start.kind}, ${start.label}, ${JSON.stringify(start.payload)}::jsonb, ${start.groupId ?? null},
      ${actorUserId(cx.actor)}, 'queued', ${start.resultPath ?? null}, clock_timestamp(), ${cx.now})`)
  await cx.tx.run(sql`notify milkwood_jobs`)
  await notifyScreens(cx.tx, { kind: "job", id, groupId: null, userId: actorUserId(cx.actor) })
  return id
}

interface JobRow {
  id: string
  kind: string
  label: string
  payload: unknown
  askedBy: string | null
  attempts: number
}

const maxAttempts = 3
const storagePauseSeconds = 15
/** Minimum interval between progress reports. */
const progressIntervalMs = 250
/** Starts before a job counts as the cause of process crashes and is given up. */
const maxJobStarts = 10

/**
 * Runs due jobs until none is left; returns how many ran. A process owns a job by an advisory lock on its own
 * connection. If the process or the database dies, the lock is released and another process takes over.
 */
export async function runDueJobs(app: App, handlers: readonly JobHandler[], signal: AbortSignal): Promise<number> {
  let ran = 0
  const client = await app.database.sessions.connect()
  let broken: Error | undefined
  const onError = (error: Error): void => {
    broken = error
  }
  client.on("error", onError)
  try {
    for (;;) {
      if (signal.aborted || broken) return ran
      const next = await startNextJob(
        client,
        handlers.map(({ kind }) => kind),
      )
      if (!next) return ran
      try {
        await runJob(app, handlers.find(({ kind }) => kind === next.kind)!, next, signal)
      } finally {
        if (!broken) await client.query(`select pg_advisory_unlock(${jobLock})`, [next.id])
      }
      ran++
    }
  } catch (error) {
    if (isDatabaseUnavailable(error)) broken = error as Error
    throw error
  } finally {
    client.removeListener("error", onError)
    client.release(broken)
  }
}

async function startNextJob(client: PoolClient, kinds: string[]): Promise<JobRow | undefined> {
  const due = await client.query<{ id: string }>(
    `select id from jobs where state in ('queued', 'running') and run_at <= clock_timestamp() and kind = any ($1)
     order by run_at, created_at limit 50`,
    [kinds],
  )
  for (const { id } of due.rows) {
    const lock = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${jobLock}) as held`, [id])
    if (!lock.rows[0]!.held) continue
    // Checks again under the lock, because another process may have finished the job.
    const started = await client.query<JobRow>(
      `update jobs set state = 'running', attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp())
       where id = $1 and state in ('queued', 'running') and run_at <= clock_timestamp()
       returning id, kind, label, payload, asked_by as "askedBy", attempts`,
      [id],
    )
    if (started.rows[0]) return started.rows[0]
    await client.query(`select pg_advisory_unlock(${jobLock})`, [id])
  }
  return undefined
}

async function runJob(app: App, handler: JobHandler, row: JobRow, signal: AbortSignal): Promise<void> {
  const actor: SystemActor = { kind: "system", name: "Milkwood", onBehalfOf: row.askedBy }
  const direct = app.database.direct("jobs")
  // A process that lost the lock cannot update the job: the next owner has raised `attempts`.
  const ownAttempt = sql`id = ${row.id} and state = 'running' and attempts = ${row.attempts}`
  const notify = (tx: Tx): Promise<void> =>
    notifyScreens(tx, { kind: "job", id: row.id, groupId: null, userId: row.askedBy })
  const finish = async (tx: Tx, result: unknown, resultPath?: string): Promise<void> => {
    await tx.run(sql`
      update jobs set state = 'done', result = ${JSON.stringify(result ?? null)}::jsonb, message = null,
        result_path = coalesce(${resultPath ?? null}, result_path), finished_at = clock_timestamp()
      where id = ${row.id} and state <> 'done'`)
    await notify(tx)
  }
  let said: { at: number; message: string | undefined } | undefined
  const cx: JobCx<never> = {
    jobId: row.id,
    payload: row.payload as never,
    app,
    signal,
    async progress(done, total, message) {
      const at = performance.now()
      if (said && said.message === message && at - said.at < progressIntervalMs && done !== total) return
      said = { at, message }
      await direct.run(sql`
        update jobs set done = ${done}, total = coalesce(${total ?? null}, total), message = ${message ?? null} where id = ${row.id} and state = 'running'`)
      await notify(direct)
    },
    async transaction(work) {
      const moment = await app.moment()
      return app.database.transaction("jobs", (tx) => work({ app, tx, actor, ...moment, requestId: row.id }))
    },
    complete: (inner, result, resultPath) => finish(inner.tx, result, resultPath),
  }
  try {
    if (row.attempts > maxJobStarts) {
      await handler.giveUp?.(cx)
      throw new Error(`The server stopped ${maxJobStarts} times before this was finished.`)
    }
    const result = await handler.run(cx)
    if (result === undefined) signal.throwIfAborted()
    await finish(direct, result)
  } catch (error) {
    // The job stays "running" without a lock and is resumed later. A shutdown does not count as a failed attempt.
    if (signal.aborted) {
      await direct.run(sql`update jobs set attempts = attempts - 1 where ${ownAttempt}`)
      return
    }
    if (isDatabaseUnavailable(error)) throw error
    if (isStorageUnavailable(error)) {
      await direct.run(sql`
        update jobs set state = 'queued', attempts = attempts - 1, message = 'Waiting for the document storage.',
          run_at = clock_timestamp() + make_interval(secs => ${storagePauseSeconds})
        where ${ownAttempt}`)
      await notify(direct)
      return
    }
    app.log.error(
      {
        job: row.id,
        kind: row.kind,
        attempt: row.attempts,
        code: sqlState(error),
        err: errorName(error),
      },
      "a job failed",
    )
    const given = row.attempts >= maxAttempts
    await direct.run(sql`
      update jobs set state = ${given ? "failed" : "queued"}, message = ${failureReasonOf(error)},
        finished_at = case when ${given} then clock_timestamp() end,
        run_at = clock_timestamp() + make_interval(secs => ${row.attempts * 5})
      where ${ownAttempt}`)
    await notify(direct)
  }
}

/** The message for users: a refusal's text, but nothing from a database error. */
function failureReasonOf(error: unknown): string {
  const ours = error instanceof Error && error.name === "Error" && !(error instanceof DrizzleQueryError)
  return ours && sqlState(error) === undefined
    ? error.message
    : "An unexpected error occurred; the server log has the details."
}

function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const place = error.stack?.split("\n").find((line) => line.startsWith("    at "))
  return `${error.constructor.name} ${place?.trim() ?? ""}`
}

export async function jobsOf(cx: Pick<Cx, "tx" | "actor">, limit: number): Promise<JobView[]> {
  return cx.tx.rows<JobView>(
    sql`${jobViewSelect} where asked_by = ${actorUserId(cx.actor)} order by created_at desc limit ${limit}`,
  )
}

export async function jobOf(cx: Pick<Cx, "tx" | "actor">, jobId: string): Promise<JobView | undefined> {
  return cx.tx.row<JobView>(sql`${jobViewSelect} where id = ${jobId} and asked_by = ${actorUserId(cx.actor)}`)
}

const jobViewSelect = sql`
  select id, kind, label, state, done, total, message, result_path as "resultPath", created_at as "createdAt", finished_at as "finishedAt"
  from jobs`
