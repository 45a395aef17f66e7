import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createDraftInvoice, createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import { createApprovedClaim, createSubmittedClaim } from "../../../server/src/claims/claims.samples.ts"
import { createMember } from "../../../server/src/members/members.samples.ts"
import { createPayout } from "../../../server/src/payouts/payouts.samples.ts"
import { createDraftPolicy } from "../../../server/src/policies/policies.samples.ts"
import { recordedReceipt } from "../../../server/src/receipts/receipts.samples.ts"
import { openPage } from "./page.tsx"

let app: ClaimApp
let scene: ClaimScene
let group: string
let groups = 0
beforeAll(async () => {
  app = await openClaimApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  group = `Stepwise ${String.fromCharCode(65 + groups++)}`
  scene = await insureGroup(app, group)
})

const managerClient = () => app.as(app.people.manager)
const monthInput = (month: string) => ({ policyId: scene.policyId, month, invoiceOn: month })
const searchParameter = () => encodeURIComponent(group)

async function openMenuOf(name: string, user: { click: (element: Element) => Promise<void> }) {
  await user.click(await screen.findByRole("button", { name: `Actions for ${name}` }))
  return (await screen.findAllByRole("menuitem", { hidden: true })).map((item) => item.textContent)
}
const chooseMenuItem = async (name: string, user: { click: (element: Element) => Promise<void> }) =>
  user.click(await screen.findByRole("menuitem", { name, hidden: true }))
const findDialog = async () => within(await screen.findByRole("dialog"))

describe("a row's menu opens the next step's dialog", () => {
  it("an invoice's row menu opens the next step's dialog", async () => {
    const draft = await createDraftInvoice(managerClient(), monthInput("2026-11-01"))
    const sent = await createSentInvoice(managerClient(), monthInput("2026-10-01"))
    const { user } = await openPage(app, app.people.manager, `/invoices?search=${searchParameter()}`)
    expect(await openMenuOf(draft.number, user)).toEqual([
      "View invoice",
      "Send invoice",
      "Approve invoice",
      "Edit invoice",
      "Download PDF",
      "Cancel invoice",
    ])
    await user.keyboard("{Escape}")
    await waitFor(() => expect(screen.queryByRole("menuitem", { hidden: true })).toBeNull())
    expect(await openMenuOf(sent.number, user)).toEqual([
      "View invoice",
      "Record receipt",
      "Send again",
      "Download PDF",
      "Credit invoice",
      "Write off",
    ])
    await chooseMenuItem("Credit invoice", user)
    await user.type((await findDialog()).getByRole("textbox", { name: "Reason" }), "Billed twice")
    await user.click((await findDialog()).getByRole("button", { name: "Credit invoice" }))
    expect(await screen.findByText(`Invoice ${sent.number} credited successfully`)).toBeTruthy()
  })

  it("a receipt's row menu opens the next step's dialog, but not for readers", async () => {
    const receipt = await recordedReceipt(managerClient(), {
      policyId: scene.policyId,
      amountCents: 50_00,
      receivedOn: "2026-11-01",
    })
    const { user } = await openPage(app, app.people.manager, `/finance/receipting?search=${searchParameter()}`)
    const row = await screen.findByRole("row", { name: new RegExp(receipt.number) })
    expect(within(row).getByText("R 50,00")).toBeTruthy()
    const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent)
    expect(heads.filter(Boolean)).toEqual([
      ...["Receipt Number", "Policy", "Group Name", "Amount", "Payment Method", "Date", "Status", "Actions"],
    ])
    expect(await openMenuOf(receipt.number, user)).toEqual([
      "View receipt",
      "Allocate oldest first",
      "Allocate receipt",
      "Edit receipt",
      "Send receipt",
      "Download PDF",
      "Reverse receipt",
    ])
    await chooseMenuItem("Reverse receipt", user)
    await user.type((await findDialog()).getByRole("textbox", { name: "Reason" }), "Bounced")
    await user.click((await findDialog()).getByRole("button", { name: "Reverse receipt" }))
    expect(await screen.findByText("Receipt reversed")).toBeTruthy()
    expect((await managerClient().receipts.detail({ receiptId: receipt.id })).status).toBe("Reversed")
    const { rows } = await managerClient().receipts.list({ search: group })
    expect(rows[0]?.allowedActions).toEqual(["download"])
  })

  it("a payment's row menu opens the next step's dialog", async () => {
    const payout = await createPayout(managerClient(), (await createApprovedClaim(scene.cast, scene.sample)).id)
    const { user } = await openPage(app, app.people.manager2, `/finance/claims-payments?search=${searchParameter()}`)
    expect(await openMenuOf(payout.number, user)).toEqual([
      "View payment",
      "Release payment",
      "Change payee",
      "Cancel payment",
      "View claim",
    ])
    await chooseMenuItem("Release payment", user)
    expect((await findDialog()).getByText(/account 62001234567/)).toBeTruthy()
    await user.click((await findDialog()).getByRole("button", { name: "Release payment" }))
    expect(await screen.findByText("Payment released")).toBeTruthy()
  })

  it("a claim's row menu opens the next step's dialog", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, app.people.manager, `/claims?search=${claim.number}`)
    const offered = await openMenuOf(claim.number, user)
    expect(offered[0]).toBe("View details")
    expect(offered).toEqual(expect.arrayContaining(["Start review", "Route for approval", "Reject claim"]))
    await chooseMenuItem("Start review", user)
    expect(await screen.findByText("The claim is assigned to you")).toBeTruthy()
    await waitFor(async () =>
      expect((await managerClient().claims.detail({ claimId: claim.id })).status).toBe("under_review"),
    )
  })

  it("an active policy's row menu opens dialogs; a draft's lists its missing details", async () => {
    const { number } = await managerClient().policies.detail({ policyId: scene.policyId })
    const draft = await createDraftPolicy(managerClient(), { groupName: `${group} Draft` })
    const { user } = await openPage(app, app.people.manager, `/policies?search=${searchParameter()}`)
    expect(await openMenuOf(number, user)).toEqual([
      "View details",
      "Edit",
      "Documents",
      "View members",
      "Add member",
      "Generate invoice",
      "Record receipt",
      "Statement of account",
      "Suspend policy",
      "Terminate policy",
    ])
    await user.keyboard("{Escape}")
    await waitFor(() => expect(screen.queryByRole("menuitem", { hidden: true })).toBeNull())
    expect(await openMenuOf(draft.number, user)).toEqual(
      expect.arrayContaining(["Continue draft", "Activate policy", "Delete draft"]),
    )
    await chooseMenuItem("Activate policy", user)
    expect((await findDialog()).getByText(/^Still needed: .*[Mm]ember/)).toBeTruthy()
    expect((await findDialog()).getByRole("button", { name: "Continue draft" })).toBeTruthy()
  })

  it("a member's row menu opens the next step's dialog", async () => {
    const { number } = await createMember(managerClient(), scene.policyId, { firstName: "Zodwa", lastName: group })
    const { user } = await openPage(app, app.people.manager, `/members?search=${number}`)
    expect(await openMenuOf(number, user)).toEqual([
      "Profile",
      "Edit member",
      "New claim",
      "Change benefit tier",
      "Suspend member",
      "Terminate member",
    ])
  })
})

