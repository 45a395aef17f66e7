import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readProcedure, writeProcedure } from "@milkwood/domain/kernel/procedure"
import { oc } from "@orpc/contract"
import { call } from "@orpc/server"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { z } from "zod"
import { openTestApp, type TestApp } from "../test/app.ts"
import { command, query, type RequestContext, refused } from "./calls/commands.ts"
import { nextNumber } from "./database/numbering.ts"
import { record } from "./trail/facts.ts"
import { sealAudit, verifyAudit } from "./trail/sealer.ts"
import { type JobHandler, job, runDueJobs, startJob } from "./work/jobs.ts"
import { summariseChanges } from "./work/live.ts"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const createContext = (actor: RequestContext["actor"] = app.people.manager): RequestContext => ({
  app: app.app,
  actor,
  requestId: randomUUID(),
})

const takeCommand = command(
  writeProcedure("receipts.write", { idempotent: true })
    .route({ method: "POST", path: "/test" })
    .input(z.object({ idempotencyKey: z.uuid(), amount: z.int() }))
    .output(z.object({ number: z.string() })),
  async ({ tx, input }) => {
    if (input.amount < 0) throw refused("NOT_FOUND")
    return { number: await nextNumber(tx, "receipt", "2026-11-02") }
  },
)

describe("a command", () => {
  test("50 concurrent calls with one idempotency key have one effect", async () => {
    const input = { idempotencyKey: randomUUID(), amount: 100 }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call(takeCommand, input, { context: createContext() })),
    )
    expect(new Set(answers.map((answer) => answer.number)).size).toBe(1)
  })

  test("a command refuses an idempotency key that was used for another request", async () => {
    const idempotencyKey = randomUUID()
    await call(takeCommand, { idempotencyKey, amount: 1 }, { context: createContext() })
    await expect(call(takeCommand, { idempotencyKey, amount: 2 }, { context: createContext() })).rejects.toMatchObject({
      code: "KEY_REUSED",
      status: 409,
    })
  })

  test("a command retries once after a constraint violation, then refuses with a named error", async () => {
    let tries = 0
    const taken = randomUUID()
    const adding = (name: () => string) =>
      command(
        writeProcedure("receipts.write").route({ method: "POST", path: "/test" }).output(z.object({})),
        async ({ tx, now }) => {
          tries++
          await tx.run(sql`
            insert into benefits (id, name, created_at) values (gen_random_uuid(), ${name()}, ${now}::timestamptz)`)
          return {}
        },
      )
    await call(
      adding(() => taken),
      undefined,
      { context: createContext() },
    )
    await expect(
      call(
        adding(() => taken),
        undefined,
        { context: createContext() },
      ),
    ).rejects.toMatchObject({
      code: "CONFLICT",
      status: 409,
    })
    expect(tries).toBe(3)
    await expect(
      call(
        adding(() => (tries === 4 ? taken : randomUUID())),
        undefined,
        { context: createContext() },
      ),
    ).resolves.toEqual({})
  })

  test("a refusal is not stored under the idempotency key", async () => {
    const idempotencyKey = randomUUID()
    await expect(call(takeCommand, { idempotencyKey, amount: -1 }, { context: createContext() })).rejects.toMatchObject(
      {
        code: "NOT_FOUND",
      },
    )
    await expect(
      call(takeCommand, { idempotencyKey, amount: 5 }, { context: createContext() }),
    ).resolves.toHaveProperty("number")
  })

  test("a command checks the permission before the input, and names the invalid fields", async () => {
    const wrong = { idempotencyKey: "x", amount: 1.5 } as never
    await expect(call(takeCommand, wrong, { context: createContext(null) })).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      status: 401,
    })
    await expect(call(takeCommand, wrong, { context: createContext(app.people.underwriter) })).rejects.toMatchObject({
      code: "FORBIDDEN",
      status: 403,
    })
    await expect(call(takeCommand, wrong, { context: createContext() })).rejects.toMatchObject({
      code: "INVALID",
      status: 422,
      data: { fields: [{ path: "idempotencyKey" }, { path: "amount" }] },
    })
  })

  test("a command without a declared permission refuses every caller", async () => {
    const undeclared = query(
      oc.$meta({ permission: undefined, kind: "read", idempotent: false } as const).input(z.object({})) as never,
      async () => ({}) as never,
    )
    await expect(call(undeclared as never, {} as never, { context: createContext() as never })).rejects.toThrow()
  })
})

