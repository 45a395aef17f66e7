import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { createSampleBenefits, type SampleBenefits } from "../../../server/src/benefits/benefits.samples.ts"
import { createActivePolicy } from "../../../server/src/policies/policies.samples.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
let sample: SampleBenefits

beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
  sample = await createSampleBenefits(app.as(app.people.manager))
})
afterAll(() => app.close())

const benefitsClient = () => app.as(app.people.manager).benefits
const fieldValue = (field: HTMLElement) => (field as HTMLInputElement).value
const findDialog = async (name: string) => within(await screen.findByRole("dialog", { name }))

describe("Benefits management", () => {
  it("starts empty, and the dialog adds the first product type", async () => {
    const empty = await openTestApp({ now: "2026-11-20T08:00:00Z" })
    onTestFinished(() => empty.close())
    const { user } = await openPage(empty, empty.people.manager, "/benefits")
    expect(await screen.findByText("No product types yet")).toBeTruthy()
    await user.click(screen.getAllByRole("button", { name: "Add Product Type" })[0]!)

    const form = await findDialog("Add Product Type")
    await user.click(form.getByRole("button", { name: "Save" }))
    expect(await form.findByText("Name is required")).toBeTruthy()
    await user.type(form.getByRole("textbox", { name: "Name" }), "Platinum plan")
    await user.click(form.getByRole("button", { name: "Save" }))

    expect(await screen.findByText("Product type created successfully")).toBeTruthy()
    const row = await screen.findByRole("row", { name: /Platinum plan/ })
    expect(within(row).getByText("15 %")).toBeTruthy()
    expect(within(row).getByText("2026-11-20")).toBeTruthy()
  })

  it("keeps the input when another user saved meanwhile, and shows both values", async () => {
    const made = await benefitsClient().benefits.create({ name: "Funeral", description: "" })
    const { user } = await openPage(app, app.people.manager, "/benefits?tab=benefits")
    await user.click(await screen.findByRole("button", { name: "Edit Funeral" }))

    const form = await findDialog("Edit Benefit")
    await user.type(form.getByRole("textbox", { name: "Description" }), "mine")
    await benefitsClient().benefits.update({ id: made.id, version: 1, name: "Family funeral", description: "theirs" })
    await user.click(form.getByRole("button", { name: "Save" }))

    expect(await form.findByText("Theirs: theirs")).toBeTruthy()
    expect(fieldValue(form.getByRole("textbox", { name: "Description" }))).toBe("mine")
    expect(fieldValue(form.getByRole("textbox", { name: "Name" }))).toBe("Family funeral")
    await user.click(form.getByRole("button", { name: "Save" }))
    expect(await screen.findByText("Benefit updated successfully")).toBeTruthy()
    const { rows } = await benefitsClient().benefits.list({ search: "Family funeral" })
    expect(rows[0]).toMatchObject({ name: "Family funeral", description: "mine", version: 3 })
  })

  it("shows the VAT class beside the rate, and saving keeps a zero-rated class", async () => {
    const { productTypes } = benefitsClient()
    const made = await productTypes.create({
      name: "Export cover",
      description: "",
      vatRates: [
        { from: null, percent: 15 },
        { from: "2026-01-01", percent: 0, class: "zero" },
      ],
    })
    const { user } = await openPage(app, app.people.manager, "/benefits?search=Export")
    const row = within(await screen.findByRole("row", { name: /Export cover/ }))
    expect(row.getByText("Zero-rated")).toBeTruthy()
    await user.click(row.getByRole("button", { name: "Edit Export cover" }))
    const form = await findDialog("Edit Product Type")
    expect(form.getAllByRole("textbox", { name: "VAT rate (%)" })).toHaveLength(1)
    await user.type(form.getByRole("textbox", { name: "Description" }), "for branches abroad")
    await user.click(form.getByRole("button", { name: "Save" }))
    expect(await screen.findByText("Product type updated successfully")).toBeTruthy()
    const saved = await productTypes.get({ id: made.id })
    expect(saved).toMatchObject({ description: "for branches abroad", vatRates: made.vatRates, vatClass: "zero" })
  })

  it("marks a funeral product, and refuses while a policy's waiting period is too long", async () => {
    const manager = app.as(app.people.manager)
    const { productTypes } = benefitsClient()
    const made = await productTypes.create({ name: "Burial plan", description: "" })
    const policy = await createActivePolicy(manager, {
      ...{ groupName: "Hemlock Mills", productTypeId: made.id, waitingPeriodMonths: 9 },
    })
    const { user } = await openPage(app, app.people.manager, "/benefits?search=Burial")
    await user.click(await screen.findByRole("button", { name: "Edit Burial plan" }))
    const form = await findDialog("Edit Product Type")
    await user.click(form.getByRole("checkbox", { name: /^Funeral product/ }))
    await user.click(form.getByRole("button", { name: "Save" }))
    expect(await form.findByText(new RegExp(`too long in ${policy.number} \\(9 months\\)`))).toBeTruthy()
    expect((await productTypes.get({ id: made.id })).isFuneral).toBe(false)

    await manager.policies.updateSection({
      ...{ policyId: policy.id, version: policy.version },
      change: {
        section: "coverage",
        values: { ...policy.coverage, waitingPeriodMonths: 6, waitingPeriodFromOn: "2026-11-01" },
      },
    })
    await user.click(form.getByRole("button", { name: "Save" }))
    expect(await screen.findByText("Product type updated successfully")).toBeTruthy()
    expect((await productTypes.get({ id: made.id })).isFuneral).toBe(true)
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
    await user.click(await screen.findByRole("button", { name: "Edit Burial plan" }))
    const marked = (await findDialog("Edit Product Type")).getByRole("checkbox", { name: /^Funeral product/ })
    expect((marked as HTMLInputElement).checked).toBe(true)
  })

  it("asks before deleting, and names the uses of a benefit", async () => {
    const { user } = await openPage(app, app.people.underwriter, "/benefits?tab=benefits")
    await user.click(await screen.findByRole("button", { name: "Delete Death benefit" }))
    const question = await findDialog("Delete Death benefit?")
    await user.click(question.getByRole("button", { name: "Delete benefit" }))
    expect(await question.findByText(/Death benefit cannot be deleted: it is used by 4 product benefits/)).toBeTruthy()
    expect(screen.getByText("Failed to delete benefit")).toBeTruthy()
    await user.click(question.getByRole("button", { name: "Cancel" }))
    expect((await benefitsClient().choices()).benefits).toContainEqual({
      id: sample.benefits["Death benefit"],
      name: "Death benefit",
    })
  })

  it("deletes an unused record after confirmation", async () => {
    await benefitsClient().benefits.create({ name: "Unused", description: "" })
    const { user, unmount } = await openPage(app, app.people.underwriter, "/benefits?tab=benefits&search=Unused")
    await user.click(await screen.findByRole("button", { name: "Delete Unused" }))
    await user.click((await findDialog("Delete Unused?")).getByRole("button", { name: "Delete benefit" }))
    expect(await screen.findByText("Benefit deleted successfully")).toBeTruthy()
    expect((await benefitsClient().benefits.list({ search: "Unused" })).total).toBe(0)

    unmount()
    await benefitsClient().productTypes.create({ name: "Unsold", description: "" })
    const types = await openPage(app, app.people.underwriter, "/benefits?search=Unsold")
    await types.user.click(await screen.findByRole("button", { name: "Delete Unsold" }))
    await types.user.click((await findDialog("Delete Unsold?")).getByRole("button", { name: "Delete product type" }))
    expect(await screen.findByText("Product type deleted successfully")).toBeTruthy()
    expect((await benefitsClient().productTypes.list({ search: "Unsold" })).total).toBe(0)
  })

  it("configures a benefit in rand, with blank amounts as 0", async () => {
    const productTypeId = sample.productTypes["Group Life"]!
    const { id: benefitId } = await benefitsClient().benefits.create({ name: "Burial", description: "" })
    const { user } = await openPage(app, app.people.manager, "/benefits?tab=configuration")
    expect(await screen.findAllByText("R 250 000,00")).not.toHaveLength(0)
    expect(document.body.textContent).not.toContain("$")

    await user.click(screen.getByRole("button", { name: "Add Configuration" }))
    const form = await findDialog("Add Product Benefit")
    await user.click(form.getByRole("button", { name: "Save" }))
    for (const missing of ["Choose a product type", "Choose a benefit", "Choose a benefit tier"]) {
      expect(await form.findByText(missing)).toBeTruthy()
    }
    for (const [label, choice] of [
      ["Product type", "Group Life"],
      ["Benefit", "Burial"],
      ["Benefit tier", "Gold"],
    ] as const) {
      await user.click(form.getByRole("combobox", { name: label }))
      await user.click(await screen.findByRole("option", { name: choice }))
    }
    await user.type(form.getByRole("textbox", { name: "Cover amount" }), "lots")
    await user.click(form.getByRole("button", { name: "Save" }))
    expect(await form.findByText("Enter an amount in rand, such as 1 234,50")).toBeTruthy()
    await user.clear(form.getByRole("textbox", { name: "Cover amount" }))
    await user.type(form.getByRole("textbox", { name: "Cover amount" }), "R25,000.50")
    await user.click(form.getByRole("button", { name: "Save" }))

    expect(await screen.findByText("Product benefit created successfully")).toBeTruthy()
    const { rows } = await benefitsClient().productBenefits.list({ productTypeId, pageSize: 100 })
    expect(rows.find((row) => row.benefitId === benefitId)).toMatchObject({
      tier: "Gold",
      costCents: 0,
      coverAmountCents: 25_000_50,
      coverPercentage: 0,
    })

    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
    await user.click(await screen.findByRole("button", { name: "Edit Group Life / Burial / Gold" }))
    const edit = await findDialog("Edit Product Benefit")
    await user.clear(edit.getByRole("textbox", { name: "Cost" }))
    await user.type(edit.getByRole("textbox", { name: "Cost" }), "95")
    await user.click(edit.getByRole("button", { name: "Save" }))
    expect(await screen.findByText("Product benefit updated successfully")).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
    await user.click(await screen.findByRole("button", { name: "Delete Group Life / Burial / Gold" }))
    await user.click(await screen.findByRole("button", { name: "Delete product benefit" }))
    expect(await screen.findByText("Product benefit deleted successfully")).toBeTruthy()
    const { rows: left } = await benefitsClient().productBenefits.list({ productTypeId, pageSize: 100 })
    expect(left.filter((row) => row.benefitId === benefitId)).toEqual([])
  })

  it("adds, renames and reorders tiers", async () => {
    const { user } = await openPage(app, app.people.manager, "/benefits?tab=configuration")
    await user.click(await screen.findByRole("button", { name: "Manage tiers" }))
    const tiers = await findDialog("Manage tiers")
    expect((await tiers.findAllByRole("listitem")).map((item) => item.textContent)).toEqual([
      "Standard",
      "Silver",
      "Gold",
      "Platinum",
    ])
    await user.click(tiers.getByRole("button", { name: "Move Gold up" }))
    await waitFor(async () => {
      const { rows } = await benefitsClient().tiers.list({})
      expect(rows.map(({ name }) => name)).toEqual(["Standard", "Gold", "Silver", "Platinum"])
    })
    await user.click(tiers.getByRole("button", { name: "Add tier" }))
    const form = await findDialog("Add Benefit Tier")
    await user.type(form.getByRole("textbox", { name: "Name" }), "silver")
    await user.click(form.getByRole("button", { name: "Save" }))
    expect(await form.findByText("There is already a benefit tier named silver.")).toBeTruthy()
    expect(fieldValue(form.getByRole("textbox", { name: "Name" }))).toBe("silver")
  })

  it("offers no actions to users who may only read", async () => {
    await openPage(app, await app.people.groupAdmin(), "/benefits")
    expect(await screen.findByRole("row", { name: /Group Life/ })).toBeTruthy()
    for (const name of ["Add Product Type", "Edit Group Life", "Delete Group Life"]) {
      expect(screen.queryByRole("button", { name })).toBeNull()
    }
    expect(screen.queryByRole("columnheader", { name: "Actions" })).toBeNull()
  })
})
