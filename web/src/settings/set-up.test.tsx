import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ isSetUp: false })
})
afterAll(() => app.close())

const findStep = async (name: string) => within(await screen.findByRole("listitem", { name }))

it("the dashboard of an empty installation leads to the set-up, where a starting set completes the benefits", async () => {
  const { user } = await openPage(app, app.people.admin, "/")
  await user.click(await screen.findByRole("link", { name: "Continue set-up" }))
  expect((await findStep("Benefits")).getByText("To do")).toBeTruthy()
  await user.click(screen.getByRole("button", { name: "Group funeral" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Add Group funeral" }))
  await user.click(dialog.getByRole("button", { name: "Save set" }))
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  expect(await (await findStep("Benefits")).findByText("Done")).toBeTruthy()
})

it("a step is skipped and offered again", async () => {
  const { user } = await openPage(app, app.people.admin, "/set-up")
  await user.click(await screen.findByRole("button", { name: "Skip: Mail server" }))
  await user.click(await screen.findByRole("button", { name: "Do not skip: Mail server" }))
  expect(await screen.findByRole("button", { name: "Skip: Mail server" })).toBeTruthy()
})

it("names in use are shown at their fields", async () => {
  const { user } = await openPage(app, app.people.manager, "/set-up")
  await user.click(await screen.findByRole("button", { name: "Group funeral" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Add Group funeral" }))
  await user.click(dialog.getByRole("button", { name: "Save set" }))
  expect(await dialog.findByText("There is already a product type named Group funeral.")).toBeTruthy()
  expect(dialog.getByText("There is already a benefit named Funeral benefit.")).toBeTruthy()
})
