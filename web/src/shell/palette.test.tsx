import { screen, waitFor } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

it("keys typed while the palette loads reach its field and trigger no shortcut", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/")
  await screen.findByRole("heading", { name: "Dashboard" })
  await user.keyboard("{Control>}k{/Control}gminax{Backspace}")
  const field = await screen.findByRole<HTMLInputElement>("combobox", { name: "Search records and pages" })
  await waitFor(() => expect(field.value).toBe("gmina"))
  await user.keyboard("s")
  expect(field.value).toBe("gminas")
  expect(location()).toBe("/")
})

it("Enter pressed while the palette loads runs the entry", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/")
  await screen.findByRole("heading", { name: "Dashboard" })
  await user.keyboard("{Control>}k{/Control}view policies{Enter}")
  await waitFor(() => expect(location()).toBe("/policies"))
})

it("Escape cancels the loading palette, and shortcuts work again", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/")
  await screen.findByRole("heading", { name: "Dashboard" })
  await user.keyboard("{Control>}k{/Control}{Escape}gm")
  await waitFor(() => expect(location()).toBe("/members"))
  expect(screen.queryByRole("combobox", { name: "Search records and pages" })).toBeNull()
})
