import { randomUUID } from "node:crypto"
import { maxEditableMemberLines, maxInvoiceLines } from "@milkwood/domain/billing/invoice-form"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"
import { createInvoiceDocument } from "./invoice-document.ts"

let app: BillingApp
let policyId: string
let groupId: string
const memberCount = maxInvoiceLines + 1_000
beforeAll(async () => {
  app = await openBillingApp()
  const policy = await app.policy({ members: 1 })
  policyId = policy.id
  groupId = policy.groupId
  await app.sql.run(sql`
    with copies as (
      insert into members (id, group_id, policy_id, number, first_name, last_name, id_number, tier_id, status, start_on,
        created_at, updated_at)
      select gen_random_uuid(), group_id, policy_id, 'MBR-X-' || n, 'Sipho', 'Copy ' || n, lpad(n::text, 13, '0'), tier_id, status,
        start_on, created_at, updated_at
      from members, generate_series(2, ${memberCount}::int) n where policy_id = ${policyId}
      returning id, group_id, policy_id, tier_id, start_on, created_at)
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, valid, recorded_at)
    select gen_random_uuid(), group_id, policy_id, id, tier_id, 'covered', daterange(start_on, null), created_at from copies`)
}, 60_000)
afterAll(() => app.close())

const correction = { description: "Correction of October", quantity: 1, unitCents: -100_00 }
const form = {
  kind: "premium" as const,
  invoiceOn: "2026-11-02" as const,
  dueOn: "2026-12-02" as const,
  periodStartOn: "2026-11-01" as const,
  periodEndOn: "2026-11-30" as const,
}

test("an invoice for thousands of members is made without sending the lines to the client", async () => {
  const { manager } = app
  const subtotalCents = memberCount * 350_00
  const filled = await manager.billing.fillLines({ policyId, month: "2026-11-01", invoiceOn: "2026-11-02" })
  expect(filled).toMatchObject({ members: memberCount, subtotalCents, lines: [] })

  const draft = await manager.billing.generate({
    idempotencyKey: randomUUID(),
    invoice: { ...form, policyId, memberLines: "fill", lines: [correction] },
  })
  expect(draft).toMatchObject({
    lineCount: memberCount + 1,
    subtotalCents: subtotalCents - 100_00,
    policy: { membersCovered: memberCount },
  })
  expect(draft.lines).toHaveLength(100)
  const second = await manager.billing.lines({ invoiceId: draft.id, page: 2 })
  expect(second.total).toBe(memberCount + 1)
  expect(second.rows).toHaveLength(100)
  const last = await manager.billing.lines({ invoiceId: draft.id, page: memberCount / 100 + 1 })
  expect(last.rows).toMatchObject([correction])
  expect(new Set([...draft.lines, ...second.rows].map(({ id }) => id)).size).toBe(200)

  const { lines, kept } = await manager.billing.draftLines({ invoiceId: draft.id })
  expect(lines).toMatchObject([correction])
  expect(kept).toEqual({ members: memberCount, subtotalCents, months: [{ month: null, cents: subtotalCents }] })
  const more = { description: "Late joiner of October", quantity: 1, unitCents: 350_00 }
  const edited = await manager.billing.update({
    invoiceId: draft.id,
    version: draft.version,
    invoice: { ...form, memberLines: "keep", lines: [...lines, more] },
  })
  expect(edited).toMatchObject({ lineCount: memberCount + 2, subtotalCents: subtotalCents + 250_00 })
  expect(edited.lines.map((line) => line.memberId)).toEqual(draft.lines.map((line) => line.memberId))
  const fact = await app.sql.row<{ after: { lines: string[] } }>(
    sql`select detail -> 'after' as after from audit_log where fact = 'InvoiceEdited' order by id desc limit 1`,
  )
  expect(fact!.after.lines).toEqual([expect.stringMatching(/^Late joiner of October: 1 /)])

  const sent = await manager.billing.send({
    invoiceId: draft.id,
    version: edited.version,
    idempotencyKey: randomUUID(),
  })
  expect(sent).toMatchObject({ status: "sent", lineCount: memberCount + 2 })
  const printed = await app.transaction(app.people.manager, (cx) =>
    createInvoiceDocument(cx, draft.id, { paidCents: 0 }),
  )
  expect(printed.lines).toMatchObject([
    {
      description: expect.stringMatching(/ members$/),
      quantity: memberCount,
      unitCents: 350_00,
      totalCents: subtotalCents,
    },
    correction,
    more,
  ])
  const holder = app.as(await app.people.policyHolder(groupId))
  const seen = await holder.billing.detail({ invoiceId: draft.id })
  expect(seen).toMatchObject({ lineCount: memberCount + 2, policy: { membersCovered: memberCount }, vat: sent.vat })
  const page = await holder.billing.lines({ invoiceId: draft.id, page: 2 })
  expect(page.total).toBe(memberCount + 2)
  expect(page.rows.map((line) => line.member!.idNumber)).not.toContain(second.rows[0]!.member!.idNumber)
}, 90_000)

