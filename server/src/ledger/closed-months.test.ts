import { randomUUID } from "node:crypto"
import { receiptTaken } from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { closeMonth, lockBooks, reopenMonth } from "./closed-months.ts"
import { post, reverse } from "./post.ts"

let app: TestApp
let policy: { policyId: string; groupId: string }
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
  const { id, groupId } = await createActivePolicy(app.as(app.people.manager))
  policy = { policyId: id, groupId }
})
afterAll(() => app.close())

const asManager: TestApp["transaction"] = (_actor, work) => app.transaction(app.people.manager, work)
const inTransaction = <T>(work: Parameters<typeof asManager<T>>[1]) => asManager(app.people.manager, work)
const closeMonthOf = (month: string) =>
  inTransaction(async (cx) => {
    await lockBooks(cx.tx)
    return closeMonth(cx, month)
  })
const reopenMonthOf = (month: string) => inTransaction((cx) => reopenMonth(cx, month, "An invoice was missing"))
const createReceiptEntry = (on: string) =>
  receiptTaken({ receiptId: randomUUID(), number: "REC", paidInto: "bank", amountCents: 5_00, on, policy })
const postEntry = async (on: string) => {
  const entry = createReceiptEntry(on)
  await inTransaction((cx) => post(cx, entry))
  return { ...entry, effectiveOn: await readEntryDay(entry.source) }
}
const readEntryDay = async (source: string) =>
  (await app.sql.row<{ day: string }>(sql`select effective_on as day from ledger_entries where source = ${source}`))!
    .day
const insertRawEntry = (role: "staff" | "owner", day: string) => {
  const tx = role === "owner" ? app.sql : app.app.database.direct("staff")
  return tx.run(sql`
    insert into ledger_entries (id, source, kind, effective_on, posted_at, description, record_kind, record_id)
    values (gen_random_uuid(), gen_random_uuid(), 'receipt_taken', ${day}, now(), 'raw', 'receipt', gen_random_uuid())`)
}
/** Faults caused by this test, whose postings have no receipt records. */
const expectedFaults = /^posted without a record|^the ledger has another credit than its receipts/
const findUnexpectedFaults = async () => (await verifyLedger(app.sql)).filter((fault) => !expectedFaults.test(fault))

test("postings of a closed month count on the first open day; the database refuses others", async () => {
  const early = await postEntry("2026-10-05")
  expect(early.effectiveOn).toBe("2026-10-05")
  await closeMonthOf("2026-10-01")
  expect((await postEntry("2026-10-31")).effectiveOn).toBe("2026-11-01")
  expect((await postEntry("2026-03-01")).effectiveOn).toBe("2026-11-01")
  expect((await postEntry("2026-11-07")).effectiveOn).toBe("2026-11-07")
  // A reversal also takes effect on the first open day.
  await inTransaction((cx) => reverse(cx, [{ source: early.source, on: "2026-10-06", reason: "twice" }]))
  expect(await readEntryDay(`${early.source}:reversed`)).toBe("2026-11-01")
  for (const role of ["staff", "owner"] as const) {
    for (const day of ["2026-10-31", "2026-09-01"]) {
      await expect(insertRawEntry(role, day), role).rejects.toMatchObject({
        constraint: "ledger_entries_in_open_month",
      })
    }
  }
  expect(await findUnexpectedFaults()).toEqual([])
})

test("a correction never counts before its entry, even when the month was reopened", async () => {
  const late = await postEntry("2026-10-09")
  expect(late.effectiveOn).toBe("2026-11-01")
  await reopenMonthOf("2026-10-01")
  expect((await postEntry("2026-10-09")).effectiveOn).toBe("2026-10-09")
  await inTransaction((cx) => reverse(cx, [{ source: late.source, on: "2026-10-09", reason: "twice" }]))
  expect(await readEntryDay(`${late.source}:reversed`)).toBe("2026-11-01")
  await closeMonthOf("2026-10-01")
  expect(await findUnexpectedFaults()).toEqual([])
})

