import { join } from "node:path"
import { type ListWords, sortsOf } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { PgDialect } from "drizzle-orm/pg-core"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { lists } from "../lists.ts"
import type { Actor } from "../platform/calls/actor.ts"
import type { SourceCx } from "../platform/lists/source.ts"
import { listsOfReports } from "../reports/catalogue.ts"
import { openTestApp, type TestApp } from "./app.ts"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const dialect = new PgDialect()
const folder = join(import.meta.dirname, "../../../docs/sql")

/** A statement with its values in their places, to be read, and run, as it stands. */
function written(statement: SQL): string {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  const filled = text.replace(/\$(\d+)/g, (_, number) => {
    const value = params[number - 1]
    return typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : pg.escapeLiteral(Array.isArray(value) ? `{${value.join(",")}}` : String(value))
  })
  const lines = filled.split("\n").filter((line) => line.trim() !== "")
  const indent = Math.min(...lines.map((line) => line.search(/\S/)))
  return `${lines.map((line) => line.slice(indent).trimEnd()).join("\n")};\n`
}

/** Whether the rows of the page are sorted where an order could be walked: sorting is the planner's last resort here. */
async function isSorted(statement: SQL): Promise<boolean> {
  const plan = await app.app.database.transaction("owner", async (tx) => {
    await tx.run(sql`set local enable_sort = off`)
    await tx.run(sql`set local enable_seqscan = off`)
    return (await tx.rows<{ "QUERY PLAN": string }>(sql`explain ${statement}`)).map((row) => row["QUERY PLAN"])
  })
  const from = plan.findIndex((line) => line.trim() === "CTE found")
  const depth = plan[from]!.search(/\S/)
  const length = plan.slice(from + 1).findIndex((line) => line.search(/\S/) <= depth)
  return plan.slice(from + 1, from + 1 + length).some((line) => /->\s+Sort\b/.test(line))
}

/**
 * What today makes of a row stands in no index: an invoice that is overdue, how long a claim has been waiting. What was
 * collected of a month, and what was owed on a day, is worked out for its policies, a row each, and so is what came of each month, and all that reports say. What the insurer offers is a few dozen rows.
 */
const withoutIndex: Record<string, string[]> = {
  "product-types": ["createdAt"],
  benefits: ["createdAt"],
  tiers: ["createdAt"],
  "product-benefits": ["costCents", "coverAmountCents", "coverPercentage"],
  // Those of a tier with few members are.
  members: ["tier"],
  // What is missing is worked out once, a few rows of each policy that has not ended.
  "required-documents": ["type", "policyNumber", "group"],
  // Claims that wait for a payment are a few rows, which have none of these; payments come by their index and are merged with them.
  payouts: ["needsAction", "number", "completedOn"],
  invoices: ["status"],
  "pending-claims": ["waitingDays", "priority"],
  collection: [
    "groupName",
    "policyNumber",
    "expectedCents",
    "collectedCents",
    "outstandingCents",
    "creditCents",
    "rate",
    "overdueCents",
    "status",
  ],
  reconciliation: ["month", "groupName", "expectedCents", "receivedCents", "differenceCents"],
  "month-policies": ["groupName", "policyNumber"],
  "month-credits": ["number", "groupName", "receivedOn", "creditCents"],
  "vat-return": ["place"],
  "vat-documents": ["countsOn", "number", "groupName", "vatCents"],
  // What is worked out whole has no index; the registers, as long as the book, are read along theirs.
  ...Object.fromEntries(
    listsOfReports
      .filter(({ source }) => source.once)
      .map(({ declared }) => [(declared as ListWords).key, sortsOf(declared as ListWords)]),
  ),
  // Of a period: a day's are in order in an index, and so are an employer's.
  movements: ["movement", "memberName"],
  "debtors-ageing": ["groupName", "policyNumber", "over90", "totalCents", "oldestDueOn"],
}

/** What a list asks for beside what every list does. */
const ownFields: Record<string, object> = { postings: { account: "bank" } }

const listOf = (key: string) => lists.find(({ declared }) => (declared as ListWords).key === key)!

const scopeOf = (actor: Actor): SourceCx => ({
  actor,
  today: "2026-11-02",
  timezone: "Africa/Johannesburg",
  currency: "ZAR",
})

