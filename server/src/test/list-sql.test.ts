import { join } from "node:path"
import { type ListWords, sortsOf } from "@milkwood/domain/kernel/list"
import { type SQL, sql } from "drizzle-orm"
import { PgDialect } from "drizzle-orm/pg-core"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { lists } from "../lists.ts"
import type { Actor } from "../platform/calls/actor.ts"
import { SelectStatements } from "../platform/lists/select-statements.ts"
import type { SourceCx } from "../platform/lists/source.ts"
import type { ListStatements } from "../platform/lists/statements.ts"
import { tableReportLists } from "../reports/catalogue.ts"
import { openTestApp, type TestApp } from "./app.ts"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const dialect = new PgDialect()
const folder = join(import.meta.dirname, "../../../docs/sql")

function toPlainSql(statement: SQL): string {
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

/** Whether the plan sorts although an index could give the order. */
async function isSorted(statement: SQL): Promise<boolean> {
  const plan = await app.app.database.transaction("owner", async (tx) => {
    await tx.run(sql`set local enable_sort = off`)
    await tx.run(sql`set local enable_seqscan = off`)
    return (await tx.rows<{ "QUERY PLAN": string }>(sql`explain ${statement}`)).map((row) => row["QUERY PLAN"])
  })
  // The plan of a page's ids: the CTE `found`, or an InitPlan for lists with their own statements.
  const named = plan.findIndex((line) => line.trim() === "CTE found")
  const from = named < 0 ? plan.findIndex((line) => line.trim().startsWith("InitPlan")) : named
  const depth = plan[from]!.search(/\S/)
  const length = plan.slice(from + 1).findIndex((line) => line.search(/\S/) <= depth)
  return plan.slice(from + 1, from + 1 + length).some((line) => /->\s+Sort\b/.test(line))
}

/**
 * Sorts without an index: values computed from today's date (overdue, waiting days), aggregates per policy or month,
 * and reports. The insurer has only a few dozen products.
 */
const sortsWithoutIndex: Record<string, string[]> = {
  "product-types": ["createdAt"],
  benefits: ["createdAt"],
  tiers: ["createdAt"],
  "product-benefits": ["costCents", "coverAmountCents", "coverPercentage"],
  members: ["tier"],
  // Missing documents are computed once; there are a few for each policy that has not ended.
  "required-documents": ["type", "policyNumber", "group"],
  // Unpaid claims are a few computed rows; they are sorted and merged with payments read by index.
  payouts: ["needsAction", "number", "amountCents", "createdAt", "completedOn"],
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
  // At most one row per policy, computed from its lists.
  "outstanding-lists": ["groupName", "policyNumber", "dueOn", "daysLate"],
  "month-policies": ["groupName", "policyNumber"],
  "month-credits": ["number", "groupName", "receivedOn", "creditCents"],
  "vat-return": ["place"],
  "vat-documents": ["countsOn", "number", "groupName", "vatCents"],
  // A report computed as a whole has no index; the long registers use one.
  ...Object.fromEntries(
    tableReportLists
      .filter(({ statements }) => statements instanceof SelectStatements && statements.source.materialized)
      .map(({ declared }) => [(declared as ListWords).key, sortsOf(declared as ListWords)]),
  ),
  "debtors-ageing": ["groupName", "policyNumber", "over90", "totalCents", "oldestDueOn"],
}

const pageStatementOf = (list: { statements: ListStatements }, asked: object, scope: SourceCx): SQL =>
  list.statements.written(asked, scope).page!

const extraFields: Record<string, object> = { postings: { account: "bank" } }

const listOf = (key: string) => lists.find(({ declared }) => (declared as ListWords).key === key)!

const sourceCxOf = (actor: Actor): SourceCx => ({
  actor,
  today: "2026-11-02",
  timezone: "Africa/Johannesburg",
  currency: "ZAR",
})

test("the list engine has at most ten options, each used by at least three lists", () => {
  const uses = new Map<string, number>()
  for (const { statements } of lists) {
    if (!(statements instanceof SelectStatements)) continue
    for (const [option, value] of Object.entries(statements.source)) {
      if (value) uses.set(option, (uses.get(option) ?? 0) + 1)
    }
  }
  expect(uses.size).toBeLessThanOrEqual(10)
  expect([...uses].filter(([, count]) => count < 3)).toEqual([])
})

describe.each(lists.map((list) => [(list.declared as ListWords).key, list] as const))("the list %s", (key, list) => {
  const scope = () => sourceCxOf(app.people.manager)
  const start = () => ({ ...list.start, ...extraFields[key] }) as object

  test(`docs/sql/${key}.sql contains the list's statements, and they run`, async () => {
    const searches = (list.declared as ListWords).search !== undefined
    const { page, ...more } = list.statements.written(start(), scope())
    const statements = [
      ["The list as it is opened", toPlainSql(page!)],
      ...(searches ? [["A search", toPlainSql(pageStatementOf(list, { ...start(), search: "nkosi" }, scope()))]] : []),
      ...Object.entries(more).map(([name, statement]) => [`The ${name} of a page`, toPlainSql(statement)]),
    ] as const
    for (const [, statement] of statements) await app.sql.rows(sql.raw(statement!))
    const readable = (statement: string) =>
      statement.replaceAll(app.people.manager.userId, "00000000-0000-4000-8000-000000000001")
    await expect(
      statements.map(([when, statement]) => `-- ${when}\n\n${readable(statement)}`).join("\n"),
      `docs/sql/${key}.sql is not up to date: npx vitest run server/src/test/list-sql.test.ts -u`,
    ).toMatchFileSnapshot(join(folder, `${key}.sql`))
  })

  test("a search for two letters matches only word beginnings", async () => {
    if ((list.declared as ListWords).search === undefined) return
    const statement = toPlainSql(pageStatementOf(list, { ...start(), search: "nk" }, scope()))
    expect(statement).toContain("'(^|[")
    expect(statement).not.toContain("like '(^|[")
    await app.sql.rows(sql.raw(statement))
  })

  test("a search runs with each choice and flag filter", async () => {
    const { search, filters = {} } = list.declared as ListWords
    for (const [name, filter] of Object.entries(search ? filters : {})) {
      const values = filter.kind === "choice" ? filter.values : filter.kind === "flag" ? [true] : []
      for (const value of values) {
        await app.sql.rows(pageStatementOf(list, { ...start(), search: "nkosi", [name]: value }, scope()))
      }
    }
  })

  test("every sort runs in both directions with an index", async () => {
    const sorted = new Set<string>()
    for (const sort of sortsOf(list.declared as ListWords)) {
      for (const dir of ["asc", "desc"]) {
        const statement = pageStatementOf(list, { ...start(), sort, dir }, scope())
        await app.sql.rows(statement)
        if (await isSorted(statement)) sorted.add(sort)
      }
    }
    expect([...sorted]).toEqual(sortsWithoutIndex[key] ?? [])
  })
})

/** Whether an index-only scan suffices. Hides the other indexes, since for a few test rows PostgreSQL picks any. */
async function usesIndexOnlyScan(statement: SQL, index: string): Promise<boolean> {
  const plan = await app.app.database.transaction("owner", async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    await tx.run(sql`set local enable_bitmapscan = off`)
    const others = sql`
      indexrelid <> ${index}::text::regclass
      and indrelid = (select indrelid from pg_index where indexrelid = ${index}::text::regclass)`
    await tx.run(sql`update pg_index set indisvalid = false where ${others}`)
    const rows = await tx.rows<{ "QUERY PLAN": string }>(sql`explain ${statement}`)
    await tx.run(sql`update pg_index set indisvalid = true where ${others}`)
    return rows.map((row) => row["QUERY PLAN"])
  })
  return plan.some((line) => new RegExp(`Index Only Scan (Backward )?using ${index} `).test(line))
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
])("list %s counts and sorts %j by an index-only scan", async (key, asked, index) => {
  const list = listOf(key)
  const scope = sourceCxOf(app.people.manager)
  const statement = pageStatementOf(list, { ...(list.start as object), ...asked }, scope)
  expect(await usesIndexOnlyScan(statement, index)).toBe(true)
})

