import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import { createSubmittedClaim } from "../../../server/src/claims/claims.samples.ts"
import { openPage } from "../test/page.tsx"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Karoo Solar")
})
afterAll(() => app.close())

const getDialog = () => within(screen.getByRole("dialog"))
const submitClaim = () => createSubmittedClaim(scene.cast, scene.sample)
const lettersOf = async (claimId: string) =>
  (await app.as(scene.people.manager).letters.list({ record: "claim", recordId: claimId })).letters

type User = Awaited<ReturnType<typeof openPage>>["user"]

async function chooseLetter(user: User, name: string) {
  await user.click(await screen.findByRole("button", { name: "Write letter" }))
  await screen.findByRole("dialog")
  await user.click(getDialog().getByRole("combobox", { name: "Letter" }))
  await user.click(await screen.findByRole("option", { name }))
  return within(await screen.findByRole("region", { name: "Preview" }))
}

it("a letter is previewed with its note and saved once on a double click", async () => {
  const claim = await submitClaim()
  const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}?tab=letters`)
  expect(await screen.findByText("No letters yet")).toBeTruthy()
  const preview = await chooseLetter(user, "Claim received")
  expect(preview.getByText("We have received your claim")).toBeTruthy()
  expect(preview.getAllByText(new RegExp(claim.number)).length).toBeGreaterThan(0)
  await user.type(await getDialog().findByRole("textbox", { name: "Note" }), "Ask for Lerato.")
  expect(await preview.findByText("Ask for Lerato.")).toBeTruthy()
  await user.dblClick(getDialog().getByRole("button", { name: "Save letter" }))
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  const list = within(await screen.findByRole("list", { name: "Letters" }))
  expect(list.getByText("Claim received")).toBeTruthy()
  expect(list.getByText("Not sent by e-mail")).toBeTruthy()
  const letters = await lettersOf(claim.id)
  expect(letters).toHaveLength(1)
  expect(list.getByRole("link", { name: `Open PDF of ${letters[0]!.number}` }).getAttribute("href")).toBe(
    `/api/letters/${letters[0]!.id}/pdf`,
  )
})

it("a letter is saved and sent, and its page shows the address", async () => {
  const claim = await submitClaim()
  const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}?tab=letters`)
  await chooseLetter(user, "Claim received")
  await user.click(await getDialog().findByRole("checkbox", { name: "Send it by e-mail" }))
  const to = getDialog().getByRole<HTMLInputElement>("textbox", { name: "To" })
  await user.clear(to)
  await user.click(getDialog().getByRole("button", { name: "Save and send" }))
  expect(await getDialog().findByText("Enter the recipient's e-mail address")).toBeTruthy()
  await user.type(to, "family@example.test")
  await user.click(getDialog().getByRole("button", { name: "Save and send" }))
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  expect(await screen.findByText("To family@example.test")).toBeTruthy()
  expect(await screen.findByRole("button", { name: /^Send / })).toBeTruthy()
})

it("a letter whose template changed after the preview is refused and previewed again", async () => {
  const claim = await submitClaim()
  const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}?tab=letters`)
  const preview = await chooseLetter(user, "Claim received")
  await getDialog().findByRole("textbox", { name: "Note" })
  const { templates } = app.as(app.people.admin).letters
  const { version, text } = (await templates.list()).find(({ kind }) => kind === "claim_received")!
  await templates.save({ kind: "claim_received", version, template: { title: "Your claim has arrived", text } })
  await user.click(getDialog().getByRole("button", { name: "Save letter" }))
  expect(await getDialog().findByText(/has changed since this preview/)).toBeTruthy()
  expect(await preview.findByText("Your claim has arrived")).toBeTruthy()
  expect(await lettersOf(claim.id)).toEqual([])
  await user.click(getDialog().getByRole("button", { name: "Save letter" }))
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  expect(await lettersOf(claim.id)).toMatchObject([{ wording: { title: "Your claim has arrived" } }])
})

it("underwriters read letters without writing them, and employers' users have no tab", async () => {
  const claim = await submitClaim()
  const path = `/claims/${claim.id}?tab=letters`
  const { unmount } = await openPage(app, scene.people.underwriter, path)
  expect(await screen.findByText("No letters yet")).toBeTruthy()
  expect(screen.queryByRole("button", { name: "Write letter" })).toBeNull()
  unmount()
  await openPage(app, scene.people.hr, path)
  expect(await screen.findByRole("link", { name: /^Documents/ })).toBeTruthy()
  expect(screen.queryByRole("link", { name: "Letters" })).toBeNull()
})

it("a list of letters that failed to load can be loaded again", async () => {
  let isDown = true
  await openPage(app, scene.people.manager, `/members/${scene.memberId}?tab=letters`, (procedure) =>
    isDown && procedure === "letters.list" ? Promise.reject(new TypeError("down")) : undefined,
  ).then(async ({ user }) => {
    const retry = await screen.findByRole("button", { name: "Retry" }, { timeout: 10_000 })
    isDown = false
    await user.click(retry)
  })
  expect(await screen.findByText("No letters yet")).toBeTruthy()
})

it("the letters of a member and of a policy are written on their pages", async () => {
  const member = await openPage(app, scene.people.manager, `/members/${scene.secondMemberId}?tab=letters`)
  expect(
    (await chooseLetter(member.user, "Confirmation of cover")).getAllByText(/Lerato Botha/).length,
  ).toBeGreaterThan(0)
  member.unmount()
  const policy = await openPage(app, scene.people.manager, `/policies/${scene.policyId}?tab=letters`)
  expect((await chooseLetter(policy.user, "Policy schedule")).getByText("Policy schedule")).toBeTruthy()
})

it("a letter template is edited with a preview, refuses unknown placeholders and is reset", async () => {
  const { user } = await openPage(app, app.people.admin, "/settings/documents")
  await user.click(await screen.findByRole("button", { name: "Joining certificate" }))
  await screen.findByRole("dialog")
  const title = getDialog().getByRole("textbox", { name: "Title" })
  await user.clear(title)
  await user.type(title, "Welcome {{nobody}")
  expect(await getDialog().findByText("{nobody} is not a known placeholder")).toBeTruthy()
  await user.clear(title)
  await user.type(title, "Welcome to {{organisation}")
  expect(await getDialog().findByRole("heading", { name: "Welcome to Umoya Benefits" })).toBeTruthy()
  await user.click(getDialog().getByRole("button", { name: "Save" }))
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  const line = within(screen.getByRole("button", { name: "Joining certificate" }).closest("li")!)
  expect(await line.findByText(/Version 1, saved on/)).toBeTruthy()

  await user.click(screen.getByRole("button", { name: "Actions for Joining certificate" }))
  await user.click(await screen.findByRole("menuitem", { name: "Reset template" }))
  await screen.findByRole("dialog")
  await user.click(getDialog().getByRole("button", { name: "Reset template" }))
  expect(await line.findByText(/Version 2, saved on/)).toBeTruthy()
})
