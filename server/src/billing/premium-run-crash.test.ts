import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { createRouterClient } from "@orpc/server"
import { sql } from "drizzle-orm"
import pino from "pino"
import { afterAll, beforeAll, expect, test } from "vitest"
import { insurerBenefits } from "../benefits/benefits.samples.ts"
import { jobs } from "../jobs.ts"
import { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { systemClock } from "../platform/clock.ts"
import { Database } from "../platform/database/database.ts"
import { FileStore } from "../platform/files/files.ts"
import { activePolicy } from "../policies/policies.samples.ts"
import { reactions } from "../reactions.ts"
import { router } from "../router.ts"
import { runningUrl } from "../runtime/postgres.ts"
import { postgresHome } from "../runtime/postgres-home.ts"
import type { Client } from "../test/app.ts"

/*
 * Real processes: the server as `npm start` runs it, with its embedded PostgreSQL, both killed with SIGKILL while a
 * premium run stands still at a chosen point. Triggers that only this test installs make it stand there.
 */

const main = join(import.meta.dirname, "../main.ts")
const actor: UserActor = {
  ...{ kind: "user", userId: randomUUID(), name: "Ada Admin", email: "ada@example.test", role: "admin", groupIds: [] },
}

let dataDir: string
let server: ChildProcess | undefined
let database: Database
let app: App
let productTypeId: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "milkwood-run-crash-"))
  chmodSync(dataDir, 0o711)
  await start()
  database = new Database(runningUrl(postgresHome(dataDir)), { maxConnections: 4 })
  app = new App({
    ...{ reactions, jobs, database, clock: systemClock, publicUrl: "http://127.0.0.1:3000" },
    files: new FileStore(join(dataDir, "files")),
    log: pino({ level: "silent" }),
  })
  const owner = database.direct("owner")
  await owner.run(sql`
    insert into users (id, name, email, email_verified, role, created_at, updated_at)
    values (${actor.userId}, ${actor.name}, ${actor.email}, true, 'admin', ${systemClock.now()}, ${systemClock.now()})`)
  await owner.client.query(`
    create table stand_still (point text primary key);
    create function stand_still() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      if exists (select from stand_still where point = tg_argv[0])
        and (select count(*) from billing_run_policies where state = 'made') % 3 = 1 then perform pg_sleep(5); end if;
      return new;
    end $$;
    create trigger writing before insert on invoices for each row execute function stand_still('writing');
    create trigger noting before update on billing_run_policies for each row when (new.state = 'made') execute function stand_still('noting');
    create constraint trigger committing after update on billing_run_policies deferrable initially deferred for each row
      when (new.state = 'made') execute function stand_still('committing');`)
  productTypeId = (await insurerBenefits(client())).productTypes["Group Health"]!
}, 180_000)

afterAll(async () => {
  await database.close()
  if (server && server.exitCode === null && server.signalCode === null) {
    server.kill("SIGTERM")
    await once(server, "exit")
  }
  rmSync(dataDir, { recursive: true, force: true })
})

/** Starts the server; answers when it says that it is there. */
async function start(): Promise<void> {
  const env = { ...process.env, PORT: "0", DATA_DIR: dataDir, DATABASE_URL: "", SMTP_URL: "", PUBLIC_URL: "" }
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "ignore"] })
  server = child
  let said = ""
  for await (const part of child.stdout.setEncoding("utf8")) {
    said += part
    if (said.includes("Milkwood is at")) break
  }
  if (!said.includes("Milkwood is at")) throw new Error(`the server did not start: ${said}`)
}

async function killBoth(): Promise<void> {
  const postmaster = readFileSync(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8").split("\n")[0]
  process.kill(Number(postmaster), "SIGKILL")
  const ended = once(server!, "exit")
  server!.kill("SIGKILL")
  await ended
  await start()
}

const client = () => createRouterClient(router, { context: () => ({ app, actor, requestId: randomUUID() }) }) as Client

/** Waits for a condition on the database; one that is away counts as not yet. Answers the milliseconds it took. */
async function until(condition: () => Promise<boolean>, within = 60_000): Promise<number> {
  const from = performance.now()
  while (!(await condition().catch(() => false))) {
    if (performance.now() - from > within) throw new Error(`not within ${within} ms`)
    await pause(100)
  }
  return performance.now() - from
}

const standsStill = async () => {
  const found = await database
    .direct("owner")
    .row<{ n: number }>(sql`select count(*) as n from pg_stat_activity where wait_event = 'PgSleep'`)
  return found!.n > 0
}

const hasStatus = (runId: string, status: string) => async () =>
  (await client().billing.runs.detail({ runId })).status === status

/** Three policies of one, two and three members, from the month before this. */
async function threePolicies(name: string): Promise<string[]> {
  const ids: string[] = []
  for (const members of [1, 2, 3]) {
    const sample = { groupName: `${name} ${members}`, productTypeId, premiumCents: 350_00, members }
    ids.push((await activePolicy(client(), { ...sample, startOn: lastMonth() })).id)
  }
  return ids
}

const lastMonth = () =>
  systemClock.now().toZonedDateTimeISO("UTC").toPlainDate().with({ day: 1 }).subtract({ months: 1 }).toString()

async function madeOf(policyIds: string[], disturb: () => Promise<void>) {
  const { runs } = client().billing
  const month = systemClock.now().toZonedDateTimeISO("UTC").toPlainDate().toString()
  const { id: runId } = await runs.start({ idempotencyKey: randomUUID(), month, policyIds })
  await until(hasStatus(runId, "previewed"))
  const { version } = await runs.detail({ runId })
  await runs.make({ runId, version, idempotencyKey: randomUUID(), outcome: "pending" })
  await disturb()
  const waited = await until(hasStatus(runId, "made"))
  expect((await runs.detail({ runId })).counts).toMatchObject({ made: 3, parked: 0, waiting: 0 })
  const invoices = await database.direct("owner").rows(sql`
    select i.kind, i.status, i.subtotal_cents as subtotal, i.total_cents as total, i.period_start_on::text as period,
      count(l.id) as lines, count(distinct (l.member_id, l.billed_month)) as months
    from invoices i join invoice_lines l on l.invoice_id = i.id
    where i.policy_id = any (${sql.param(policyIds)}::uuid[]) group by i.id order by i.subtotal_cents`)
  return { waited, invoices }
}

test.each([
  "writing",
  "noting",
  "committing",
])("killed while %s: the run is taken up, and its invoices equal those of an undisturbed one", async (point) => {
  const owner = database.direct("owner")
  const calm = await madeOf(await threePolicies(`Calm ${point}`), async () => {})
  expect(calm.invoices).toHaveLength(3)
  const policies = await threePolicies(`Hit ${point}`)
  await owner.run(sql`insert into stand_still values (${point})`)
  const hit = await madeOf(policies, async () => {
    await until(standsStill)
    await owner.run(sql`delete from stand_still`)
    await killBoth()
  })
  expect(hit.waited).toBeLessThan(60_000)
  expect(hit.invoices).toEqual(calm.invoices)
  const gaps = await owner.row<{ numbers: number; last: number }>(sql`
      select count(*) as numbers, max(right(number, 6)::int) as last from invoices`)
  expect(gaps!.numbers).toBe(gaps!.last)
}, 240_000)
