import { payeesNeeded } from "@milkwood/domain/claims/claim-payees"
import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import { createApprovedClaim } from "../../../server/src/claims/claims.samples.ts"
import { nominateHeirs, recordProposedPayees } from "../../../server/src/claims/payees.samples.ts"
import { createMember } from "../../../server/src/members/members.samples.ts"
import { openPage } from "../test/page.tsx"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Payees on screen")
})
afterAll(() => app?.close())

const managerClient = () => app.as(app.people.manager)

async function approveDeath() {
  const { id: memberId } = await createMember(managerClient(), scene.policyId, { startOn: "2026-01-01" })
  await nominateHeirs(managerClient(), memberId)
  return createApprovedClaim(scene.cast, { ...scene.sample, memberId, claimType: "death" })
}

test("the nominees of a death claim are recorded as payees, and each gets a payment", async () => {
  const claim = await approveDeath()
  const { user } = await openPage(app, app.people.manager, `/claims/${claim.id}`)
  expect(await screen.findByText(/Nomination on the incident date/)).toBeDefined()
  await user.click(await screen.findByRole("button", { name: "Record payees" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Record payees" }))
  await user.click(dialog.getByRole("button", { name: "Save payees" }))
  expect(await dialog.findByText("Enter the guardian's name")).toBeDefined()
  await user.type(dialog.getByRole("textbox", { name: "Guardian’s name" }), "Cleo Nkosi")
  await user.click(dialog.getByRole("button", { name: "Save payees" }))
  expect(await screen.findByText("As nominated by the member")).toBeDefined()
  await user.click(await screen.findByRole("button", { name: "Prepare payments" }))
  const pay = within(await screen.findByRole("dialog", { name: `Prepare payments for ${claim.number}` }))
  expect(await pay.findByText("Cleo Nkosi, FNB, 62007654321")).toBeDefined()
  await user.click(pay.getByRole("button", { name: "Prepare payments" }))
  expect(await screen.findByText("2 payments prepared")).toBeDefined()
  expect(await screen.findAllByRole("link", { name: /^PAY-/ })).toHaveLength(2)
  const { payments } = await managerClient().claims.payees.detail({ claimId: claim.id })
  expect(payments.map(({ payeeName }) => payeeName)).toEqual(["Anna Nkosi", "Cleo Nkosi"])
})

test("a retirement fund that owns the policy is proposed as the payee of a member's death claim", async () => {
  const owned = await insureGroup(app, "Fund on screen")
  const { id: memberId } = await createMember(managerClient(), owned.policyId, { startOn: "2026-01-01" })
  const claim = await createApprovedClaim(owned.cast, { ...owned.sample, memberId, claimType: "death" })
  const policyPage = await openPage(app, app.people.manager, `/policies/${owned.policyId}`)
  await policyPage.user.click(await screen.findByRole("button", { name: "Edit Policy Information" }))
  await policyPage.user.type(await screen.findByLabelText("Owned by retirement fund"), "Screen Provident Fund")
  await policyPage.user.type(await screen.findByLabelText("New owner applies from"), "2026-01-01")
  await policyPage.user.click(screen.getByRole("button", { name: "Save Changes" }))
  expect(await screen.findByText("Screen Provident Fund")).toBeDefined()
  policyPage.unmount()

  const { user } = await openPage(app, app.people.manager, `/claims/${claim.id}`)
  expect(await screen.findByText(/payable to Screen Provident Fund, the retirement fund/)).toBeDefined()
  await user.click(await screen.findByRole("button", { name: "Record payees" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Record payees" }))
  await user.click(dialog.getByRole("button", { name: "Save payees" }))
  expect(await screen.findByText("The retirement fund that owns the policy")).toBeDefined()
})

test("payments of selected claims name the claims without payees", async () => {
  const claims = [await approveDeath(), await approveDeath()]
  await recordProposedPayees(managerClient(), claims[0]!.id)
  const { user } = await openPage(app, app.people.manager, "/finance/claims-payments?status=waiting")
  await user.click(await screen.findByRole("checkbox", { name: /^Select all/ }))
  await user.click(await screen.findByRole("button", { name: /^Make payments for \d+ claims/ }))
  const dialog = within(await screen.findByRole("dialog", { name: /^Make payments for/ }))
  await user.click(dialog.getByRole("button", { name: "Prepare payments" }))
  const partly = within(await screen.findByRole("dialog", { name: "Some payments were not prepared" }))
  expect(partly.getByText(new RegExp(`, .*: ${payeesNeeded}`))).toBeDefined()
  expect(partly.getByRole("link", { name: claims[1]!.number }).getAttribute("href")).toBe(
    `/claims/${claims[1]!.id}#payees`,
  )
  await user.click(partly.getByRole("button", { name: "Done" }))
  expect((await managerClient().claims.payees.detail({ claimId: claims[0]!.id })).payments).toHaveLength(2)
})

test("a death claim without payees leads to the payees panel", async () => {
  const claim = await approveDeath()
  const { user } = await openPage(app, app.people.manager, `/finance/claims-payments?claimId=${claim.id}`)
  const dialog = within(await screen.findByRole("dialog", { name: `Payees needed for ${claim.number}` }))
  expect(dialog.getByText(new RegExp(payeesNeeded))).toBeDefined()
  await user.click(dialog.getByRole("link", { name: "Go to payees" }))
  expect(await screen.findByRole("button", { name: "Record payees" })).toBeDefined()
  expect(screen.getByRole("link", { name: "Process payment" }).getAttribute("href")).toBe(`/claims/${claim.id}#payees`)
})

test("the only possible payee is recorded with one click", async () => {
  const owned = await insureGroup(app, "Fund of one click")
  const { id: memberId } = await createMember(managerClient(), owned.policyId, { startOn: "2026-01-01" })
  const claim = await createApprovedClaim(owned.cast, { ...owned.sample, memberId })
  const name = `${claim.member.firstName} ${claim.member.lastName}`
  const { user } = await openPage(app, app.people.manager, `/claims/${claim.id}`)
  await user.click(await screen.findByRole("button", { name: `Record ${name} as payee` }))
  expect(await screen.findByText("The member")).toBeDefined()
  const { current } = await managerClient().claims.payees.detail({ claimId: claim.id })
  expect(current).toMatchObject({ basis: "member", payees: [{ name, shareBasisPoints: 10_000 }] })
})

test("an employer's user does not see the payees", async () => {
  const claim = await approveDeath()
  await recordProposedPayees(managerClient(), claim.id)
  await openPage(app, scene.people.hr, `/claims/${claim.id}`)
  expect(await screen.findByText("Claim information")).toBeDefined()
  expect(screen.queryByText("Payees")).toBeNull()
})
