import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createBankAccount } from "../../../server/src/banking/banking.samples.ts"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../../../server/src/claims/claims.samples.ts"
import { createBatch, stepInputOf } from "../../../server/src/payouts/batches.samples.ts"
import { createPayout } from "../../../server/src/payouts/payouts.samples.ts"
import { completeBatchByBank } from "../../../server/src/payouts/step-payouts.ts"
import { openPage } from "../test/page.tsx"

let app: ClaimApp
let scene: ClaimScene
let accountId: string
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Batch Bakery")
  accountId = (await createBankAccount(app.as(app.people.admin))).id
})
afterAll(() => app.close())

const createPayment = async () =>
  createPayout(app.as(app.people.manager), (await createApprovedClaim(scene.cast, scene.sample)).id)
const batchOf = async (...ids: string[]) => createBatch(app.as(app.people.manager), accountId, ids)

it("a user makes a batch of waiting payments and cannot release it", async () => {
  const { number } = await createPayment()
  const { user, location } = await openPage(app, app.people.manager, "/finance/payment-batches?new=true")
  const dialog = await screen.findByRole("dialog", { name: "Create batch", hidden: true })
  await user.click(await within(dialog).findByRole("button", { name: "Create batch" }))
  expect(await screen.findByText(/Someone else must release this batch/, {}, { timeout: 20_000 })).toBeDefined()
  expect(location()).toMatch(/^\/finance\/payment-batches\/[0-9a-f-]{36}/)
  expect((await screen.findAllByText(number)).length).toBeGreaterThan(0)
  expect(screen.queryByRole("button", { name: "Release batch" })).toBeNull()
}, 90_000)

it("another user releases a batch and exports its file once, with hash", async () => {
  const { id } = await batchOf((await createPayment()).id)
  const { user } = await openPage(app, app.people.manager2, `/finance/payment-batches/${id}`)
  await user.click(await screen.findByRole("button", { name: "Release batch" }))
  const dialog = await screen.findByRole("dialog", { hidden: true })
  await user.click(within(dialog).getByRole("button", { name: "Release batch" }))
  expect((await screen.findAllByText("Released", {}, { timeout: 20_000 })).length).toBeGreaterThan(0)
  await app.runJobs()
  const { files } = await app.as(app.people.manager2).payouts.batches.detail({ batchId: id })
  expect(await screen.findByText(files[0]!.sha256, {}, { timeout: 20_000 })).toBeDefined()
  expect(screen.getByText("Not exported yet")).toBeDefined()
  expect(screen.getByRole("button", { name: "Export payment file" })).toBeDefined()
}, 90_000)

it("a batch shows why the bank returned a payment and counts it apart", async () => {
  const manager = app.as(app.people.manager)
  const other = app.as(app.people.manager2).payouts.batches
  const batch = await batchOf((await createPayment()).id, (await createPayment()).id)
  await other.release(stepInputOf(batch))
  const { payoutIds } = await app.transaction(app.people.manager, (cx) =>
    completeBatchByBank(cx, { batchId: batch.id, on: "2026-11-02", bankAccountId: accountId }),
  )
  const { id: payoutId, version } = await manager.payouts.detail({ payoutId: payoutIds[0]! })
  const step = { payoutId, version, idempotencyKey: crypto.randomUUID() }
  await manager.payouts.return({ ...step, returnedOn: "2026-11-02", reason: "The account is closed (AC04)" })
  await openPage(app, app.people.manager, `/finance/payment-batches/${batch.id}`)
  expect(await screen.findByText("The account is closed (AC04)", {}, { timeout: 20_000 })).toBeDefined()
  const countOf = (label: string) => screen.getByText(label, { selector: "dt" }).nextSibling?.textContent
  expect([countOf("Completed"), countOf("Returned by the bank")]).toEqual(["1", "1"])
}, 90_000)

it("a batch is listed with its amount and offers an underwriter no actions", async () => {
  const batch = await batchOf((await createPayment()).id)
  await app.as(app.people.manager).payouts.batches.cancel({ ...stepInputOf(batch), reason: "Made twice" })
  const list = await openPage(app, app.people.underwriter, "/finance/payment-batches")
  expect((await screen.findAllByText(batch.number)).length).toBeGreaterThan(0)
  expect(screen.queryByRole("button", { name: "Create batch" })).toBeNull()
  list.unmount()
  await openPage(app, app.people.underwriter, `/finance/payment-batches/${batch.id}`)
  expect(await screen.findByText("Made twice")).toBeDefined()
  for (const name of ["Release batch", "More"]) expect(screen.queryByRole("button", { name })).toBeNull()
}, 90_000)
