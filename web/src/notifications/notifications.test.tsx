import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import { approveStage, createRoutedClaim } from "../../../server/src/claims/claims.samples.ts"
import { openPage } from "../test/page.tsx"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Inbox Ironworks")
})
afterAll(() => app.close())

it("the bell counts unread notifications, and opening one marks it as read", async () => {
  const { hr2 } = scene.people
  const claim = await createRoutedClaim(scene.cast, scene.sample)
  const { user, location } = await openPage(app, hr2, "/")
  await user.click(await screen.findByRole("button", { name: "Notifications: 1 unread" }))
  const panel = within(await screen.findByRole("dialog", { name: /^Notifications/ }))
  expect(await panel.findByText(/Inbox Ironworks/)).toBeTruthy()
  await user.click(await panel.findByRole("link", { name: /Claim .* to decide/ }))
  await waitFor(() => expect(location()).toBe(`/claims/${claim.id}/approve`))
  expect(await screen.findByRole("button", { name: "Notifications" })).toBeTruthy()
  expect(await app.as(hr2).notifications.unread()).toEqual({ unread: 0 })
})

it("the inbox groups by day, marks one or all, and shows completed notifications", async () => {
  const { hr2 } = scene.people
  const [first, second] = [
    await createRoutedClaim(scene.cast, scene.sample),
    await createRoutedClaim(scene.cast, scene.sample),
  ]
  const done = await createRoutedClaim(scene.cast, scene.sample)
  const hr3 = await app.people.groupAdmin(scene.groupId)
  await approveStage({ ...scene.cast, group_admin: app.as(hr3) }, done)
  const { user } = await openPage(app, hr2, "/notifications")
  const today = within(await screen.findByRole("region", { name: "Today" }))
  const line = (number: string) => today.getByText(new RegExp(number)).closest("li")!
  expect(line(done.number).textContent).toContain("Done")
  expect(within(line(done.number)).queryByRole("button")).toBeNull()
  await user.click(today.getByRole("button", { name: `Mark as read: Claim ${first.number} to decide` }))
  await today.findByRole("button", { name: `Mark as unread: Claim ${first.number} to decide` })
  await user.click(screen.getByRole("button", { name: "Mark all as read" }))
  await today.findByRole("button", { name: `Mark as unread: Claim ${second.number} to decide` })
  await user.click(screen.getByRole("link", { name: /^Unread/ }))
  expect(await screen.findByText("No unread notifications")).toBeTruthy()
})

it("users choose a channel on their profile, per notification kind of their role", async () => {
  const { signatory } = scene.people
  const { user } = await openPage(app, signatory, "/profile")
  const field = await screen.findByRole("combobox", { name: "Claims to decide" })
  expect((field as HTMLInputElement).value).toBe("In Milkwood and by e-mail immediately")
  expect(screen.queryByRole("combobox", { name: "Payments to release" })).toBeNull()
  await user.click(field)
  await user.click(await screen.findByRole("option", { name: "Off" }))
  expect(await screen.findByText("Notifications updated")).toBeTruthy()
  const [choice] = await app.as(signatory).notifications.choices()
  expect(choice).toMatchObject({ kind: "claim_to_decide", channel: "none" })
})
