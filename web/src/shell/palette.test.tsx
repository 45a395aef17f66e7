import { screen, waitFor } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

it("is given what is typed while it loads, and none of it acts as a shortcut", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/")
  await screen.findByRole("heading", { name: "Dashboard" })
  await user.keyboard("{Control>}k{/Control}gminax{Backspace}")
  const field = await screen.findByRole<HTMLInputElement>("combobox", { name: "Search records and pages" })
  await waitFor(() => expect(field.value).toBe("gmina"))
  await user.keyboard("s")
  expect(field.value).toBe("gminas")
  expect(location()).toBe("/")
})

it("runs what Enter was pressed for before it was there", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/")
  await screen.findByRole("heading", { name: "Dashboard" })
  await user.keyboard("{Control>}k{/Control}view policies{Enter}")
  await waitFor(() => expect(location()).toBe("/policies"))
})

it("is closed by Escape before it is there, and leaves the keys to the page", async () => {
  const { user, location } = await openPage(app, app.people.manager, "/")
  await screen.findByRole("heading", { name: "Dashboard" })
  await user.keyboard("{Control>}k{/Control}{Escape}gm")
  await waitFor(() => expect(location()).toBe("/members"))
  expect(screen.queryByRole("combobox", { name: "Search records and pages" })).toBeNull()
})