describe.each(lists.map((list) => [(list.declared as ListWords).key, list] as const))("the list %s", (key, list) => {
  const scope = () => scopeOf(app.people.manager)
  const start = () => ({ ...list.start, ...ownFields[key] }) as object

  test(`has its statements in docs/sql/${key}.sql, and they run`, async () => {
    const searches = (list.declared as ListWords).search !== undefined
    const statements = [
      ["As it is opened", written(list.statement(start(), scope()))],
      ...(searches ? [["Searched", written(list.statement({ ...start(), search: "nkosi" }, scope()))]] : []),
    ] as const
    for (const [, statement] of statements) await app.sql.rows(sql.raw(statement!))
    const readable = (statement: string) =>
      statement.replaceAll(app.people.manager.userId, "00000000-0000-4000-8000-000000000001")
    // Written anew by `npx vitest run server/src/test/list-sql -u`.
    await expect(
      statements.map(([when, statement]) => `-- ${when}\n\n${readable(statement)}`).join("\n"),
    ).toMatchFileSnapshot(join(folder, `${key}.sql`))
  })

  test("looks for two letters where a word begins with them", async () => {
    if ((list.declared as ListWords).search === undefined) return
    const statement = written(list.statement({ ...start(), search: "nk" }, scope()))
    expect(statement).toContain("'(^|[")
    expect(statement).not.toContain("like '(^|[")
    await app.sql.rows(sql.raw(statement))
  })

  test("runs searched with each of its filters that has a choice or is a mark", async () => {
    const { search, filters = {} } = list.declared as ListWords
    for (const [name, filter] of Object.entries(search ? filters : {})) {
      const values = filter.kind === "choice" ? filter.values : filter.kind === "flag" ? [true] : []
      for (const value of values) {
        await app.sql.rows(list.statement({ ...start(), search: "nkosi", [name]: value }, scope()))
      }
    }
  })

  test("runs by every sort it offers, both ways, and an index serves each", async () => {
    const sorted = new Set<string>()
    for (const sort of sortsOf(list.declared as ListWords)) {
      for (const dir of ["asc", "desc"]) {
        const statement = list.statement({ ...start(), sort, dir }, scope())
        await app.sql.rows(statement)
        if (await isSorted(statement)) sorted.add(sort)
      }
    }
    expect([...sorted]).toEqual(withoutIndex[key] ?? [])
  })
})

/** What reads rows by an index alone in a statement's plan. */
async function readAlone(statement: SQL): Promise<string[]> {
  const plan = await app.app.database.transaction("owner", async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    await tx.run(sql`set local enable_bitmapscan = off`)
    return (await tx.rows<{ "QUERY PLAN": string }>(sql`explain ${statement}`)).map((row) => row["QUERY PLAN"])
  })
  return plan.flatMap((line) => /Index Only Scan (?:Backward )?using (\w+)/.exec(line)?.[1] ?? [])
}

test.each([
  ["claims", {}, "claims_by_status"],
  ["claims", { decidedTo: "2026-11-02" }, "claims_by_decision"],
  ["pending-claims", {}, "claims_open"],
  ["outstanding-claims", {}, "claims_open"],
  ["scheme-portfolio", {}, "claims_policy"],
  ["payouts", {}, "payouts_of_kind_by_status"],
  ["members", { toComplete: true }, "members_to_complete_by_status"],
  ["members", { tierId: "00000000-0000-4000-8000-000000000001" }, "members_tier"],
  ["members", { sort: "number" }, "members_number_key"],
])("what the list %s counts or puts in order with %j stands in an index", async (key, asked, index) => {
  const list = listOf(key)
  const scope = scopeOf(app.people.manager)
  const statement = list.statement({ ...(list.start as object), ...asked }, scope)
  expect(await readAlone(statement)).toContain(index)
})

test("members by tier are walked by their ids, and not sorted by the hundred thousand", async () => {
  const list = listOf("members")
  const scope = scopeOf(app.people.manager)
  for (const [dir, way] of [
    ["asc", "Scan"],
    ["desc", "Scan Backward"],
  ] as const) {
    const plan = await app.app.database.transaction("owner", async (tx) => {
      await tx.run(sql`set local enable_sort = off`)
      const statement = list.statement({ ...(list.start as object), sort: "tier", dir }, scope)
      return await tx.rows<{ "QUERY PLAN": string }>(sql`explain ${statement}`)
    })
    const lines = plan.map((row) => row["QUERY PLAN"].trim())
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^-> +Index ${way} using members_(pkey|id_group_id_key) `)),
    )
  }
})

test("pending claims are walked by their own numbers, and not from the first of all claims", async () => {
  const list = listOf("pending-claims")
  const scope = scopeOf(app.people.manager)
  const statement = list.statement({ ...(list.start as object), sort: "number" }, scope)
  const plan = await app.app.database.transaction("owner", async (tx) => {
    await tx.run(sql`set local enable_sort = off`)
    return await tx.rows<{ "QUERY PLAN": string }>(sql`explain ${statement}`)
  })
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("using claims_pending_by_number")
})

test("whether a claim waits for its approver is asked of the claim, and not of all that they ever decided", async () => {
  const list = listOf("pending-claims")
  const scope = scopeOf(app.people.underwriter)
  // As if each look cost a lot: what could be read once for all of them then is.
  const plan = await app.app.database.transaction("owner", async (tx) => {
    for (const way of ["indexscan", "indexonlyscan", "bitmapscan"])
      await tx.run(sql.raw(`set local enable_${way} = off`))
    return await tx.rows<{ "QUERY PLAN": string }>(
      sql`explain (verbose) ${list.statement(list.start as object, scope)}`,
    )
  })
  const judged = plan.map((row) => row["QUERY PLAN"]).filter((line) => line.includes("'pending_underwriter'"))
  expect(judged.filter((line) => line.includes("SubPlan"))).not.toEqual([])
  expect(judged.filter((line) => line.includes("hashed SubPlan"))).toEqual([])
})
