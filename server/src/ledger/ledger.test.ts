import { randomUUID } from "node:crypto"
import type { LedgerEntry } from "@milkwood/domain/ledger/entry"
import { receiptTaken } from "@milkwood/domain/ledger/posting-rules"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import { openTestApp, type TestApp } from "../test/app.ts"
import { post, reverse } from "./post.ts"

let app: TestApp
let policy: { policyId: string; groupId: string; number: string }
beforeAll(async () => {
  app = await openTestApp()
  const { id, groupId, number } = await createActivePolicy(app.as(app.people.manager))
  policy = { policyId: id, groupId, number }
})
afterAll(() => app.close())

const asStaff: TestApp["transaction"] = (_actor, work) => app.transaction(app.people.manager, work)
const postAsManager = (entry: LedgerEntry) => asStaff(app.people.manager, (cx) => post(cx, entry))

let entry: LedgerEntry
beforeEach(() => {
  const { policyId, groupId } = policy
  const receiptId = randomUUID()
  entry = receiptTaken({
    receiptId,
    number: "REC-1",
    paidInto: "bank",
    amountCents: 500_00,
    on: "2026-11-01",
    policy: { policyId, groupId },
  })
})

describe("the journal", () => {
  test("accepts an entry once", async () => {
    await postAsManager(entry)
    await expect(postAsManager(entry)).rejects.toMatchObject({ cause: { code: "23505" } })
  })

  test("refuses an unbalanced entry in the rule and at database commit", async () => {
    const [debit, credit] = entry.postings as [LedgerEntry["postings"][0], LedgerEntry["postings"][0]]
    await expect(postAsManager({ ...entry, postings: [debit] })).rejects.toThrow(/does not balance/)
    await expect(postAsManager({ ...entry, postings: [debit, { ...credit, amountCents: -1 }] })).rejects.toThrow(
      /does not balance/,
    )

    const raw = (legs: number[]) =>
      asStaff(app.people.manager, async ({ tx, now }) => {
        const id = randomUUID()
        await tx.run(sql`
          insert into ledger_entries (id, source, kind, effective_on, posted_at, description, record_kind, record_id)
          values (${id}, ${id}, 'receipt_taken', '2026-11-01', ${now}, 'raw', 'receipt', ${id})`)
        for (const [line, cents] of legs.entries()) {
          await tx.run(
            sql`insert into ledger_postings (entry_id, line, account, amount_cents) values (${id}, ${line}, 'bank', ${cents})`,
          )
        }
      })
    for (const legs of [[], [5], [5, -4], [0, 0]]) await expect(raw(legs), legs.join()).rejects.toThrow()
    await raw([5, -5])
    const added = asStaff(app.people.manager, async ({ tx }) =>
      tx.run(sql`
        insert into ledger_postings (entry_id, line, account, amount_cents)
        select id, 9, 'bank', 100 from ledger_entries where description = 'raw'`),
    )
    await expect(added).rejects.toThrow(/does not balance/)
    await expect(
      asStaff(app.people.manager, ({ tx }) =>
        tx.run(sql`
          insert into ledger_postings (entry_id, line, account, amount_cents)
          select id, 10, 'premium_debtors', 1 from ledger_entries where description = 'raw'`),
      ),
      "a per-policy account without a policy",
    ).rejects.toMatchObject({ code: "23514" })
  })

  test("cannot be changed or deleted by application roles or the owner", async () => {
    await postAsManager(entry)
    for (const change of [
      sql`update ledger_postings set amount_cents = 1`,
      sql`delete from ledger_postings`,
      sql`truncate ledger_entries cascade`,
      sql`update ledger_entries set description = 'x'`,
      sql`delete from ledger_entries`,
    ]) {
      for (const role of ["staff", "scoped", "auth"] as const) {
        await expect(app.app.database.direct(role).run(change)).rejects.toThrow(/permission denied/)
      }
      await expect(app.sql.run(change)).rejects.toThrow(/never changed/)
    }
  })

  test("corrects an entry by only one reversal", async () => {
    await postAsManager(entry)
    const undo = () =>
      asStaff(app.people.manager, (cx) => reverse(cx, [{ source: entry.source, on: "2026-11-03", reason: "bounced" }]))
    const [reversalId] = await undo()
    await expect(undo()).rejects.toMatchObject({ cause: { code: "23505" } })
    const manager = app.as(app.people.manager)
    const reversal = await manager.ledger.entry({ entryId: reversalId! })
    expect(reversal).toMatchObject({
      kind: "reversal",
      effectiveOn: "2026-11-03",
      description: "Reversed: Receipt REC-1 (bounced)",
      postings: [
        { account: "bank", debitCents: 0, creditCents: 500_00, policyNumber: policy.number },
        { account: "unallocated_receipts", debitCents: 500_00, creditCents: 0 },
      ],
    })
    expect(await manager.ledger.entry({ entryId: reversal.reversesId! })).toMatchObject({ reversedById: reversalId })
    await expect(
      asStaff(app.people.manager, (cx) => reverse(cx, [{ source: "receipt:unknown", on: "2026-11-03", reason: "?" }])),
    ).rejects.toThrow(/nothing was posted/)
  })
})

