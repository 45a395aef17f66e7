import { fork } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import pino from "pino"
import { serverFlags } from "../scripts/node.mjs"
import { differenceSql } from "../server/src/billing/difference.queries.ts"
import { type Client, clientOf } from "../server/src/demo/cast.ts"
import { jobs } from "../server/src/jobs.ts"
import { App } from "../server/src/platform/app.ts"
import { systemClock } from "../server/src/platform/clock.ts"
import { Database, type Tx } from "../server/src/platform/database/database.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { reactions } from "../server/src/reactions.ts"
import { readActor } from "../server/src/users/users.queries.ts"
import { type Book, openBook, readers } from "./book.ts"
import { type Bench, type Measured, measureMs, median, requireTrue, runAlternately } from "./measure.ts"

/**
 * A month of a thousand policies of a hundred members billed for 24 months: previewed, then created. The reference is
 * one statement for the difference and two for writing. `--small` uses a tenth, `--rounds=1` fewer rounds.
 */
export const premiumRun: Bench = {
  name: "premium-run",
  async run(say, flags) {
    const book = await openBook(say, flags.has("small") ? "premiums-small" : "premiums", { anew: flags.has("anew") })
    try {
      return await measure(book, Number(flags.get("rounds") ?? 3), say)
    } finally {
      await book.close()
    }
  },
}

interface RunMeasurement {
  ran: number
  half: number
  most: number
}

async function measure(book: Book, rounds: number, say: (line: string) => void): Promise<Measured[]> {
  const database = new Database(book.url, { maxConnections: 4 })
  const owner = database.direct("owner")
  const app = new App({
    ...{ reactions, jobs, database, clock: systemClock, publicUrl: "http://127.0.0.1:3000" },
    files: new FileStore(join(book.folder, "files")),
    log: pino({ level: "silent" }),
  })
  const { id } = (await owner.row<{ id: string }>(sql`select id from users where email = ${readers.manager}`))!
  const client = clientOf(app, await readActor(owner, id))
  const worker = fork(join(import.meta.dirname, "premium-run.process.ts"), [book.url, book.folder], {
    execArgv: [...serverFlags, "--import", new URL("../server/src/runtime/tuning.ts", import.meta.url).href],
  })
  await once(worker, "message")
  const work = async (): Promise<RunMeasurement> => {
    worker.send("run")
    return (await once(worker, "message"))[0]
  }
  const today = Temporal.Now.plainDateISO("UTC").toString()
  const month = `${today.slice(0, 8)}01`
  const asked = { policies: sql`select id from policies`, month, knownAt: Temporal.Now.instant() }
  try {
    await deleteRunInvoices(owner)
    const before = await countDifferences(owner, asked)
    requireTrue(before.policies > 0, "something is to be billed")
    const previews: number[] = []
    const halves: number[] = []
    const peaks: number[] = []
    const billed = async (): Promise<number> => {
      await deleteRunInvoices(owner)
      const previewed = await previewRun(client, month, work)
      previews.push(previewed.ms)
      say(`preview ${Math.round(previewed.ms)} ms`)
      const { version, totals } = await client.billing.runs.detail({ runId: previewed.runId })
      const { runId } = previewed
      await client.billing.runs.make({ runId, version, idempotencyKey: randomUUID(), outcome: "draft" })
      let worked: RunMeasurement | undefined
      const ms = await measureMs(async () => {
        worked = await work()
      })
      halves.push(worked!.half)
      peaks.push(worked!.most)
      say(`invoices created in ${Math.round(ms)} ms`)
      const after = await client.billing.runs.detail({ runId })
      requireTrue(after.counts.made === before.policies && after.counts.parked === 0, "every policy is billed")
      requireTrue(
        after.totals.netCents === totals.netCents && totals.netCents === before.cents,
        "what was previewed is billed",
      )
      return ms
    }
    await billed()
    requireTrue((await countDifferences(owner, asked)).policies === 0, "billed is owed")
    await copyDraftInvoices(owner)
    const referred = async (): Promise<number> => {
      await deleteRunInvoices(owner)
      let found = 0
      const differenceMs = await measureMs(async () => {
        found = (await database.transaction("jobs", (tx) => countDifferences(tx, asked))).policies
      })
      const written = await measureMs(() =>
        database.transaction("jobs", async (tx) => {
          await tx.run(sql`insert into invoices select * from bench_invoices`)
          await tx.run(sql`insert into invoice_lines select * from bench_lines`)
        }),
      )
      requireTrue(found === before.policies, "the reference finds the same")
      say(`reference: difference ${Math.round(differenceMs)} ms, insert ${Math.round(written)} ms`)
      return differenceMs + written
    }
    const taken = await runAlternately(rounds, billed, referred)
    await deleteRunInvoices(owner)
    return [
      {
        what: `invoices of ${before.policies} policies with ${before.months} member months`,
        ...taken,
        unit: "ms",
        against: "the difference in one statement, and INSERT … SELECT of the same invoices and lines",
        atMost: 1.5,
        also: [
          { what: "preview of the same", value: median(previews), unit: "ms", atMost: 10_000 },
          { what: "peak memory in the first half", value: median(halves), unit: "MB" },
          { what: "peak memory", value: median(peaks), unit: "MB", atMost: 300 },
        ],
      },
    ]
  } finally {
    await owner.run(sql`drop table if exists bench_invoices, bench_lines`)
    worker.send("stop")
    await once(worker, "exit")
    await database.close()
  }
}

async function countDifferences(tx: Tx, asked: Parameters<typeof differenceSql>[0]) {
  const found = await tx.row<{ policies: number; months: number; cents: number }>(sql`
    select count(distinct policy_id) as policies, count(*) as months,
      coalesce(sum(owed_cents - billed_cents), 0)::bigint as cents
    from (${differenceSql(asked)}) d`)
  return found!
}

async function previewRun(client: Client, month: string, work: () => Promise<RunMeasurement>) {
  const { id: runId } = await client.billing.runs.start({ idempotencyKey: randomUUID(), month })
  const ms = await measureMs(work)
  const { status } = await client.billing.runs.detail({ runId })
  requireTrue(status === "previewed", "the run is previewed")
  return { runId, ms }
}

async function copyDraftInvoices(owner: Tx): Promise<void> {
  await owner.run(sql`drop table if exists bench_invoices, bench_lines`)
  await owner.run(sql`create table bench_invoices as select * from invoices where status = 'draft'`)
  await owner.run(sql`
    create table bench_lines as select l.* from invoice_lines l join bench_invoices i on i.id = l.invoice_id order by l.invoice_id, position`)
  await owner.run(sql`grant select on bench_invoices, bench_lines to milkwood_staff`)
}

/** Removes all results of runs: the book has only sent invoices. */
async function deleteRunInvoices(owner: Tx): Promise<void> {
  await owner.client.query(`
    begin;
    set local session_replication_role = replica;
    delete from billing_run_policies;
    delete from billing_runs;
    delete from invoice_lines l using invoices i where i.id = l.invoice_id and i.status = 'draft';
    delete from invoices where status = 'draft';
    commit`)
  for (const table of ["billing_run_policies", "invoices", "invoice_lines", "jobs"])
    await owner.client.query(`vacuum analyze ${table}`)
  await owner.client.query("checkpoint")
}
