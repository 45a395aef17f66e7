import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { sentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { memberOf } from "../../../server/src/members/members.samples.ts"
import { activePolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const manager = () => app.as(app.people.manager)
const plain = (text: string | null | undefined) => text?.replaceAll("\u00a0", " ")

test("a dialog says what it does to the next invoice while it is filled in, and nothing of what cannot be", async () => {
  const policy = await activePolicy(manager(), { groupName: "Effects", startOn: "2026-09-01", premiumCents: 350_00 })
  const member = await memberOf(manager(), policy.id, { startOn: "2026-09-01" })
  await sentInvoice(manager(), { policyId: policy.id, month: "2026-09-01", invoiceOn: "2026-09-01" })
  await sentInvoice(manager(), { policyId: policy.id, month: "2026-10-01", invoiceOn: "2026-10-01" })
  const { user } = await openPage(app, app.people.manager, `/members/${member.id}?tab=premiums`)
  const cells = await screen.findAllByRole("row")
  expect(cells.map(({ textContent }) => plain(textContent))).toEqual([
    "MonthOwedBilledBilled onDifference",
    "Nov 2026R 350,00R 0,00Not billed yetR 350,00",
    expect.stringMatching(/^Oct 2026R 350,00R 350,00INV-2026-\d+$/),
    expect.stringMatching(/^Sep 2026R 350,00R 350,00INV-2026-\d+$/),
  ])

  await user.click(await screen.findByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: "Terminate member" }))
  const dialog = within(await screen.findByRole("dialog"))
  const day = dialog.getByRole("textbox", { name: "Last day" })
  await user.clear(day)
  await user.type(day, "2026-09-30")
  await waitFor(() =>
    expect(plain(dialog.getByRole("status").textContent)).toBe(
      "Next invoice: R 700,00 less: October and November, 2 × R 350,00, without VAT",
    ),
  )
  await user.clear(day)
  await user.type(day, "2026-08-15")
  await waitFor(() => expect(dialog.getByRole("status").textContent).toBe(""))
})