describe("the bulk action bar", () => {
  const select = async (user: { click: (element: Element) => Promise<void> }) => {
    await user.click(await screen.findByRole("checkbox", { name: /^Select all/ }))
    return within(await screen.findByRole("region", { name: "Selected rows" }))
  }

  it("the bulk bar sends the allowed invoices and lists the failures with reasons", async () => {
    const first = await createDraftInvoice(managerClient(), monthInput("2026-11-01"))
    const second = await createDraftInvoice(managerClient(), monthInput("2026-10-01"))
    await createSentInvoice(managerClient(), monthInput("2026-09-01"))
    const { user } = await openPage(app, app.people.manager, `/invoices?search=${searchParameter()}`)
    const bar = await select(user)
    expect(bar.getByRole("button", { name: "Approve 2 of 3" })).toBeTruthy()
    await user.click(bar.getByRole("button", { name: "Send 2 of 3" }))
    const asked = await findDialog()
    expect(await asked.findByText(/^R .* in total is then owed/)).toBeTruthy()
    await managerClient().billing.cancel({ invoiceId: second.id, version: second.version, reason: "A mistake" })
    await user.click(asked.getByRole("button", { name: "Send 2 invoices" }))
    expect(await asked.findByText("1 invoice sent.")).toBeTruthy()
    expect(asked.getByText(second.number).closest("li")?.textContent).toMatch(/: \S.+/)
    expect(asked.queryByText(first.number)).toBeNull()
    expect((await managerClient().billing.detail({ invoiceId: first.id })).status).not.toBe("draft")
    await user.click(asked.getByRole("button", { name: "Done" }))
    expect(await screen.findByText("1 invoice selected")).toBeTruthy()
  })

  it("the bulk bar hides steps that no selected row allows", async () => {
    await createSentInvoice(managerClient(), monthInput("2026-10-01"))
    const { user } = await openPage(app, scene.people.hr, "/invoices")
    const bar = await select(user)
    expect(bar.queryByRole("button", { name: /^(Send|Approve)/ })).toBeNull()
    expect(bar.getByRole("button", { name: "Download 1 PDF" })).toBeTruthy()
  })

  it("the bulk bar releases payments that another user prepared", async () => {
    const payout = await createPayout(managerClient(), (await createApprovedClaim(scene.cast, scene.sample)).id)
    const prepared = await openPage(app, app.people.manager, `/finance/claims-payments?search=${searchParameter()}`)
    expect((await select(prepared.user)).queryByRole("button", { name: /^Release/ })).toBeNull()
    prepared.unmount()
    const { user } = await openPage(app, app.people.manager2, `/finance/claims-payments?search=${searchParameter()}`)
    await user.click((await select(user)).getByRole("button", { name: "Release 1" }))
    await user.click((await findDialog()).getByRole("button", { name: "Release 1 payment" }))
    expect(await screen.findByText("1 payment released.")).toBeTruthy()
    expect((await managerClient().payouts.detail({ payoutId: payout.id })).status).toBe("processing")
  })

  it("the bulk bar suspends members from one date and for one reason", async () => {
    const member = await createMember(managerClient(), scene.policyId, { firstName: "Zodwa", lastName: group })
    const { user } = await openPage(app, app.people.manager, `/members?search=${member.number}`)
    await user.click((await select(user)).getByRole("button", { name: "Suspend 1" }))
    const asked = await findDialog()
    await user.click(asked.getByRole("button", { name: "Suspend 1 member" }))
    expect(await asked.findByText("Enter a reason")).toBeTruthy()
    await user.type(asked.getByRole("textbox", { name: "Reason" }), "Unpaid leave")
    await user.click(asked.getByRole("button", { name: "Suspend 1 member" }))
    expect(await asked.findByText("1 member suspended.")).toBeTruthy()
    expect((await managerClient().members.detail({ memberId: member.id })).status).toBe("Suspended")
  })
})
