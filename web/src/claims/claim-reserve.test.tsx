import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import { createApprovedClaim, createSubmittedClaim } from "../../../server/src/claims/claims.samples.ts"
import { openPage } from "../test/page.tsx"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Reserves on screen")
})
afterAll(() => app?.close())

const rowsOfMovements = async () => {
  const table = await screen.findByRole("table", { name: "Movements of the reserve" })
  return within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    )
}

test("a manager sets the reserve with a reason and returns it to the proposed amount", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const { user } = await openPage(app, app.people.manager, `/claims/${claim.id}`)
  expect(await screen.findByText("Follows the proposed amount.")).toBeDefined()
  await user.click(screen.getByRole("button", { name: "Change reserve" }))
  const dialog = within(await screen.findByRole("dialog", { name: `Change the reserve of ${claim.number}` }))
  expect(dialog.queryByRole("radio")).toBeNull()
  await user.click(dialog.getByRole("button", { name: "Change reserve" }))
  expect(await dialog.findByText("Enter the amount of the reserve.")).toBeDefined()
  expect(dialog.getByText("Enter a reason.")).toBeDefined()
  await user.type(dialog.getByRole("textbox", { name: /Amount/ }), "4 500,00")
  await user.type(dialog.getByRole("textbox", { name: /Reason/ }), "The hospital's quote")
  expect(dialog.getByText(/^The reserve falls by/).textContent).toMatch(/ to R\s4\s500,00\.$/)
  await user.click(dialog.getByRole("button", { name: "Change reserve" }))
  expect(await screen.findByText(/^Set by .* on/)).toHaveProperty(
    "textContent",
    expect.stringContaining(`Set by ${app.people.manager.name} on 2026-`),
  )
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  const [set, submitted] = await rowsOfMovements()
  expect(set).toEqual([
    ...[expect.stringMatching(/^2026-/), "Set by a manager", expect.stringMatching(/^-/)],
    ...[expect.stringMatching(/^R\s4\s500,00$/), "The hospital's quote", app.people.manager.name],
  ])
  expect(submitted![1]).toBe("Claim submitted")

  await user.click(screen.getByRole("button", { name: "Change reserve" }))
  const again = within(await screen.findByRole("dialog", { name: `Change the reserve of ${claim.number}` }))
  await user.click(again.getByRole("radio", { name: /^Use the proposed amount/ }))
  expect(again.queryByRole("textbox", { name: /Amount/ })).toBeNull()
  await user.type(again.getByRole("textbox", { name: /Reason/ }), "The quote was for someone else")
  await user.click(again.getByRole("button", { name: "Change reserve" }))
  expect(await screen.findByText("Follows the proposed amount.")).toBeDefined()
  expect((await rowsOfMovements()).map(([, cause]) => cause)).toEqual([
    ...["Returned to the proposed amount", "Set by a manager", "Claim submitted"],
  ])
  const { reserveCents, proposedCents, setCents } = await scene.cast.manager.claims.reserve.detail({
    claimId: claim.id,
  })
  expect([reserveCents, setCents]).toEqual([proposedCents, null])
})

test("an approved claim shows its released reserve and offers no change", async () => {
  const claim = await createApprovedClaim(scene.cast, scene.sample)
  await openPage(app, app.people.manager, `/claims/${claim.id}`)
  expect(await screen.findByText("Only a submitted claim that is not decided has a reserve.")).toBeDefined()
  expect((await rowsOfMovements()).map(([, cause]) => cause)).toEqual(["Claim approved", "Claim submitted"])
  expect(screen.queryByRole("button", { name: "Change reserve" })).toBeNull()
})

test("a failed load of the reserve offers a retry", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  await openPage(app, app.people.manager, `/claims/${claim.id}`, (procedure) =>
    procedure === "claims.reserve.detail" ? Promise.reject(new Error("down")) : undefined,
  )
  expect(await screen.findByText("Failed to load the reserve", { selector: "p" })).toBeDefined()
  expect(screen.getByRole("button", { name: "Retry" })).toBeDefined()
})

test("an employer's user does not see the reserve", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  await openPage(app, scene.people.hr, `/claims/${claim.id}`)
  expect(await screen.findByText("Claim information")).toBeDefined()
  expect(screen.queryByText("Reserve")).toBeNull()
})
