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
import { serveApp } from "../app.ts"
import { jobs } from "../jobs.ts"
import { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { systemClock } from "../platform/clock.ts"
import { Database } from "../platform/database/database.ts"
import { FileStore } from "../platform/files/files.ts"
import { draftPolicy } from "../policies/policies.samples.ts"
import { reactions } from "../reactions.ts"
import { router } from "../router.ts"
import { runningUrl } from "../runtime/postgres.ts"
import { postgresHome } from "../runtime/postgres-home.ts"
import type { Client } from "../test/app.ts"
import { answers, censusFolder } from "./staff-lists.samples.ts"

/*
 * Real processes: the server as `npm start` runs it, with its embedded PostgreSQL, killed with SIGKILL while an import
 * stands still at a chosen point. Triggers that only this test installs make it stand there: the product has no hook.
 */

const main = join(import.meta.dirname, "../main.ts")
const file = "2-semicolon-cp1252.csv"
const answer = answers[file]!
const actor: UserActor = {
  kind: "user",
  userId: randomUUID(),
  name: "Max Manager",
  email: "max@example.test",
  role: "manager",
  groupIds: [],
}

let dataDir: string
let server: ChildProcess | undefined
let database: Database
let app: App

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "milkwood-crash-"))
  chmodSync(dataDir, 0o711)
  await start()
  database = new Database(runningUrl(postgresHome(dataDir)), { maxConnections: 4 })
  app = new App({
    reactions,
    jobs,
    database,
    clock: systemClock,
    files: new FileStore(join(dataDir, "files")),
    log: pino({ level: "silent" }),
    publicUrl: "http://127.0.0.1:3000",
  })
  const owner = database.direct("owner")
  await owner.run(sql`
    insert into users (id, name, email, email_verified, role, created_at, updated_at)
    values (${actor.userId}, ${actor.name}, ${actor.email}, true, 'manager', ${systemClock.now()}, ${systemClock.now()})`)
  await owner.client.query(`
    create table stand_still (point text primary key);
    create function stand_still() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      if exists (select from stand_still where point = tg_argv[0]) then perform pg_sleep(5); end if;
      return new;
    end $$;
    create trigger preview before insert on staff_list_rows for each row when (new.row = 300) execute function stand_still('preview');
    create trigger writing before insert on members for each row when (new.first_name = 'Vusi' and new.last_name = 'Govender')
      execute function stand_still('writing');
    create constraint trigger committing after update on staff_lists deferrable initially deferred for each row
      when (new.status = 'completed') execute function stand_still('committing');`)
}, 120_000)

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

async function kill(what: string): Promise<void> {
  const postmaster = readFileSync(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8").split("\n")[0]
  if (what !== "the server") process.kill(Number(postmaster), "SIGKILL")
  if (what !== "the database") {
    const ended = once(server!, "exit")
    server!.kill("SIGKILL")
    await ended
    await start()
  }
}

const client = () => createRouterClient(router, { context: () => ({ app, actor, requestId: randomUUID() }) }) as Client

async function uploaded(policyId: string): Promise<string> {
  const http = await serveApp({ app, sessionActor: async () => actor })
  try {
    const url = await http.listen({ host: "127.0.0.1", port: 0 })
    const form = new FormData()
    form.append("policyId", policyId)
    form.append("file", new Blob([readFileSync(join(censusFolder, file))]), file)
    const sent = await fetch(`${url}/api/members/imports`, { method: "POST", body: form })
    return ((await sent.json()) as { importId: string }).importId
  } finally {
    await http.close()
  }
}

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

const hasStatus = (importId: string, status: string) => async () => {
  const found = await database
    .direct("owner")
    .row<{ status: string }>(sql`select status from staff_lists where id = ${importId}`)
  if (found?.status === "failed") throw new Error("the import failed")
  return found?.status === status
}

const moments = ["preview", "writing", "committing"].flatMap((point) =>
  ["the server", "the database", "both"].map((what) => [point, what] as const),
)

test.each(moments)(
  "%s, while %s is killed: the import finishes by itself and nothing is doubled",
  async (point, what) => {
    const owner = database.direct("owner")
    const policy = await draftPolicy(client(), { groupName: `${answer.group} ${point} ${what}` })
    // The list names the group as it is; the policy's description may name it too.
    await owner.run(sql`update policies set description = ${answer.group} where id = ${policy.id}`)
    const importId = await uploaded(policy.id)
    const stop = () => owner.run(sql`insert into stand_still values (${point})`)
    const go = () => owner.run(sql`delete from stand_still`)
    const { staffLists } = client()
    const found = await staffLists.detail({ importId })

    if (point === "preview") await stop()
    await staffLists.check({ importId, version: found.version, mapping: found.mapping })
    if (point !== "preview") {
      await until(hasStatus(importId, "ready"))
      await stop()
      const { version } = await staffLists.detail({ importId })
      await staffLists.import({ importId, version, idempotencyKey: randomUUID() })
    }
    await until(standsStill)
    await go()
    await kill(what)

    const waited = await until(hasStatus(importId, point === "preview" ? "ready" : "completed"))
    expect(waited).toBeLessThan(60_000)
    if (point === "preview") {
      const { version } = await staffLists.detail({ importId })
      await staffLists.import({ importId, version, idempotencyKey: randomUUID() })
      await until(hasStatus(importId, "completed"))
    }

    const refused = await owner.rows<{ row: number; code: string }>(sql`
    select row, problems -> 0 ->> 'code' as code from staff_list_rows where staff_list_id = ${importId} and status = 'error'`)
    expect(Object.fromEntries(refused.map(({ row, code }) => [row, code]))).toEqual(answer.errors)
    const stored = await owner.row(sql`
    select count(*) as members, count(distinct id_number) as people, count(distinct number) as numbers,
      (select count(*) from staff_list_rows where staff_list_id = ${importId}) as rows,
      (select sum(c.members)::integer from member_counts c where c.policy_id = ${policy.id}) as counted,
      (select count(*) from audit_log where fact = 'StaffListImported' and record_id = ${importId}) as facts
    from members where policy_id = ${policy.id}`)
    const members = answer.rows - Object.keys(answer.errors).length
    expect(stored).toEqual({
      members,
      people: members,
      numbers: members,
      rows: answer.rows,
      counted: members,
      facts: 1,
    })
  },
  150_000,
)
