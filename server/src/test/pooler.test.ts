import { randomUUID } from "node:crypto"
import { createRouterClient } from "@orpc/server"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "../claims/claim-scene.samples.ts"
import { createApprovedClaim, createClaimPendingAt } from "../claims/claims.samples.ts"
import { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { Database } from "../platform/database/database.ts"
import { runDueJobs } from "../platform/work/jobs.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { router } from "../router.ts"
import { checkDatabase, checkPooler } from "../runtime/external-database.ts"
import { findLink } from "../users/browser.samples.ts"
import { scryptParameters } from "../users/passwords.ts"
import type { Client } from "./app.ts"
import { pgbouncerProgram, TestPgBouncer } from "./pgbouncer.ts"
import { ServerProcess } from "./server-process.ts"

/* PgBouncer with three connections per role: statements outside a transaction may run on different connections, and
   session state must not leak to the next user. */

if (!pgbouncerProgram) console.warn("PgBouncer is not installed (apt-get install pgbouncer): its test is skipped.")

describe.skipIf(!pgbouncerProgram)("through a PgBouncer in transaction mode", () => {
  let app: ClaimApp
  let house: ClaimApp
  let behind: App
  let pgbouncer: TestPgBouncer
  let wharf: ClaimScene
  let mill: ClaimScene
  let claimOfWharf: { number: string; status: string }
  const closing: (() => Promise<unknown>)[] = []

  const pooled = (): App => {
    const database = new Database(app.app.database.ownerUrl, { maxConnections: 12, pooledUrl: pgbouncer.url })
    closing.push(() => database.close())
    const { clock, files, log, reactions, jobs, publicUrl, secretKey } = app.app
    return new App({ database, clock, files, log, reactions, jobs, publicUrl, secretKey })
  }
  const clientOf = (of: App) => (actor: UserActor | null) =>
    createRouterClient(router, { context: () => ({ app: of, actor, requestId: randomUUID() }) }) as Client

  beforeAll(async () => {
    scryptParameters.cost = 16
    app = await openClaimApp({ now: Temporal.Now.instant().toString() })
    pgbouncer = await TestPgBouncer.started(app.sql, app.app.database.ownerUrl, 3)
    behind = pooled()
    house = { ...app, app: behind, as: clientOf(behind) }
    wharf = await insureGroup(house, "Wharf Foods")
    mill = await insureGroup(house, "Mill Stores")
  }, 120_000)
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
    await pgbouncer?.close()
    await app?.close()
  })

  test("a claim runs from draft to payment, and the ledger balances", async () => {
    claimOfWharf = await createApprovedClaim(wharf.cast, wharf.sample)
    expect(claimOfWharf.status).toBe("approved")
    expect((await app.sql.rows(sql`select from ledger_postings`)).length).toBeGreaterThan(0)
    expect(await verifyLedger(app.sql)).toEqual([])
    const gone = await app.sql.rows(sql`
      select from pg_stat_activity where datname = current_database() and usename like 'milkwood%' and state like 'idle in transaction%'`)
    expect(gone).toEqual([])
  }, 120_000)

  test("concurrent users of two employers and staff see only their own data", async () => {
    const claim = await createClaimPendingAt(mill.cast, "underwriter", mill.sample)
    const groups = async (actor: UserActor) => {
      const client = house.as(actor)
      const [policies, members, claims] = await Promise.all([
        client.policies.list({}),
        client.members.list({}),
        client.claims.list({}),
      ])
      const seen = [
        ...policies.rows.map(({ groupName }) => groupName),
        ...members.rows.map(({ groupName }) => groupName),
      ]
      return [...new Set(seen), ...claims.rows.map(({ number }) => number)].sort()
    }
    const refuses = async (actor: UserActor) => {
      const found = await house
        .as(actor)
        .claims.detail({ claimId: claim.id })
        .then(
          () => "found",
          (error: { code: string }) => error.code,
        )
      return found
    }
    const round = async () => {
      const [one, other, holder, staff, stranger] = await Promise.all([
        groups(wharf.people.hr),
        groups(mill.people.hr),
        groups(mill.people.signatory),
        groups(app.people.manager),
        refuses(wharf.people.hr2),
      ])
      expect(one).toEqual([claimOfWharf.number, "Wharf Foods"])
      expect(other).toEqual([claim.number, "Mill Stores"])
      expect(holder).toEqual([claim.number, "Mill Stores"])
      expect(staff).toEqual([claimOfWharf.number, claim.number, "Mill Stores", "Wharf Foods"].sort())
      expect(stranger).toBe("NOT_FOUND")
    }
    for (let nth = 0; nth < 6; nth++) await Promise.all(Array.from({ length: 5 }, round))
  }, 120_000)

  test("transaction settings are reset after a success, a failure or a disconnect", async () => {
    const scoped = behind.database.direct("scoped")
    const left = () =>
      Promise.all(
        Array.from({ length: 9 }, () =>
          scoped.row<{ groups: string | null; policies: number; zone: string; time: string }>(sql`
            select nullif(current_setting('app.groups', true), '') as groups, current_setting('TimeZone') as zone,
              current_setting('statement_timeout') as time, (select count(*) from policies) as policies`),
        ),
      )
    const clean = { groups: null, policies: 0, zone: "UTC", time: "30s" }
    const actor = wharf.people.hr
    const seen = await behind.database.transaction(
      "scoped",
      (tx) => tx.row<{ n: number }>(sql`select count(*) as n from policies`),
      actor,
    )
    expect(seen).toEqual({ n: 1 })
    expect(await left()).toEqual(Array(9).fill(clean))
    const failing = behind.database.transaction("scoped", (tx) => tx.run(sql`select 1 / 0`), actor)
    await expect(failing).rejects.toMatchObject({ code: "22012" })
    expect(await left()).toEqual(Array(9).fill(clean))
    const caller = new AbortController()
    const waiting = behind.database.transaction(
      "scoped",
      (tx) => tx.run(sql`select pg_sleep(30)`),
      actor,
      caller.signal,
    )
    setTimeout(() => caller.abort(), 300)
    await expect(waiting).rejects.toThrow()
    await vi.waitUntil(
      async () =>
        (
          await app.sql.rows(
            sql`select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
          )
        ).length === 0,
      { timeout: 10_000 },
    )
    expect(await left()).toEqual(Array(9).fill(clean))

    // Only job transactions have a longer timeout.
    const time = sql`select current_setting('statement_timeout') as time`
    const jobs = await behind.database.transaction("jobs", (tx) => tx.row(time))
    expect(jobs).toEqual({ time: "1h" })
    const staff = await Promise.all(Array.from({ length: 9 }, () => behind.database.direct("staff").row(time)))
    expect(staff).toEqual(Array(9).fill({ time: "30s" }))
  }, 60_000)

  test("only one of two processes locks a job, on a direct database connection", async () => {
    const second = pooled()
    const manager = house.as(app.people.manager)
    const made = await Promise.all(
      Array.from({ length: 4 }, () =>
        manager.reports.generate({
          ...{ report: "member_register", format: "csv", query: {}, idempotencyKey: randomUUID() },
        }),
      ),
    )
    const signal = new AbortController().signal
    const ran = await Promise.all([runDueJobs(behind, behind.jobs, signal), runDueJobs(second, second.jobs, signal)])
    expect(ran[0] + ran[1]).toBeGreaterThanOrEqual(made.length)
    const runs = await app.sql.rows<{ state: string; attempts: number; rows: number }>(sql`
      select r.state, j.attempts, r.rows from report_runs r join jobs j on j.payload ->> 'runId' = r.id::text`)
    expect(runs).toEqual(Array(4).fill({ state: "done", attempts: 1, rows: 4 }))
    const held = await app.sql.rows(sql`
      select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)
    expect(held).toEqual([])
  }, 60_000)

  test("a server handles sign-in and live events, and recovers from a pooler outage", async () => {
    const email = "thandi@example.test"
    const password = "Under-the-milkwood-26"
    const { link } = await house.as(app.people.admin).users.invite({ email, role: "manager" })
    const env = { DATABASE_URL: pgbouncer.url, DATABASE_SESSION_URL: app.app.database.ownerUrl }
    const server = await new ServerProcess(env).start()
    closing.push(() => server.close())
    const call = (path: string, json: unknown, cookie = "") =>
      fetch(`${server.url}/rpc/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", cookie },
        body: JSON.stringify({ json }),
      })
    const { token } = findLink(link)
    expect((await call("users/acceptInvitation", { token, fullName: "Thandi Mokoena", password })).status).toBe(200)
    const entered = await call("users/signIn", { email, password })
    expect(entered.status).toBe(200)
    const cookie = entered.headers.getSetCookie()[0]!.split(";")[0]!
    const listed = await call("members/list", {}, cookie)
    expect(((await listed.json()) as { json: { rows: unknown[] } }).json.rows.length).toBe(4)

    const listening = new AbortController()
    const live = await fetch(`${server.url}/api/live`, { headers: { cookie }, signal: listening.signal })
    let heard = ""
    const reading = (async () => {
      for await (const part of live.body!.pipeThrough(new TextDecoderStream())) heard += part
    })().catch(() => {})
    const claim = await createClaimPendingAt(wharf.cast, "underwriter", {
      ...wharf.sample,
      memberId: wharf.secondMemberId,
    })
    await vi.waitUntil(() => heard.includes(claim.id), { timeout: 20_000 })
    listening.abort()
    await reading

    const { runId } = await house.as(app.people.manager).reports.generate({
      ...{ report: "member_register", format: "csv", query: {}, idempotencyKey: randomUUID() },
    })
    const done = async () =>
      (await app.sql.row<{ state: string }>(sql`select state from report_runs where id = ${runId}`))?.state === "done"
    await vi.waitUntil(done, { timeout: 30_000, interval: 100 })
    await vi.waitUntil(async () => (await app.sql.rows(sql`select from audit_unsealed limit 1`)).length === 0, {
      timeout: 30_000,
      interval: 100,
    })

    await pgbouncer.kill()
    expect((await call("members/list", {}, cookie)).status).toBe(503)
    await pgbouncer.start()
    await vi.waitUntil(async () => (await call("members/list", {}, cookie)).status === 200, { timeout: 20_000 })
  }, 180_000)

  test("refuses a pooler as direct connection, without a required role, or with another database", async () => {
    const staff = behind.database.url("staff", pgbouncer.url)
    await expect(checkDatabase(staff)).rejects.toThrow(
      "DATABASE_URL is the address of a pooler, such as PgBouncer: set DATABASE_SESSION_URL",
    )
    await expect(checkDatabase(staff, "DATABASE_SESSION_URL")).rejects.toThrow(
      "it must be the address of the database itself",
    )
    await checkPooler(behind.database)
    const refusal = async (change: (url: URL) => void) => {
      const url = new URL(pgbouncer.url)
      change(url)
      const database = new Database(app.app.database.ownerUrl, { pooledUrl: url.href })
      const said = await checkPooler(database).catch((error: Error) => error.message)
      await database.close()
      return said
    }
    expect(await refusal((url) => (url.pathname = "/nowhere"))).toMatch(
      /^The pooler of DATABASE_URL cannot be used as milkwood_staff: /,
    )
    expect(await refusal((url) => (url.port = "1"))).toMatch(/no server answers at that host and port/)
    const other = new URL(app.app.database.ownerUrl)
    expect(
      await refusal((url) => {
        ;[url.port, url.pathname] = [other.port, "/postgres"]
      }),
    ).toBe("DATABASE_URL and DATABASE_SESSION_URL are two different databases: they must be the same.")
  }, 60_000)
})
