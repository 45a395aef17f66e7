import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import {
  createClaimPendingAt,
  createDraftClaim,
  createReviewedClaim,
} from "../../../server/src/claims/claims.samples.ts"
import { openPage } from "../test/page.tsx"
import { chooseOption } from "./claim-form.samples.tsx"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Handed Heath")
})
afterAll(() => app.close())

it("a manager can reassign a claim from its page", async () => {
  const claim = await createReviewedClaim(scene.cast, scene.sample)
  const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}`)
  await user.click(await screen.findByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: "Assign" }))
  const dialog = within(await screen.findByRole("dialog", { name: `Assign ${claim.number}` }))
  expect(
    dialog.getByText(`${scene.people.manager.name} is reviewing it now. The new reviewer is notified.`),
  ).toBeTruthy()
  await user.click(dialog.getByRole("button", { name: "Assign claim" }))
  expect(await dialog.findByText("Choose a person", { selector: "p, div" })).toBeTruthy()
  const { name } = app.people.manager2
  await chooseOption(user, /Assign to/, name)
  await user.click(dialog.getByRole("button", { name: "Assign claim" }))
  expect(await screen.findByText(`The claim is assigned to ${name}`)).toBeTruthy()
})

it("withdrawing a draft asks for confirmation and leaves the page", async () => {
  const draft = await createDraftClaim(scene.cast, scene.sample)
  const { user, location } = await openPage(app, scene.people.hr, `/claims/${draft.id}`)
  await user.click(await screen.findByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: "Withdraw draft" }))
  const question = within(await screen.findByRole("dialog", { name: `Withdraw ${draft.number}?` }))
  await user.click(question.getByRole("button", { name: "Withdraw draft" }))
  expect(await screen.findByText(`Draft ${draft.number} withdrawn`)).toBeTruthy()
  await waitFor(() => expect(location()).toMatch(/^\/claims($|\?)/))
})

it("a policy holder's stand-in sees the notice and decides the claim", async () => {
  const { signatory } = scene.people
  const third = await app.people.groupAdmin(scene.groupId)
  const claim = await createClaimPendingAt(scene.cast, "policy_holder", scene.sample)
  const theirs = await openPage(app, signatory, "/claims/pending")
  await theirs.user.click(await screen.findByRole("button", { name: "Stand-ins" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Stand-ins" }))
  await dialog.findByRole("button", { name: "Name stand-in" })
  expect(dialog.queryByLabelText(/Person away/)).toBeNull()
  const [own] = await app.as(signatory).claims.standInChoices()
  const named = own!.standIns.find(({ userId }) => userId === third.userId)!
  await app.as(signatory).claims.nameStandIn({
    personId: signatory.userId,
    standInId: named.userId,
    fromOn: "2026-11-02",
    untilOn: "2026-11-09",
  })
  theirs.unmount()

  const { user } = await openPage(app, third, "/claims/pending")
  expect(await screen.findByText(/You decide claims for/)).toBeTruthy()
  await user.click(await screen.findByRole("link", { name: "Decide the waiting claim" }))
  await user.type(await screen.findByRole("textbox", { name: "Comment" }), "For him")
  await user.click(screen.getByRole("button", { name: "Approve" }))
  await user.click(await screen.findByRole("button", { name: "Approve claim" }))
  expect(await screen.findByText("Claim approved successfully")).toBeTruthy()
  expect((await scene.cast.manager.claims.detail({ claimId: claim.id })).status).toBe("approved")
})

it("the approval page steps through the list that it was opened from", async () => {
  const listed = await insureGroup(app, "Listed Lumber")
  const claims = [
    await createClaimPendingAt(listed.cast, "group_admin", listed.sample),
    await createClaimPendingAt(listed.cast, "group_admin", listed.sample),
  ]
  const { user, location } = await openPage(app, listed.people.hr2, "/claims/pending")
  const links = await screen.findAllByRole("link", { name: /^CLM-/ })
  const numbers = links.map(({ textContent }) => textContent!)
  expect(numbers.toSorted()).toEqual(claims.map(({ number }) => number).toSorted())
  await user.click(links[0]!)
  await screen.findByRole("heading", { name: `Claim approval: ${numbers[0]}` })
  await user.click(await screen.findByRole("link", { name: /^Next in/ }))
  await screen.findByRole("heading", { name: `Claim approval: ${numbers[1]}` })
  await user.keyboard("[[")
  await screen.findByRole("heading", { name: `Claim approval: ${numbers[0]}` })
  expect(location()).toMatch(/\/approve$/)
})
