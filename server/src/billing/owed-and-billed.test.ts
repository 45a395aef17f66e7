import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createMember } from "../members/members.samples.ts"
import { createDraftInvoice, createSentInvoice } from "./billing.samples.ts"
import { type BillingApp, openBillingApp } from "./billing-scene.samples.ts"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp()
})
afterAll(() => app.close())

const withPlainSpaces = (text: string) => text.replaceAll("\u00a0", " ")

test("a member's months show owed, billed and the cause, like the next invoice", async () => {
  const { manager } = app
  const { id: policyId, groupId } = await app.policy({ startOn: "2026-08-01" })
  for (const month of ["2026-08-01", "2026-09-01"])
    await createSentInvoice(manager, { policyId, month, invoiceOn: month })
  const october = await createDraftInvoice(manager, { policyId, month: "2026-10-01", invoiceOn: "2026-10-01" })
  app.clock.advance({ hours: 1 })
  const late = await createMember(manager, policyId, {
    firstName: "Thandi",
    lastName: "Mokoena",
    startOn: "2026-09-01",
  })

  const { months } = await manager.billing.memberMonths({ memberId: late.id })
  expect(
    months.map(({ month, owedCents, billedCents, differenceCents }) => [
      month,
      owedCents,
      billedCents,
      differenceCents,
    ]),
  ).toEqual([
    ["2026-11-01", 350_00, 0, 350_00],
    ["2026-10-01", 350_00, 0, 350_00],
    ["2026-09-01", 350_00, 0, 350_00],
  ])
  expect(months.map(({ why }) => why.map(withPlainSpaces))).toEqual([
    ["Not billed yet"],
    ["Thandi Mokoena joined on 2026-09-01, recorded 2026-11-02: October, R 350,00"],
    ["Thandi Mokoena joined on 2026-09-01, recorded 2026-11-02: September, R 350,00"],
  ])

  const [first] = (await manager.members.list({ policyId })).rows.filter(({ id }) => id !== late.id)
  const theirs = (await manager.billing.memberMonths({ memberId: first!.id })).months
  expect(theirs.map(({ month, differenceCents }) => [month, differenceCents])).toEqual([
    ["2026-11-01", 350_00],
    ["2026-10-01", 0],
    ["2026-09-01", 0],
    ["2026-08-01", 0],
  ])
  expect(theirs[1]!.documents).toEqual([
    { kind: "invoice", invoiceId: october.id, number: october.number, cents: 350_00 },
  ])

  const { next } = await manager.billing.nextInvoice({ policyId })
  expect({ ...next, why: next!.why.map(withPlainSpaces) }).toEqual({
    ...{ month: "2026-11-01", members: 2, monthCents: 700_00, adjustmentsCents: 700_00, adjusted: 1, unrated: 0 },
    why: ["Thandi Mokoena joined on 2026-09-01, recorded 2026-11-02: September and October, 2 × R 350,00"],
  })

  const employer = app.as(await app.people.groupAdmin(groupId))
  const seen = (await employer.billing.memberMonths({ memberId: first!.id })).months
  expect(
    seen.map(({ month, billedCents, differenceCents, why }) => [month, billedCents, differenceCents, why]),
  ).toEqual([
    ["2026-11-01", 0, null, []],
    ["2026-10-01", 0, null, []],
    ["2026-09-01", 350_00, null, []],
    ["2026-08-01", 350_00, null, []],
  ])
})

test("a correction is listed beside its invoice", async () => {
  const { manager } = app
  const { id: policyId } = await app.policy({ startOn: "2026-09-01" })
  const invoice = await createSentInvoice(manager, { policyId, month: "2026-09-01", invoiceOn: "2026-09-01" })
  const [member] = (await manager.members.list({ policyId })).rows
  await manager.billing.credit({
    ...{ invoiceId: invoice.id, idempotencyKey: randomUUID(), amountCents: null },
    reason: "Billed by mistake",
  })
  const { months } = await manager.billing.memberMonths({ memberId: member!.id })
  const september = months.find(({ month }) => month === "2026-09-01")!
  expect(september).toMatchObject({ owedCents: 350_00, billedCents: 0, differenceCents: 350_00 })
  expect(september.documents.map(({ kind, cents }) => [kind, cents])).toEqual([
    ["invoice", 350_00],
    ["creditNote", -350_00],
  ])
})