test("months close once in order, and only the last reopens, in rule and database", async () => {
  await expect(closeMonthOf("2026-10-01")).rejects.toMatchObject({ refusal: { refused: "CLOSED" } })
  await expect(closeMonthOf("2026-11-01")).rejects.toMatchObject({ refusal: { refused: "NOT_OVER" } })
  await expect(closeMonthOf("2026-12-01")).rejects.toMatchObject({ refusal: { refused: "NOT_NEXT" } })
  await expect(reopenMonthOf("2026-09-01")).rejects.toMatchObject({ refusal: { refused: "NOT_LAST_CLOSED" } })
  const rawClose = (month: string) =>
    app.sql.run(sql`
      insert into closed_months (id, month, balances, last_seq, closed_at) values (gen_random_uuid(), ${month}, '{}', 0, now())`)
  for (const month of ["2026-12-01", "2026-10-01", "2026-09-01"])
    await expect(rawClose(month), month).rejects.toMatchObject({ constraint: "closed_months_in_order" })
  await expect(rawClose("2026-11-02")).rejects.toMatchObject({ code: "23514" })
  await expect(app.sql.run(sql`update closed_months set last_seq = 0`)).rejects.toMatchObject({
    constraint: "closed_months_in_order",
  })
  await expect(app.sql.run(sql`delete from closed_months`)).rejects.toThrow(/never changed/)
  await expect(app.app.database.direct("staff").run(sql`update closed_months set last_seq = 0`)).rejects.toThrow(
    /permission denied/,
  )
})

test("one of two concurrent closes succeeds; concurrent postings are before or after it", async () => {
  await reopenMonthOf("2026-10-01")
  const closing = await Promise.allSettled([closeMonthOf("2026-10-01"), closeMonthOf("2026-10-01")])
  expect(closing.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])

  await reopenMonthOf("2026-10-01")
  await Promise.all([
    ...Array.from({ length: 20 }, () => postEntry("2026-10-20")),
    closeMonthOf("2026-10-01"),
    ...Array.from({ length: 20 }, () => postEntry("2026-10-20")),
  ])
  expect(await findUnexpectedFaults()).toEqual([])

  // A close waits for the uncommitted posting and then includes it.
  await reopenMonthOf("2026-10-01")
  const entry = createReceiptEntry("2026-10-21")
  let closed: Promise<string> | undefined
  await inTransaction(async (cx) => {
    await post(cx, entry)
    closed = closeMonthOf("2026-10-01")
    await new Promise((done) => setTimeout(done, 300))
  })
  await closed
  expect(await readEntryDay(entry.source)).toBe("2026-10-21")
  expect(await findUnexpectedFaults()).toEqual([])
})

test("verification compares a closed month's stored balances with the ledger", async () => {
  const [{ balances }] = (await app.sql.rows<{ balances: Record<string, number> }>(
    sql`select balances from closed_months where reopened_at is null`,
  )) as [{ balances: Record<string, number> }]
  expect(balances.bank).toBeGreaterThan(0)
  expect(balances.unallocated_receipts).toBe(-balances.bank!)
  await app.sql.run(
    sql.raw(`do $$ declare the_entry uuid := gen_random_uuid(); begin
      alter table ledger_entries disable trigger refuse_closed_month;
      insert into ledger_entries (id, source, kind, effective_on, posted_at, description, record_kind, record_id)
      values (the_entry, the_entry, 'receipt_taken', '2026-10-31', now(), 'past the trigger', 'receipt', the_entry);
      insert into ledger_postings (entry_id, line, account, amount_cents) values (the_entry, 0, 'bank', 7), (the_entry, 1, 'claims_expense', -7);
      set constraints all immediate;
      alter table ledger_entries enable trigger refuse_closed_month;
    end $$`),
  )
  const found = (await findUnexpectedFaults()).join("\n")
  expect(found).toMatch(/posted into a closed month: .* on 2026-10-31/)
  expect(found).toMatch(/a closed month moved: 2026-10-01 bank/)
})
