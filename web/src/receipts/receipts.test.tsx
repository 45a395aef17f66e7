import { formatMoney } from "@milkwood/domain/kernel/money"
import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../../../server/src/billing/billing-scene.samples.ts"
import { recordedReceipt } from "../../../server/src/receipts/receipts.samples.ts"
import { transport } from "../platform/api.ts"
import { openPage } from "../test/page.tsx"

let app: BillingApp
beforeAll(async () => {
  app = await openBillingApp({ now: "2026-11-02T08:00:00Z" })
})
afterAll(() => app.close())

const getField = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name })
const findButton = (name: string | RegExp) => screen.findByRole("button", { name })
const getDialog = () => within(screen.getByRole("dialog"))

async function createUnpaidInvoice(groupName: string) {
  const policy = await app.policy({ groupName })
  const invoice = await createSentInvoice(app.manager, {
    policyId: policy.id,
    month: "2026-10-01",
    invoiceOn: "2026-10-01",
  })
  return { policy, invoice }
}

describe("recording receipts", () => {
  it("names the missing fields and keeps the input", async () => {
    const { user } = await openPage(app, app.people.manager, "/finance/receipting")
    expect(await screen.findByRole("heading", { name: "Receipt History" })).toBeTruthy()
    await user.click(await findButton("New Receipt"))
    await screen.findByRole("textbox", { name: "Receipt Number" })
    await user.type(getField("Reference Number"), "FNB 4711{Control>}{Enter}{/Control}")
    expect(await screen.findByText("Choose a policy")).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("combobox", { name: "Policy" })))
    expect(screen.getByText("Enter an amount above zero")).toBeTruthy()
    expect(getField("Reference Number").value).toBe("FNB 4711")
  })

  it("starts with the open amount of the linked invoice, and asks before discarding input", async () => {
    const { policy, invoice } = await createUnpaidInvoice("From The Invoice")
    const address = `/finance/receipting?new=true&policyId=${policy.id}&invoiceId=${invoice.id}`
    const { user } = await openPage(app, app.people.manager, address)
    await waitFor(() => expect(getField("Amount").value).toBe("402,50"))
    expect(getField("Amount").selectionEnd! - getField("Amount").selectionStart!).toBe("402,50".length)
    expect(getField(`Allocate to ${invoice.number}`).value).toBe("402,50")
    await user.type(getField("Reference Number"), "FNB 4711")
    await user.click(await findButton("Cancel"))
    await user.click(await findButton("Keep editing"))
    expect(getField("Reference Number").value).toBe("FNB 4711")
    await user.click(await findButton("Cancel"))
    await user.click(await findButton("Discard receipt"))
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Reference Number" })).toBeNull())
    expect((await app.manager.receipts.list({ policyId: policy.id })).total).toBe(0)
  })

  it("waits for the invoice's open amount unless the user types one", async () => {
    const { policy, invoice } = await createUnpaidInvoice("Slow Answer")
    const open = async () => {
      const { router, user, unmount } = await openPage(app, app.people.manager, "/finance/receipting")
      const { link } = transport
      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      transport.link = {
        call: async (path, ...asked) => {
          if (path.at(-1) === "openInvoices") await held
          return link.call(path, ...asked)
        },
      }
      const search = { new: true as const, policyId: policy.id, invoiceId: invoice.id }
      await router.navigate({ to: "/finance/receipting", search })
      const create = await screen.findByRole<HTMLButtonElement>("button", { name: "Create Receipt" })
      expect(create.disabled).toBe(true)
      return { user, unmount, answer, create }
    }
    const typing = await open()
    await typing.user.type(getField("Amount"), "5")
    expect(typing.create.disabled).toBe(false)
    await typing.user.clear(getField("Amount"))
    await typing.user.click(typing.create)
    expect(await screen.findByText("Enter an amount above zero")).toBeTruthy()
    typing.answer()
    await screen.findByRole("textbox", { name: `Allocate to ${invoice.number}` })
    expect(getField("Amount").value).toBe("")
    typing.unmount()

    const { user, answer, create } = await open()
    await user.keyboard("{Control>}{Enter}{/Control}")
    expect(screen.queryByText("Enter an amount above zero")).toBeNull()
    answer()
    await waitFor(() => expect(getField("Amount").value).toBe("402,50"))
    expect(create.disabled).toBe(false)
    await user.click(create)
    expect(await screen.findByText("Receipt has been created and allocated to the policy successfully.")).toBeTruthy()
    expect((await app.manager.receipts.list({ policyId: policy.id })).rows).toMatchObject([{ amountCents: 402_50 }])
  })

  it("allocates to the oldest invoice, shows the credit, and opens the receipt", async () => {
    const { policy, invoice } = await createUnpaidInvoice("Receipt Bakery")
    const { user, location } = await openPage(
      app,
      app.people.manager,
      `/finance/receipting?new=true&policyId=${policy.id}`,
    )
    await screen.findByRole("textbox", { name: `Allocate to ${invoice.number}` })
    expect(screen.getByRole("columnheader", { name: "Invoice Number" })).toBeTruthy()
    await user.type(getField("Amount"), "500")
    expect(getField(`Allocate to ${invoice.number}`).value).toBe("402,50")
    expect(screen.getByText(/Unallocated credit/).textContent).toContain(formatMoney(97_50, "ZAR"))
    await user.click(await findButton("Create Receipt"))
    expect(await screen.findByText("Receipt has been created and allocated to the policy successfully.")).toBeTruthy()
    expect(screen.getByText("Receipt Created")).toBeTruthy()
    await waitFor(() => expect(location()).toMatch(/\/finance\/receipting\/[0-9a-f-]{36}/))
    expect(await screen.findByRole("link", { name: invoice.number })).toBeTruthy()
  })

  it("reverses a receipt after asking for the reason", async () => {
    const { policy } = await createUnpaidInvoice("Receipt Brewery")
    const receipt = await recordedReceipt(app.manager, {
      policyId: policy.id,
      amountCents: 402_50,
      receivedOn: "2026-11-01",
    })
    const { user } = await openPage(app, app.people.manager, `/finance/receipting/${receipt.id}`)
    await user.click(await findButton("More"))
    await user.click(await screen.findByRole("menuitem", { name: "Reverse receipt" }))
    await screen.findByRole("dialog")
    await user.click(getDialog().getByRole("button", { name: "Reverse receipt" }))
    expect(await getDialog().findByText("Enter a reason")).toBeTruthy()
    await user.type(getDialog().getByRole("textbox", { name: "Reason" }), "The cheque bounced")
    await user.click(getDialog().getByRole("button", { name: "Reverse receipt" }))
    expect(await screen.findByText("Receipt reversed")).toBeTruthy()
    expect((await screen.findAllByText("Reversed")).length).toBeGreaterThan(0)
    expect(screen.queryByRole("button", { name: "Allocate receipt" })).toBeNull()
  })

  it("is not available to employer users", async () => {
    const { policy } = await createUnpaidInvoice("Receipt Dairy")
    await openPage(app, await app.people.groupAdmin(policy.groupId), "/finance/receipting")
    expect(await screen.findByText("You do not have access to this page")).toBeTruthy()
  })
})
