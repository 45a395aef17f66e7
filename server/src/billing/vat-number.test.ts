import { randomUUID } from "node:crypto"
import { defaultSettings } from "@milkwood/domain/settings/settings"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createActivePolicy } from "../policies/policies.samples.ts"
import { openTestApp, type TestApp, testOrganisation } from "../test/app.ts"
import { createDraftInvoice, createPendingInvoice, createPremiumRun } from "./billing.samples.ts"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ isSetUp: false })
})
afterAll(() => app.close())

const november = { month: "2026-11-02", invoiceOn: "2026-11-02" }
const blank = defaultSettings.organisation

async function saveOrganisation(organisation: typeof blank) {
  const { settings } = app.as(app.people.admin)
  const { version, settings: held } = await settings.detail()
  return settings.save({ version, settings: { ...held, organisation } })
}

const createRunner = () => ({ manager: app.as(app.people.manager), runJobs: app.runJobs })

/** The VAT number exists while the product type is created. */
async function createPolicyWithVat(percent: number) {
  const name = `Product ${randomUUID()}`
  if (percent > 0) await saveOrganisation(testOrganisation)
  const { productTypes } = app.as(app.people.admin).benefits
  const { id: productTypeId } = await productTypes.create({ name, vatRates: [{ from: null, percent }] })
  const policy = await createActivePolicy(app.as(app.people.manager), {
    productTypeId,
    groupName: name,
    premiumCents: 100_00,
  })
  return { ...policy, productTypeId, productType: name }
}

/** Removes the number from the settings, as in installations older than the rule. */
const removeVatNumber = () =>
  app.sql.run(sql`
    update settings set value = jsonb_set(value, '{vatNumber}', '""') where key = 'organisation'`)

test("without a VAT number only product types without VAT can be created", async () => {
  await saveOrganisation(blank)
  const { productTypes } = app.as(app.people.admin).benefits
  const create = (name: string, vatRates?: { from: string | null; percent: number }[]) =>
    productTypes.create({ name, ...(vatRates && { vatRates }) })
  await expect(create("By default")).rejects.toMatchObject({ code: "NO_VAT_NUMBER" })
  const later = [
    { from: null, percent: 0 },
    { from: "2027-01-01", percent: 15 },
  ]
  await expect(create("From next year", later)).rejects.toMatchObject({ code: "NO_VAT_NUMBER" })
  const before = [
    { from: null, percent: 15 },
    { from: "2026-11-02", percent: 0 },
  ]
  const made = await create("Until today", before)
  const { id, version, name, description, vatRates } = made
  await expect(productTypes.update({ id, version, name, description, vatRates: later })).rejects.toMatchObject({
    code: "NO_VAT_NUMBER",
  })
  expect(await productTypes.update({ id, version, name: "Renamed", description, vatRates })).toMatchObject({
    name: "Renamed",
  })
})

test("refuses to remove the VAT number while product types charge VAT", async () => {
  const { productType, productTypeId } = await createPolicyWithVat(15)
  await expect(saveOrganisation({ ...testOrganisation, vatNumber: "" })).rejects.toMatchObject({
    code: "INVALID",
    data: {
      fields: [
        {
          path: "settings.organisation.vatNumber",
          message: `These product types charge VAT: ${productType}. Set them to exempt or zero-rated first.`,
        },
      ],
    },
  })
  const { productTypes } = app.as(app.people.admin).benefits
  const { version, name, description } = await productTypes.get({ id: productTypeId })
  const vatRates = [{ from: null, percent: 0 }]
  await productTypes.update({ id: productTypeId, version, name, description, vatRates })
  expect((await saveOrganisation({ ...testOrganisation, vatNumber: "" })).settings.organisation.vatNumber).toBe("")
})

test("without a VAT number only invoices without VAT can be made and sent", async () => {
  const taxed = await createPolicyWithVat(15)
  const exempt = await createPolicyWithVat(0)
  const { manager } = createRunner()
  const drafted = await createDraftInvoice(manager, { policyId: taxed.id, ...november })
  await removeVatNumber()

  const sentence = expect.stringMatching(/^The organisation has no VAT number, so it cannot charge VAT\./)
  await expect(
    createDraftInvoice(manager, { policyId: taxed.id, month: "2026-10-01", invoiceOn: "2026-11-02" }),
  ).rejects.toMatchObject({ code: "NO_VAT_NUMBER", message: sentence })
  const send = ({ id: invoiceId, version }: { id: string; version: number }) =>
    manager.billing.send({ invoiceId, version, idempotencyKey: randomUUID() })
  await expect(send(drafted)).rejects.toMatchObject({ code: "NO_VAT_NUMBER", message: sentence })
  expect(await send(await createDraftInvoice(manager, { policyId: exempt.id, ...november }))).toMatchObject({
    status: "sent",
  })

  const october = { policyId: taxed.id, month: "2026-10-01", invoiceOn: "2026-11-02" }
  const before = await app.sql.rows(sql`select id from invoices where policy_id = ${october.policyId}`)
  expect(before).toHaveLength(1)
})

test("a run parks policies with VAT until the organisation has a VAT number", async () => {
  const taxed = await createPolicyWithVat(15)
  const exempt = await createPolicyWithVat(0)
  await removeVatNumber()
  const run = await createPremiumRun(createRunner(), "2026-11-01", [taxed.id, exempt.id], "draft")
  expect(run.counts).toMatchObject({ made: 1, parked: 1 })
  const { runs } = createRunner().manager.billing
  const parked = await runs.policies({ runId: run.id })
  expect(parked.rows.find(({ policyId }) => policyId === taxed.id)?.reason).toMatch(
    /^The organisation has no VAT number/,
  )
  await saveOrganisation(testOrganisation)
  await runs.continue({ runId: run.id, version: run.version, idempotencyKey: randomUUID() })
  await app.runJobs()
  expect((await runs.detail({ runId: run.id })).counts).toMatchObject({ made: 2, parked: 0 })
})

test("without a bank account an invoice can be approved but not sent", async () => {
  const { id: policyId } = await createPolicyWithVat(15)
  const { id: other } = await createPolicyWithVat(15)
  await saveOrganisation({ ...testOrganisation, bankAccount: blank.bankAccount })
  const { manager } = createRunner()
  const { id, version } = await createPendingInvoice(manager, { policyId, ...november })
  const send = () => manager.billing.send({ invoiceId: id, version, idempotencyKey: randomUUID() })
  const refused = {
    code: "NO_BANK_ACCOUNT",
    message:
      "The organisation has no bank account, so the invoice cannot show how to pay. Add one in Settings, General.",
  }
  await expect(send()).rejects.toMatchObject(refused)
  await expect(createPremiumRun(createRunner(), "2026-11-01", [other], "sent")).rejects.toMatchObject(refused)
  const run = await createPremiumRun(createRunner(), "2026-11-01", [other], "pending")
  expect(run.counts).toMatchObject({ made: 1, unsent: 1 })
  const { runs } = manager.billing
  const sendAll = () => runs.send({ runId: run.id, version: run.version, idempotencyKey: randomUUID() })
  await expect(sendAll()).rejects.toMatchObject(refused)
  expect(await app.mails()).toEqual([expect.objectContaining({ subject: expect.stringMatching(/^Invoice/) })])

  await saveOrganisation(testOrganisation)
  expect(await send()).toMatchObject({ status: "sent" })
  await sendAll()
  await app.runJobs()
  expect((await runs.detail({ runId: run.id })).counts.unsent).toBe(0)
})
