import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

it("the sidebar group of the current page is open until the user closes it", async () => {
  const { user, router } = await openPage(app, app.people.manager, "/invoices")
  const menu = within(await screen.findByRole("navigation", { name: "Main" }))
  const finance = menu.getByRole("button", { name: "Finance" })
  expect(finance.getAttribute("aria-expanded")).toBe("true")
  expect(menu.getByRole("link", { name: "Invoices" }).getAttribute("aria-current")).toBe("page")
  await user.click(finance)
  expect(finance.getAttribute("aria-expanded")).toBe("false")
  await router.navigate({ to: "/claims" })
  expect(menu.getByRole("button", { name: "Claims" }).getAttribute("aria-expanded")).toBe("true")
})