test("the database stores line totals on sending and refuses other changes to sent lines", async () => {
  const { manager } = app
  const policy = await app.policy({ members: 2 })
  const { lines } = await manager.billing.fillLines({
    policyId: policy.id,
    month: "2026-11-01",
    invoiceOn: "2026-11-02",
  })
  const typed = (line: (typeof lines)[number], billedMonth: "2026-10-01" | null) => {
    const { description, quantity, unitCents, memberId, tierId } = line
    return { description, quantity, unitCents, memberId, tierId, billedMonth }
  }
  const draft = await manager.billing.generate({
    idempotencyKey: randomUUID(),
    invoice: {
      ...form,
      policyId: policy.id,
      lines: [...lines.map((line) => typed(line, null)), typed(lines[0]!, "2026-10-01"), correction],
    },
  })
  const kept = () =>
    app.sql.row(sql`
      select line_count as lines, member_count as members, earlier_cents as earlier, v.position, v.net_cents as net
      from invoices i left join invoice_vat v on v.invoice_id = i.id where i.id = ${draft.id}`)
  expect(await kept()).toEqual({ lines: null, members: null, earlier: null, position: null, net: null })
  await expect(app.sql.run(sql`update invoices set line_count = 1 where id = ${draft.id}`)).rejects.toThrow(
    /invoice_lines_are_counted_when_sent/,
  )

  await manager.billing.send({ invoiceId: draft.id, version: draft.version, idempotencyKey: randomUUID() })
  const earlier = lines[0]!.unitCents
  expect(await kept()).toEqual({ lines: 4, members: 2, earlier, position: 0, net: draft.subtotalCents })
  await expect(app.sql.run(sql`update invoices set earlier_cents = 1 where id = ${draft.id}`)).rejects.toThrow(
    /never changed/,
  )
  await expect(
    app.sql.run(sql`
      insert into invoices select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'number', 'INV-2026-9', 'member_count', 1))).*
      from invoices i where i.id = ${draft.id}`),
  ).rejects.toThrow(/database maintains/)
})

test("an edit of thousands of lines is summarised in the audit trail", async () => {
  const policy = await app.policy({ members: 1 })
  const lines = Array.from({ length: maxEditableMemberLines + 1 }, (_, n) => ({
    ...correction,
    description: `Line ${n}`,
    unitCents: 1_00,
  }))
  const other = { ...form, kind: "other" as const }
  const draft = await app.manager.billing.generate({
    idempotencyKey: randomUUID(),
    invoice: { ...other, policyId: policy.id, lines },
  })
  await app.manager.billing.update({
    invoiceId: draft.id,
    version: draft.version,
    invoice: { ...other, lines: lines.map((line) => ({ ...line, unitCents: 2_00 })) },
  })
  const fact = await app.sql.row<{ after: { lines: string[] } }>(
    sql`select detail -> 'after' as after from audit_log where fact = 'InvoiceEdited' order by id desc limit 1`,
  )
  expect(fact!.after.lines).toEqual([expect.stringMatching(/^1001 of 1001 lines, R\s2\s002,00 in total/)])
})

test("refuses a partial month, an empty month and an excessive discount on a large invoice", async () => {
  const policy = await app.policy({ members: 1 })
  const generate = (invoice: object) =>
    app.manager.billing.generate({
      idempotencyKey: randomUUID(),
      invoice: { ...form, policyId: policy.id, memberLines: "fill", lines: [], ...invoice },
    })
  const wrong = (path: string, message: string) => ({ code: "INVALID", data: { fields: [{ path, message }] } })
  const before = { periodStartOn: "2025-01-01", periodEndOn: "2025-01-31" }
  await expect(generate(before)).rejects.toMatchObject(wrong("invoice.lines", "Please add at least one line item"))
  const month = "Member lines bill a full month: set the period from its first to its last day"
  await expect(generate({ periodEndOn: "2026-12-15" })).rejects.toMatchObject(wrong("invoice.periodStartOn", month))
  await expect(generate({ kind: "other" })).rejects.toMatchObject(wrong("invoice.periodStartOn", month))
  const one = await app.policy({ members: 1 })
  await expect(generate({ policyId: one.id, discountCents: 350_01, discountReason: "Too much" })).rejects.toMatchObject(
    wrong("invoice.discountCents", "The discount cannot exceed the subtotal"),
  )
  await expect(generate({ policyId: one.id, lines: [{ ...correction, unitCents: -350_01 }] })).rejects.toMatchObject(
    wrong("invoice.lines", "The total of the lines cannot be negative"),
  )
})
