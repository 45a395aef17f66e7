import { screen, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../../server/src/claims/claim-scene.samples.ts"
import {
  createApprovedClaim,
  createDraftClaim,
  createRoutedClaim,
} from "../../../../server/src/claims/claims.samples.ts"
import { openPage } from "../../test/page.tsx"
import { focusedElement } from "../../test/part.tsx"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Karoo Solar")
})
afterAll(() => app.close())

describe("a list", () => {
  it("a view of the list is saved, opened again and deleted", async () => {
    const { number } = await createRoutedClaim(scene.cast, scene.sample)
    const first = await openPage(app, app.people.manager, "/claims?tab=pending&search=karoo")
    await screen.findByRole("row", { name: new RegExp(number) })
    await first.user.click(screen.getByRole("button", { name: "Saved views" }))
    await first.user.type(await screen.findByRole("textbox", { name: "Save this view as" }), "Solar, pending{Enter}")
    expect(await screen.findByRole("button", { name: "Solar, pending" })).toBeDefined()
    first.unmount()

    const again = await openPage(app, app.people.manager, "/claims")
    await again.findByRole("row", { name: new RegExp(number) })
    await again.user.click(screen.getByRole("button", { name: "Saved views" }))
    await again.user.click(await again.findByRole("button", { name: "Solar, pending" }))
    await again.findByDisplayValue("karoo")
    expect(again.location()).toContain("tab=pending")

    await again.user.click(screen.getByRole("button", { name: "Saved views" }))
    await again.user.click(await again.findByRole("button", { name: "Delete view Solar, pending" }))
    expect(await again.findByText(/^No saved views yet/)).toBeDefined()
    await vi.waitFor(() => expect(focusedElement()).toBe(screen.getByRole("textbox", { name: "Save this view as" })))
    await again.user.keyboard("{Escape}")
    await vi.waitFor(() => expect(focusedElement()).toBe(screen.getByRole("button", { name: "Saved views" })))

    await again.user.click(screen.getByRole("button", { name: "Undo" }))
    await again.user.click(screen.getByRole("button", { name: "Saved views" }))
    await again.user.click(await again.findByRole("button", { name: "Solar, pending" }))
    await again.findByDisplayValue("karoo")
  })

  it("asks before overwriting a view of the same name", async () => {
    await createRoutedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, app.people.manager, "/claims?search=karoo")
    const button = () => screen.findByRole("button", { name: "Saved views" })
    const keep = async (name: string) => {
      await user.click(await button())
      await user.type(await screen.findByRole("textbox", { name: "Save this view as" }), `${name}{Enter}`)
    }
    const kept = async () => {
      const all = await users.views.list({ list: "claims" })
      return all.find(({ name }) => name.toLowerCase() === "mine")?.address
    }
    const users = app.as(app.people.manager).users
    await keep("Mine")
    await screen.findByRole("button", { name: "Mine" })
    await user.keyboard("{Escape}")
    await user.click(screen.getByRole("link", { name: /^Rejected/ }))

    await keep("mine ")
    await user.click(await screen.findByRole("button", { name: "Cancel" }))
    await vi.waitFor(() => expect(screen.queryByRole("dialog", { name: "Replace the view Mine?" })).toBeNull())
    expect(await kept()).toMatchObject({ search: "karoo", tab: "all" })
    await vi.waitFor(() => expect(focusedElement()?.getAttribute("aria-label")).toBe("Saved views"))

    await keep("{Backspace}")
    await user.click(await screen.findByRole("button", { name: "Replace view" }))
    await vi.waitFor(async () => expect(await kept()).toMatchObject({ search: "karoo", tab: "rejected" }))
  })

  it("a list filters by a preset date range or two chosen days", async () => {
    const { number } = await createApprovedClaim(scene.cast, scene.sample)
    const { user, location } = await openPage(app, app.people.manager, "/claims")
    await screen.findByRole("row", { name: new RegExp(number) })
    const open = () => user.click(screen.getByRole("button", { name: /^Decided/ }))
    const asked = () => Object.fromEntries(new URLSearchParams(location().split("?")[1]))

    await open()
    await user.click(await screen.findByRole("button", { name: "Last month" }))
    await screen.findByText("No claims found.")
    expect(asked()).toEqual({ decidedFrom: "2026-10-01", decidedTo: "2026-10-31" })
    expect(screen.getByRole("button", { name: "Decided 2026-10-01 – 2026-10-31" })).toBeDefined()

    await open()
    const form = await screen.findByRole("form", { name: "Decided" })
    const [from, to] = ["From", "To"].map((name) => within(form).getByRole("textbox", { name }))
    await user.type(from!, "{Alt>}{ArrowDown}{/Alt}")
    await vi.waitFor(() => expect(focusedElement()?.getAttribute("aria-label")).toBe("1 October 2026"), 8_000)
    await user.keyboard("{Escape}")
    expect(focusedElement()).toBe(from)
    expect(form.isConnected).toBe(true)
    await user.clear(from!)
    await user.type(from!, "2026-11-01")
    await user.keyboard("{Enter}")
    expect(within(form).getByText("The last day is before the first day")).toBeDefined()
    await user.clear(to!)
    await user.type(to!, "31/11/2026{Enter}")
    expect(within(form).getByText("Enter a valid date as YYYY-MM-DD")).toBeDefined()
    expect(asked()).toEqual({ decidedFrom: "2026-10-01", decidedTo: "2026-10-31" })
    await user.clear(to!)
    await user.keyboard("{Enter}")
    await screen.findByRole("row", { name: new RegExp(number) })
    expect(asked()).toEqual({ decidedFrom: "2026-11-01" })

    await user.click(screen.getByRole("button", { name: "Clear filter Decided" }))
    expect(asked()).toEqual({})
    expect(focusedElement()).toBe(screen.getByRole("button", { name: /^Decided/ }))
  })

  it("a list exports the filtered or the selected rows, in the shown columns", async () => {
    const { number, id } = await createRoutedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, app.people.manager, "/claims?tab=pending&sort=number")
    const row = await screen.findByRole("row", { name: new RegExp(number) })
    await user.click(screen.getByRole("button", { name: "Export" }))
    const all = new URL((await screen.findByRole<HTMLAnchorElement>("menuitem", { name: "CSV" })).href)
    await user.keyboard("{Escape}")
    expect(all.pathname).toBe("/api/claims.csv")
    expect(Object.fromEntries(all.searchParams)).toEqual({
      tab: "pending",
      sort: "number",
      dir: "desc",
      columns: "number,member,group,type,incidentOn,submittedAt,requested,status",
    })

    const asked: string[] = []
    const kept: string[] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      kept.push(this.download)
    })
    URL.createObjectURL = () => "blob:a"
    const headers = { "content-disposition": "attachment; filename=\"a.csv\"; filename*=UTF-8''claims.csv" }
    const full = { code: "OVERLOADED", message: "The server has too much to do. Please try again in a minute." }
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
      asked.push(String(url))
      return asked.length === 1 ? new Response("a", { headers }) : Response.json(full, { status: 429 })
    })
    onTestFinished(() => fetched.mockRestore())
    await user.click(within(row).getByRole("checkbox", { name: `Select ${number}` }))
    await user.click(
      within(await screen.findByRole("region", { name: "Selected rows" })).getByRole("button", { name: "Export CSV" }),
    )
    await vi.waitFor(() => expect(kept).toEqual(["claims.csv"]))
    expect(asked).toEqual([expect.stringContaining(`ids=${id}`)])

    // The export queue is full, so the server refuses with instructions.
    await user.click(screen.getByRole("button", { name: "Export" }))
    await user.click(await screen.findByRole("menuitem", { name: "CSV" }))
    expect((await screen.findByRole("alert")).textContent).toContain("Please try again in a minute.")
    expect(new URL(asked.at(-1)!, location.href).href).toBe(all.href)
    expect(kept).toHaveLength(1)
    click.mockRestore()
  })

  it("a record page goes forward past the list's last row and back past its first", async () => {
    const other = await insureGroup(app, "Namaqua Wind")
    const drafts = []
    for (let made = 0; made < 26; made++) drafts.push(await createDraftClaim(other.cast, other.sample))
    const [last, beyond] = drafts.slice(-2)
    const list = "/claims?search=namaqua&sort=number&dir=asc"
    const { user, location } = await openPage(app, app.people.manager, list)
    await user.click(await screen.findByRole("link", { name: last!.number }))

    await user.click(await screen.findByRole("link", { name: "Next in claims" }))
    await screen.findByRole("heading", { name: new RegExp(beyond!.number) })
    expect(location()).toContain(beyond!.id)
    expect(screen.getByRole("link", { name: "Back to Claims" }).getAttribute("href")).toContain("page=2")
    expect(screen.getByRole("button", { name: "Next in claims" })).toHaveProperty("disabled", true)

    await user.click(screen.getByRole("link", { name: "Previous in claims" }))
    await screen.findByRole("heading", { name: new RegExp(last!.number) })
    expect(location()).toContain(last!.id)
  })

  it("a list redirects past-the-end pages to the last page and ignores invalid parameters", async () => {
    const { number } = await createRoutedClaim(scene.cast, scene.sample)
    const { location } = await openPage(app, app.people.manager, "/claims/pending?page=99&urgent=banana")
    await screen.findByRole("row", { name: new RegExp(number) })
    expect(location()).not.toContain("page=")
    expect(screen.getByRole("button", { name: "Urgent" }).getAttribute("aria-pressed")).toBe("false")
  })

  it("a list filters by several employers, chosen by name", async () => {
    const other = await insureGroup(app, "Sutherland Optics")
    const [mine, theirs] = [
      await createDraftClaim(scene.cast, scene.sample),
      await createDraftClaim(other.cast, other.sample),
    ]
    const { user, location } = await openPage(app, app.people.manager, "/claims")
    await screen.findByRole("row", { name: new RegExp(mine.number) })
    await user.click(screen.getByRole("button", { name: "Employer" }))
    await user.click(await screen.findByRole("checkbox", { name: "Sutherland Optics" }))
    await vi.waitFor(() => expect(screen.queryByRole("row", { name: new RegExp(mine.number) })).toBeNull(), 8_000)
    expect(screen.getByRole("row", { name: new RegExp(theirs.number) })).toBeTruthy()
    expect(location()).toContain(`groupId=${other.groupId}`)
    expect(screen.getByRole("button", { name: "Employer Sutherland Optics" })).toBeTruthy()
  })
})