test("members by tier are read in id order without a large sort", async () => {
  const list = listOf("members")
  const scope = sourceCxOf(app.people.manager)
  for (const [dir, way] of [
    ["asc", "Scan"],
    ["desc", "Scan Backward"],
  ] as const) {
    const plan = await app.app.database.transaction("owner", async (tx) => {
      await tx.run(sql`set local enable_sort = off`)
      const statement = pageStatementOf(list, { ...(list.start as object), sort: "tier", dir }, scope)
      return await tx.rows<{ "QUERY PLAN": string }>(sql`explain ${statement}`)
    })
    const lines = plan.map((row) => row["QUERY PLAN"].trim())
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^-> +Index ${way} using members_(pkey|id_group_id_key) `)),
    )
  }
})

test("pending claims are read by their own index, not from all claims", async () => {
  const list = listOf("pending-claims")
  const scope = sourceCxOf(app.people.manager)
  const statement = pageStatementOf(list, { ...(list.start as object), sort: "number" }, scope)
  const plan = await app.app.database.transaction("owner", async (tx) => {
    await tx.run(sql`set local enable_sort = off`)
    return await tx.rows<{ "QUERY PLAN": string }>(sql`explain ${statement}`)
  })
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("using claims_pending_by_number")
})

test("the approver check looks up one claim, not all past decisions", async () => {
  const list = listOf("pending-claims")
  const scope = sourceCxOf(app.people.underwriter)
  // Disables index scans, so that the planner prefers a single full read if the query allows one.
  const plan = await app.app.database.transaction("owner", async (tx) => {
    for (const way of ["indexscan", "indexonlyscan", "bitmapscan"])
      await tx.run(sql.raw(`set local enable_${way} = off`))
    return await tx.rows<{ "QUERY PLAN": string }>(
      sql`explain (verbose) ${pageStatementOf(list, list.start as object, scope)}`,
    )
  })
  const judged = plan.map((row) => row["QUERY PLAN"]).filter((line) => line.includes("'pending_underwriter'"))
  expect(judged.filter((line) => line.includes("SubPlan"))).not.toEqual([])
  expect(judged.filter((line) => line.includes("hashed SubPlan"))).toEqual([])
})