describe("the trial balance", () => {
  test("adds up on every day, and each balance opens its postings", async () => {
    const manager = app.as(app.people.manager)
    const before = await manager.ledger.trialBalance({})
    for (const day of ["2026-11-01", "2026-11-02", "2026-11-05"]) {
      const source = randomUUID()
      await postAsManager({ ...entry, source, effectiveOn: day, description: `Receipt of ${day} 100%` })
    }
    const bank = async (asOf: string) => {
      const balance = await manager.ledger.trialBalance({ asOf })
      expect(balance).toMatchObject({ asOf, balanced: true })
      expect(balance.debitCents).toBe(balance.creditCents)
      expect(balance.accounts).toHaveLength(16)
      return balance.accounts.find(({ account }) => account === "bank")!
    }
    const start = before.accounts.find(({ account }) => account === "bank")!
    expect((await bank("2026-11-02")).debitCents - start.debitCents).toBe(1_000_00)
    expect((await bank("2026-11-05")).debitCents - start.debitCents).toBeGreaterThanOrEqual(1_000_00)
    expect((await bank("2025-01-01")).postings).toBe(0)

    const { account: _, ...shown } = await bank("2026-11-05")
    const opened = await manager.ledger.postings({ account: "bank", asOf: "2026-11-05" })
    expect(opened.total).toBe(shown.postings)
    expect(opened.balanceCents).toBe(shown.debitCents - shown.creditCents)
    expect(opened.rows[0]).toMatchObject({
      effectiveOn: "2026-11-05",
      balanceCents: opened.balanceCents,
      debitCents: 500_00,
    })
    const running = [...opened.rows].reverse()
    running.reduce((balance, row) => {
      const after = balance + row.debitCents - row.creditCents
      expect(row.balanceCents).toBe(after)
      return after
    }, 0)
    expect((await manager.ledger.postings({ account: "bank", search: "100%" })).total).toBe(2)
    expect((await manager.ledger.postings({ account: "bank", asOf: "2026-11-05", search: "100%" })).total).toBe(3)
    expect((await manager.ledger.postings({ account: "bank", policyId: randomUUID() })).total).toBe(0)
  })

  test("lists postings of the same instant in posting order", async () => {
    const sources = Array.from({ length: 12 }, () => randomUUID())
    const entries = sources.map((source) => ({ ...entry, source, description: `In order ${source}` }))
    await asStaff(app.people.manager, (cx) => post(cx, ...entries))
    const { rows } = await app
      .as(app.people.manager)
      .ledger.postings({ account: "bank", search: "In order", dir: "asc" })
    expect(rows.map(({ description }) => description)).toEqual(entries.map(({ description }) => description))
  })

  test.each(["underwriter", "group_admin", "policy_holder", "none"])("is forbidden to %s", async (who) => {
    const actor = {
      underwriter: app.people.underwriter,
      group_admin: await app.people.groupAdmin(policy.groupId),
      policy_holder: await app.people.policyHolder(policy.groupId),
      none: app.people.none,
    }[who]!
    await expect(app.as(actor).ledger.trialBalance({})).rejects.toMatchObject({ code: "FORBIDDEN" })
    await expect(app.as(actor).ledger.postings({ account: "bank" })).rejects.toMatchObject({ code: "FORBIDDEN" })
  })
})

test("verification finds a posting without a record", async () => {
  expect((await verifyLedger(app.sql)).some((fault) => fault.startsWith("posted without a record: receipt:"))).toBe(
    true,
  )
})
