import { formatMoney } from "@milkwood/domain/kernel/money"
import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { openPage } from "../test/page.tsx"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
})
afterAll(() => app.close())

const getDialog = () => within(screen.getByRole("dialog"))
const findButton = (name: string | RegExp) => screen.findByRole("button", { name })

async function createOverdueInvoice(groupName: string) {
  const policy = await app.policy({ groupName })
  const invoice = await createSentInvoice(app.manager, {
    policyId: policy.id,
    month: "2026-09-01",
    invoiceOn: "2026-09-01",
  })
  return { policy, invoice }
}

describe("premium collection", () => {
  it("shows debtors with their phone number, and cards filter the list", async () => {
    await createOverdueInvoice("Collection Bakery")
    const { user, location } = await openPage(
      app,
      app.people.manager,
      "/invoices/collection?search=collection+bakery&month=all",
    )
    const row = (await screen.findAllByRole("row")).find((one) => one.textContent?.includes("Collection Bakery"))!
    expect(row.textContent).toContain("Overdue")
    expect(row.textContent).toContain(formatMoney(402_50, "ZAR"))
    await user.click(within(row).getByRole("button", { name: "Call Collection Bakery" }))
    const number = await screen.findByRole("link", { name: "0215550100" })
    expect(number.getAttribute("href")).toBe("tel:0215550100")
    await user.click(getDialog().getByRole("button", { name: "Cancel" }))
    expect(within(row).getByRole("img", { name: /Over|31–60|1–30/ })).toBeTruthy()
    await user.click(await screen.findByRole("link", { name: /^Collected/ }))
    await waitFor(() => expect(location()).toContain("view=collected"))
    await waitFor(() => expect(screen.queryByText("Collection Bakery")).toBeNull())
  })

  it("names missing fields of a promise, then stores it with its day", async () => {
    const { policy } = await createOverdueInvoice("Collection Brewery")
    const { user } = await openPage(app, app.people.manager, `/policies/${policy.id}?tab=collection`)
    await user.click(await findButton("Call"))
    expect(await getDialog().findByText(/overdue since/)).toBeTruthy()
    await user.click(getDialog().getByRole("radio", { name: "Promise to pay" }))
    await user.click(getDialog().getByRole("button", { name: "Log call" }))
    expect(await getDialog().findByText("Enter the promised amount")).toBeTruthy()
    await user.type(getDialog().getByRole("textbox", { name: "Amount promised" }), "200")
    await user.type(getDialog().getByRole("textbox", { name: "Payment date" }), "2026-11-09")
    await user.click(getDialog().getByRole("button", { name: "Log call" }))
    expect(await screen.findByText("Promise open")).toBeTruthy()
    const { contacts } = await app.manager.collection.contacts({ policyId: policy.id })
    expect(contacts).toMatchObject([{ outcome: "promise", promisedCents: 200_00, promisedOn: "2026-11-09" }])
  })

  it("sends the edited reminder text, and previews a lapse", async () => {
    const { policy } = await createOverdueInvoice("Collection Cannery")
    const { user } = await openPage(app, app.people.manager, `/policies/${policy.id}?tab=collection`)
    expect((await screen.findByText("Grace period ended")).parentElement!.textContent).toMatch(/since.*16/)
    await user.click(await findButton("Email"))
    await screen.findByRole("dialog")
    const text = await getDialog().findByRole<HTMLTextAreaElement>("textbox", { name: "Text" })
    expect(text.value).toContain("Dear Thandi Mokoena")
    await user.type(text, " Thank you.")
    await user.click(getDialog().getByRole("button", { name: "Send reminder" }))
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
    await app.runJobs()
    const mails = (await app.mails()).filter(({ subject }) => subject.startsWith("Premiums outstanding"))
    expect(mails.at(-1)!.text).toMatch(/Thank you\.$/)

    await user.click(await findButton("Confirm lapse"))
    await screen.findByRole("dialog")
    const words = await getDialog().findByText(/no cover, and claims for new incidents/)
    expect(words.textContent).toMatch(/suspended from \d{4}-\d\d-\d\d\./)
    await user.click(getDialog().getByRole("button", { name: "Suspend policy" }))
    await waitFor(async () =>
      expect((await app.manager.policies.detail({ policyId: policy.id })).status).toBe("Suspended"),
    )
  })

  it("writes off a debt after a second user's confirmation", async () => {
    const { invoice } = await createOverdueInvoice("Collection Dairy")
    const asking = await openPage(app, app.people.manager, `/invoices/${invoice.id}`)
    await asking.user.click(await findButton("More"))
    await asking.user.click(await screen.findByRole("menuitem", { name: "Write off" }))
    await screen.findByRole("dialog")
    await asking.user.type(getDialog().getByRole("textbox", { name: "Reason" }), "Liquidated")
    await asking.user.click(getDialog().getByRole("button", { name: "Write off" }))
    expect(await screen.findByText("A second person must confirm the write-off")).toBeTruthy()
    expect(screen.queryByRole("button", { name: "Confirm write-off" })).toBeNull()

    const confirming = await openPage(app, app.people.manager2, `/invoices/${invoice.id}`)
    await confirming.user.click(await findButton("Confirm write-off"))
    await screen.findByRole("dialog")
    await confirming.user.click(getDialog().getByRole("button", { name: "Confirm write-off" }))
    await waitFor(async () =>
      expect((await app.manager.billing.detail({ invoiceId: invoice.id })).status).toBe("written_off"),
    )
  })

  it("employer users see the statements of their own policies", async () => {
    const { policy, invoice } = await createOverdueInvoice("Collection Estates")
    const { groupId } = await app.manager.policies.detail({ policyId: policy.id })
    await openPage(app, await app.people.groupAdmin(groupId), `/policies/${policy.id}/statement`)
    expect(await screen.findByRole("link", { name: new RegExp(invoice.number) })).toBeTruthy()
    expect(screen.getByRole("row", { name: /Closing balance/ }).textContent).toContain(formatMoney(402_50, "ZAR"))
  })
})
