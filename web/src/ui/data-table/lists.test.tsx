import { fireEvent, screen, within } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import {
  type ClaimHouse,
  type ClaimScene,
  insureGroup,
  openClaimHouse,
} from "../../../../server/src/claims/claim-scene.samples.ts"
import { routedClaim } from "../../../../server/src/claims/claims.samples.ts"
import { openPage } from "../../test/page.tsx"

let house: ClaimHouse
let scene: ClaimScene
beforeAll(async () => {
  house = await openClaimHouse()
  scene = await insureGroup(house, "Karoo Solar")
})
afterAll(() => house.close())

describe("a list", () => {
  it("is kept as a view and shown again, until it is deleted", async () => {
    const { number } = await routedClaim(scene.cast, scene.sample)
    const first = await openPage(house, house.people.manager, "/claims?tab=pending&search=karoo")
    await screen.findByRole("row", { name: new RegExp(number) })
    await first.user.click(screen.getByRole("button", { name: "Saved views" }))
    // jsdom lays nothing out, so that what floats counts as hidden and takes no keys.
    const name = await screen.findByRole("textbox", { name: "Save this view as", hidden: true })
    fireEvent.change(name, { target: { value: "Solar, pending" } })
    fireEvent.submit(name)
    expect(await screen.findByRole("button", { name: "Solar, pending", hidden: true })).toBeDefined()
    first.unmount()

    const again = await openPage(house, house.people.manager, "/claims")
    await again.findByRole("row", { name: new RegExp(number) })
    await again.user.click(screen.getByRole("button", { name: "Saved views" }))
    await again.user.click(await again.findByRole("button", { name: "Solar, pending", hidden: true }))
    await again.findByDisplayValue("karoo")
    expect(again.location()).toContain("tab=pending")

    await again.user.click(screen.getByRole("button", { name: "Saved views" }))
    await again.user.click(await again.findByRole("button", { name: "Delete view Solar, pending", hidden: true }))
    expect(await again.findByText(/^Nothing saved yet/)).toBeDefined()
  })

  it("is exported as it is filtered, or as it is selected, in the columns shown", async () => {
    const { number, id } = await routedClaim(scene.cast, scene.sample)
    const { user } = await openPage(house, house.people.manager, "/claims?tab=pending&sort=number")
    const row = await screen.findByRole("row", { name: new RegExp(number) })
    const all = new URL(screen.getByRole<HTMLAnchorElement>("link", { name: "Export" }).href)
    expect(all.pathname).toBe("/api/claims.csv")
    expect(Object.fromEntries(all.searchParams)).toEqual({
      tab: "pending",
      sort: "number",
      dir: "desc",
      columns: "number,member,group,type,incidentOn,requested,status",
    })

    const followed: string[] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      followed.push(this.href)
    })
    await user.click(within(row).getByRole("checkbox", { name: `Select ${number}` }))
    await user.click(
      within(screen.getByRole("region", { name: "Selected rows" })).getByRole("button", { name: "Export selected" }),
    )
    click.mockRestore()
    expect(followed).toEqual([expect.stringContaining(`ids=${id}`)])
  })
})
