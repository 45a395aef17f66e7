import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { createBankAccount } from "../../../server/src/banking/banking.samples.ts"
import { type ClaimApp, insureGroup, openClaimApp } from "../../../server/src/claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../../../server/src/claims/claims.samples.ts"
import { createPayout, createReleasedPayout } from "../../../server/src/payouts/payouts.samples.ts"
import { openPage } from "../test/page.tsx"

let app: ClaimApp
let claim: { id: string; number: string }
let groups = 0
beforeAll(async () => {
  app = await openClaimApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  const scene = await insureGroup(app, `Payout Pottery ${++groups}`)
  claim = await createApprovedClaim(scene.cast, scene.sample)
})

const getDialog = () => within(screen.getByRole("dialog"))
const findButton = (name: string) => screen.findByRole("button", { name })

it("makes a claim's payment and tells its maker that another user must release it", async () => {
  const { user } = await openPage(app, app.people.manager, `/finance/claims-payments?claimId=${claim.id}`)
  await screen.findByRole("dialog")
  expect(getDialog().getByRole<HTMLInputElement>("textbox", { name: "Payee" }).value).toBe("")
  const field = (role: "textbox" | "combobox", name: string) => getDialog().getByRole<HTMLInputElement>(role, { name })
  expect(field("combobox", "Claim").value).toContain(claim.number)
  expect(field("textbox", "Payment Amount").value).not.toBe("")
  expect(field("combobox", "Payment Method").value).toBe("Bank Transfer")
  expect(field("textbox", "Reference Number").value).toBe(claim.number)
  expect(field("textbox", "Notes").value).toBe("")
  await user.click(getDialog().getByRole("button", { name: "Prepare payment" }))
  expect(await getDialog().findByText("Enter a branch code of 6 digits")).toBeTruthy()
  await user.type(getDialog().getByRole("textbox", { name: "Payee" }), "Estate late S Dlamini")
  await user.type(getDialog().getByRole("combobox", { name: "Bank" }), "FNB")
  await user.type(getDialog().getByRole("textbox", { name: "Branch code" }), "250655")
  await user.type(getDialog().getByRole("textbox", { name: "Account number" }), "62001234567")
  await user.click(getDialog().getByRole("button", { name: "Prepare payment" }))
  expect(await screen.findByText("You prepared this payment. Someone else must release it.")).toBeTruthy()
  expect(screen.getByRole("heading", { name: /Estate late S Dlamini/ })).toBeTruthy()
  expect(screen.queryByRole("button", { name: "Release payment" })).toBeNull()
})

it("another user sees the payee and releases the payment", async () => {
  const payout = await createPayout(app.as(app.people.manager), claim.id)
  const { user } = await openPage(app, app.people.manager2, `/finance/claims-payments/${payout.id}`)
  await user.click(await findButton("Release payment"))
  await screen.findByRole("dialog")
  expect(getDialog().getByText(/will be paid to S Dlamini, FNB, account 62001234567/)).toBeTruthy()
  await user.click(getDialog().getByRole("button", { name: "Release payment" }))
  expect((await screen.findAllByText("Processing")).length).toBeGreaterThan(0)
  expect(await findButton("Complete payment")).toBeTruthy()
})

it("a payment is completed on a day that is not in the future", async () => {
  const payout = await createReleasedPayout(app.as(app.people.manager), app.as(app.people.manager2), claim.id)
  const { user } = await openPage(app, app.people.manager, `/finance/claims-payments/${payout.id}`)
  await user.click(await findButton("Complete payment"))
  await screen.findByRole("dialog")
  const day = getDialog().getByRole("textbox", { name: "Payment date" })
  await user.clear(day)
  await user.type(day, "2026-11-03")
  await user.click(getDialog().getByRole("button", { name: "Complete payment" }))
  expect((await getDialog().findAllByText("The payment date is in the future")).length).toBeGreaterThan(0)
  await user.clear(day)
  await user.type(day, "2026-11-02")
  await user.click(getDialog().getByRole("button", { name: "Complete payment" }))
  expect(await screen.findByText("Claim payment has been processed successfully")).toBeTruthy()
  expect(screen.getByText("Payment Processed")).toBeTruthy()
})

it("makes a batch of waiting payments, opens it and requires another user to release it", async () => {
  await createBankAccount(app.as(app.people.admin))
  const payout = await createPayout(app.as(app.people.manager), claim.id)
  const { user, location } = await openPage(app, app.people.manager, "/finance/payment-batches?new=true")
  await screen.findByRole("dialog")
  await user.click(getDialog().getByRole("button", { name: "Create batch" }))
  expect(await screen.findByText(/Someone else must release this batch/)).toBeTruthy()
  expect(location()).toMatch(/^\/finance\/payment-batches\/[0-9a-f-]{36}/)
  expect(await screen.findByRole("link", { name: payout.number })).toBeTruthy()
  expect(screen.queryByRole("button", { name: "Release batch" })).toBeNull()
})

it("shows an underwriter the payments without actions", async () => {
  const payout = await createPayout(app.as(app.people.manager), claim.id)
  await openPage(app, app.people.underwriter, `/finance/claims-payments/${payout.id}`)
  expect((await screen.findAllByText(payout.number)).length).toBeGreaterThan(0)
  for (const name of ["Release payment", "More"]) expect(screen.queryByRole("button", { name })).toBeNull()
})