test("an employer's users run under row-level security, the insurer's users as staff", async () => {
  const who = query(
    readProcedure("policies.read")
      .input(z.object({}))
      .output(z.object({ role: z.string() })),
    async ({ tx }) => (await tx.row<{ role: string }>(sql`select current_user as role`))!,
  )
  const groupAdmin = { ...app.people.manager, role: "group_admin" as const, groupIds: [randomUUID()] }
  await expect(call(who, {}, { context: createContext(groupAdmin) })).resolves.toEqual({ role: "milkwood_scoped" })
  await expect(call(who, {}, { context: createContext() })).resolves.toEqual({ role: "milkwood_staff" })
})

describe("the audit trail", () => {
  test("several facts keep their order and cause one notification", async () => {
    const facts = Array.from({ length: 12 }, (_, index) => ({
      type: "MemberRemoved" as const,
      record: { kind: "member" as const, id: randomUUID(), label: `M-${index}` },
      groupId: null as unknown as string,
    }))
    await app.transaction(app.people.manager, (cx) => record(cx, facts))
    const rows = await app.sql.rows<{ label: string }>(sql`
      select record_label as label from audit_log where record_id = any (${sql.param(facts.map((fact) => fact.record.id))}::uuid[])
      order by id`)
    expect(rows.map(({ label }) => label)).toEqual(facts.map((fact) => fact.record.label))
    const news = facts.map(({ record: { kind, id }, groupId }) => ({ kind, id, groupId }))
    expect(summariseChanges(news)).toEqual([{ kind: "member", id: null, groupId: null }])
    expect(summariseChanges(news.slice(0, 2))).toEqual(news.slice(0, 2))
  })

  const seal = () => join(app.app.files.folder, "..", "audit.seal")
  const insert = (label: string) =>
    app.sql.run(sql`
      insert into audit_log (at, actor_name, fact, record_kind, record_label, detail)
      values (${app.clock.now()}, 'Ada', 'Tested', 'test', ${label}, '{"after":{"a":1}}')`)
  const tampered = (change: ReturnType<typeof sql>) =>
    app.app.database.transaction("owner", async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`)
      await tx.run(change)
    })

  test("the audit trail cannot be updated or deleted by any role", async () => {
    await insert("kept")
    for (const role of ["staff", "scoped", "auth"] as const) {
      for (const change of [
        sql`update audit_log set actor_name = 'x'`,
        sql`delete from audit_log`,
        sql`truncate audit_log cascade`,
      ]) {
        await expect(app.app.database.direct(role).run(change)).rejects.toThrow()
      }
    }
    await expect(app.sql.run(sql`delete from audit_log`)).rejects.toThrow(/never changed/)
  })

  test("the check detects edited, removed and cut-off rows of the audit trail", async () => {
    for (const label of ["one", "two", "three"]) await insert(label)
    while ((await sealAudit(app.app, seal())) > 0);
    await expect(verifyAudit(app.app.database, seal())).resolves.toMatchObject({
      ok: true,
      unsealed: 0,
      faults: [],
    })

    await tampered(sql`update audit_log set actor_name = 'Eve' where record_label = 'two'`)
    expect((await verifyAudit(app.app.database, seal())).faults.join()).toMatch(/edited/)
    await tampered(sql`update audit_log set actor_name = 'Ada' where record_label = 'two'`)
    expect((await verifyAudit(app.app.database, seal())).ok).toBe(true)

    await app.sql.run(sql`
      insert into audit_log (id, at, actor_name, fact, record_kind, record_label, detail) overriding system value
      values (-1000000, ${app.clock.now()}, 'Ada', 'Tested', 'test', 'committed late', '{}')`)
    await sealAudit(app.app, seal())
    await expect(verifyAudit(app.app.database, seal())).resolves.toMatchObject({ ok: true, unsealed: 0 })

    await insert("four")
    await sealAudit(app.app, seal())
    await tampered(sql`delete from audit_log where record_label = 'one'`)
    expect((await verifyAudit(app.app.database, seal())).faults.join()).toMatch(/removed/)
    await tampered(sql`delete from audit_seals where seq = (select max(seq) from audit_seals)`)
    expect((await verifyAudit(app.app.database, seal())).faults.join()).toMatch(/cut off/)
    await writeFile(seal(), "")
  })
})

describe("jobs", () => {
  const start = (kind: string) =>
    app.transaction(app.people.manager, (cx) => startJob(cx, { kind, label: "A job", payload: { n: 1 } }))
  const runUntil = (signal: AbortSignal, ...handlers: JobHandler[]) => runDueJobs(app.app, handlers, signal)
  const run = (...handlers: JobHandler[]) => runUntil(new AbortController().signal, ...handlers)
  const row = (id: string) =>
    app.sql.row<{ state: string; attempts: number; done: number }>(
      sql`select state, attempts, done from jobs where id = ${id}`,
    )

  test("a job runs once, with progress, also with two concurrent workers", async () => {
    let runs = 0
    const count = job<{ n: number }>("test.count", async ({ progress }) => {
      runs++
      await progress(3, 10)
    })
    const id = await start("test.count")
    await Promise.all([run(count), run(count)])
    expect(runs).toBe(1)
    await expect(row(id)).resolves.toEqual({ state: "done", attempts: 1, done: 3 })
  })

  test("the next worker resumes an interrupted job", async () => {
    const id = await start("test.cut")
    await app.sql.run(sql`update jobs set state = 'running', attempts = 1 where id = ${id}`)
    await run(job("test.cut", async () => "ok"))
    await expect(row(id)).resolves.toMatchObject({ state: "done", attempts: 2 })
  })

  test("a job is given up after ten starts that end the server", async () => {
    const id = await start("test.deadly")
    let givenUp = 0
    const deadly = job(
      "test.deadly",
      async () => "never reached",
      async () => {
        givenUp++
      },
    )
    await app.sql.run(sql`update jobs set state = 'running', attempts = 10 where id = ${id}`)
    await run(deadly)
    await run(deadly)
    expect(givenUp).toBe(1)
    await expect(row(id)).resolves.toMatchObject({ state: "failed", attempts: 11 })
  })

  test("a failing job is tried three times in all", async () => {
    const id = await start("test.fail")
    const fail = job("test.fail", async () => {
      throw new Error("The file cannot be read.")
    })
    for (let attempt = 1; attempt <= 3; attempt++) {
      await run(fail)
      await app.sql.run(sql`update jobs set run_at = clock_timestamp() where id = ${id}`)
    }
    await expect(row(id)).resolves.toMatchObject({ state: "failed", attempts: 3 })
    const jobs = await app.as(app.people.manager).platform.jobs.list({})
    expect(jobs.find((job) => job.id === id)).toMatchObject({ state: "failed", message: "The file cannot be read." })
    await expect(app.as(app.people.manager2).platform.jobs.get({ jobId: id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    })
  })

  test("a completed job stays done if its handler fails afterwards", async () => {
    const id = await start("test.done")
    await run(
      job("test.done", async ({ complete, transaction }) => {
        await transaction((cx) => complete(cx))
        throw new Error("It comes too late.")
      }),
    )
    await expect(row(id)).resolves.toMatchObject({ state: "done", attempts: 1 })
  })

  test("ten or more server stops do not use up a job's retries", async () => {
    const id = await start("test.stop")
    for (let stop = 1; stop <= 11; stop++) {
      const closing = new AbortController()
      const stopped = job("test.stop", async ({ signal }) => {
        closing.abort()
        if (stop % 2) signal.throwIfAborted()
      })
      await runUntil(closing.signal, stopped)
      await expect(row(id)).resolves.toMatchObject({ state: "running", attempts: 0 })
    }
    await run(
      job("test.stop", async () => {
        throw new Error("The first that really failed.")
      }),
    )
    await expect(row(id)).resolves.toMatchObject({ state: "queued", attempts: 1 })
  })

  test.each([
    "before",
    "after",
  ])("a worker that lost its lock %s its end cannot overwrite the next worker's result", async (when) => {
    const id = await start("test.lost")
    const holders = sql`
      from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`
    const taken = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    onTestFinished(() => goOn.resolve())
    const next = job("test.lost", async () => {
      taken.resolve()
      await goOn.promise
      return "ok"
    })
    let over: Promise<number> | undefined
    const lost = job("test.lost", async () => {
      await app.sql.run(sql`select pg_terminate_backend(pid) ${holders}`)
      await vi.waitUntil(async () => !(await app.sql.row(sql`select 1 ${holders}`)), { timeout: 10_000 })
      over = run(next)
      await taken.promise
      if (when === "after") {
        goOn.resolve()
        await over
      }
      throw new Error("It comes too late.")
    })
    await run(lost).catch(() => {})
    await expect(row(id)).resolves.toMatchObject({ state: when === "before" ? "running" : "done", attempts: 2 })
    goOn.resolve()
    await over
    await expect(row(id)).resolves.toMatchObject({ state: "done", attempts: 2 })
  })
})
