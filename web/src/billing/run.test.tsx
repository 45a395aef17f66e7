import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { openPage } from "../test/page.tsx"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
})
afterAll(() => app.close())

const findButton = (name: string | RegExp) => screen.findByRole("button", { name })
const longTimeout = { timeout: 8_000 }

describe("the premium run page", () => {
  it("the premium run page previews a month, shows lines, makes invoices and sends them", async () => {
    await app.policy({ groupName: "Karoo Wool Mills", members: 2, startOn: "2026-10-01" })
    const bare = await app.policy({
      groupName: "Bare Works",
      startOn: "2026-11-01",
      contactEmail: "bare@works.example",
    })
    const { user } = await openPage(app, app.people.manager, "/invoices/run")
    expect(await screen.findByText(/No premium runs yet/)).toBeTruthy()
    await user.click(await findButton("Preview Nov 2026"))
    await screen.findByText(/Preview of the premium run for Nov 2026/)
    await app.runJobs()

    const row = await screen.findByRole("row", { name: /Karoo Wool Mills/ }, longTimeout)
    expect(within(row).getByText("To bill")).toBeTruthy()
    expect(within(row).getByText("First invoice")).toBeTruthy()
    await user.click(within(row).getByRole("button", { name: /lines of GP-/ }))
    const lines = await screen.findByRole("dialog")
    await waitFor(() => expect(within(lines).getAllByRole("row")).toHaveLength(7))
    const headings = within(lines)
      .getAllByRole("rowheader")
      .map(({ textContent }) => textContent)
    expect(headings).toEqual(["Adjustments", "Nov 2026"])
    expect(within(lines).getAllByText(/ - Standard$/)).toHaveLength(2)
    await user.keyboard("{Escape}")

    await user.click(await findButton(`Actions for Bare Works, ${bare.number}`))
    await user.click(await screen.findByRole("menuitem", { name: "Leave out", hidden: true }))
    await screen.findByText("Left out", { selector: "td *" }, longTimeout)

    const late = await app.policy({ groupName: "Late Lodge", startOn: "2026-08-01" })
    await user.click(await findButton("Preview again"))
    await screen.findByText(/Preview of the premium run for Nov 2026/)
    await app.runJobs()
    const start = await screen.findByRole("button", { name: `Start ${late.number} in Nov 2026 instead` }, longTimeout)
    expect(screen.getByText(/^2 first invoices include months before Nov 2026/)).toBeTruthy()
    await user.click(start)
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Start .* instead$/ })).toBeNull(), longTimeout)
    await app.runJobs()
    expect(
      await screen.findByText(/^1 first invoice includes months before Nov 2026/, undefined, longTimeout),
    ).toBeTruthy()
    expect((await app.manager.policies.detail({ policyId: late.id })).terms.billedFromOn).toBe("2026-11-01")

    await user.click(await findButton("Create invoices"))
    const dialog = await screen.findByRole("dialog")
    expect(within(dialog).getByText("Bill 2 policies for Nov 2026")).toBeTruthy()
    // First invoices with earlier months need confirmation.
    expect(within(dialog).getByText(/^1 first invoice includes months before Nov 2026/)).toBeTruthy()
    expect(within(dialog).getByText(/No mail server is set up/)).toBeTruthy()
    await user.click(within(dialog).getByRole("button", { name: "Create invoices" }))
    expect(await within(dialog).findByText("Confirm that the earlier months are billed too")).toBeTruthy()
    await user.click(within(dialog).getByRole("checkbox", { name: "Bill the earlier months too" }))
    await user.click(within(dialog).getByRole("button", { name: "Create invoices" }))
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), longTimeout)
    await app.runJobs()
    await user.click(await screen.findByRole("button", { name: "Send all" }, longTimeout))
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Send all" }))
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), longTimeout)
    await app.runJobs()
    await waitFor(() => expect(screen.queryByRole("button", { name: "Send all" })).toBeNull(), longTimeout)
    expect((await app.mails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining("Invoice INV-2026-"),
      expect.stringContaining("Invoice INV-2026-"),
    ])
    expect(await screen.findAllByRole("link", { name: /INV-2026-/ })).toHaveLength(2)
  }, 60_000)

  it("the premium run page requires the right to write invoices", async () => {
    await openPage(app, app.people.underwriter, "/invoices/run")
    expect(await screen.findByRole("heading")).toBeTruthy()
    expect(screen.queryByText("Run billing", { selector: "h1" })).toBeNull()
  })
})
