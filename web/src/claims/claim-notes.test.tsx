import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import { createReviewedClaim, createSubmittedClaim } from "../../../server/src/claims/claims.samples.ts"
import { sendFile } from "../../../server/src/test/send-file.ts"
import { openPage } from "../test/page.tsx"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Karoo Solar")
})
afterAll(() => app.close())

const getDialog = () => within(screen.getByRole("dialog"))

it("a call is saved with Ctrl+Enter, and its author strikes it out with a reason", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}?tab=notes`)
  expect(await screen.findByText("No notes yet")).toBeTruthy()
  await user.click(screen.getByRole("radio", { name: "Call" }))
  await user.type(screen.getByRole("textbox", { name: "What was said" }), "Bill follows{Control>}{Enter}{/Control}")
  expect(await screen.findByText("Choose incoming or outgoing")).toBeTruthy()
  await user.click(screen.getByRole("radio", { name: "Outgoing" }))
  await user.type(screen.getByRole("textbox", { name: "With" }), "Sister Mokoena")
  await user.type(screen.getByRole("textbox", { name: "Phone number" }), "0215550100{Control>}{Enter}{/Control}")
  const list = within(await screen.findByRole("list", { name: "Notes and calls" }))
  expect(list.getByText("Outgoing call")).toBeTruthy()
  expect(list.getByText("Bill follows")).toBeTruthy()
  expect((await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Note" })).value).toBe("")

  await user.click(list.getByRole("button", { name: "Strike out" }))
  await screen.findByRole("dialog")
  await user.type(getDialog().getByRole("textbox", { name: "Reason" }), "Another claim")
  await user.click(getDialog().getByRole("button", { name: "Strike out" }))
  expect(await screen.findByText(/^Struck out on .*Another claim$/)).toBeTruthy()
  expect(screen.getByText("Bill follows").tagName).toBe("S")
})

it("the approval page shows the notes of the claim", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const note = { kind: "note", text: "Bill was checked" } as const
  await app.as(scene.people.manager).claims.addNote({ claimId: claim.id, idempotencyKey: crypto.randomUUID(), note })
  await openPage(app, scene.people.manager, `/claims/${claim.id}/approve`)
  const list = within(await screen.findByRole("list", { name: "Notes and calls" }))
  expect(list.getByText("Bill was checked")).toBeTruthy()
})

it("a due follow-up is listed and completed on the page of follow-ups", async () => {
  const note = {
    kind: "note",
    text: "Ask the ward again",
    followUpOn: app.clock.now().toString().slice(0, 10),
  } as const
  const memberId = scene.memberId
  await app.as(scene.people.underwriter).members.addNote({ memberId, idempotencyKey: crypto.randomUUID(), note })
  const { user } = await openPage(app, scene.people.underwriter, "/claims/follow-ups")
  expect(await screen.findByText("Due (1)")).toBeTruthy()
  await user.click(screen.getByRole("button", { name: "Done" }))
  expect(await screen.findByText("No follow-ups")).toBeTruthy()
})

it("employers' users see neither notes nor openings", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  await openPage(app, scene.people.hr2, `/claims/${claim.id}?tab=notes`)
  expect(await screen.findByRole("link", { name: /^Documents/ })).toBeTruthy()
  expect(screen.queryByRole("link", { name: "Notes" })).toBeNull()
  expect(screen.queryByRole("form", { name: "New note" })).toBeNull()
})

it("a document shows who opened it", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const server = await app.serve()
  const of = ["documentType", "medical_report"] as const
  const file = { path: `/api/claims/${claim.id}/documents`, of, name: "scan.pdf", content: "%PDF-1.4\n%%EOF\n" }
  const { documents } = (await (await sendFile(server, scene.people.hr, file)).json()) as typeof claim
  const path = `${server.url}/api/claims/${claim.id}/documents/${documents[0]!.id}`
  for (const reader of [scene.people.underwriter, scene.people.hr])
    expect((await fetch(path, { headers: server.headersOf(reader) })).status).toBe(200)
  const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}?tab=documents`)
  const summary = await screen.findByText(/^Opened by 2 people, last by/)
  expect(summary.textContent).toContain(scene.people.hr.name)
  await user.click(summary)
  expect(screen.getByText(new RegExp(`^${scene.people.underwriter.name}, Underwriter`))).toBeTruthy()
})

it("selected claims are routed together, and a claim that changed is listed by name", async () => {
  const first = await createReviewedClaim(scene.cast, scene.sample)
  const second = await createReviewedClaim(scene.cast, scene.sample)
  const { user } = await openPage(app, scene.people.manager, "/claims?status=under_review")
  for (const { number } of [first, second])
    await user.click(await screen.findByRole("checkbox", { name: `Select ${number}` }))
  await scene.cast.manager.claims.requestDocuments({
    ...{ claimId: second.id, version: second.version, documents: ["police_report"] },
  })
  await user.click(await screen.findByRole("button", { name: "Route 2" }))
  await screen.findByRole("dialog")
  await user.click(getDialog().getByRole("button", { name: "Route 2 claims" }))
  expect(await screen.findByText("1 claim routed for approval.")).toBeTruthy()
  expect(getDialog().getByText(new RegExp(second.number))).toBeTruthy()
  await waitFor(async () =>
    expect((await scene.cast.manager.claims.detail({ claimId: first.id })).status).toBe("pending_group_admin"),
  )
})

it("selected claims are assigned to one reviewer", async () => {
  const claim = await createSubmittedClaim(scene.cast, scene.sample)
  const { user } = await openPage(app, scene.people.manager, `/claims?search=${claim.number}`)
  await user.click(await screen.findByRole("checkbox", { name: `Select ${claim.number}` }))
  await user.click(await screen.findByRole("button", { name: "Assign 1" }))
  await screen.findByRole("dialog")
  await user.click(getDialog().getByRole("button", { name: "Assign 1 claim" }))
  expect(await screen.findByText("Choose a person")).toBeTruthy()
  await user.click(await getDialog().findByRole("combobox", { name: "Assign to" }))
  await user.click(await screen.findByRole("option", { name: app.people.manager2.name }))
  await user.click(getDialog().getByRole("button", { name: "Assign 1 claim" }))
  expect(await screen.findByText("1 claim assigned.")).toBeTruthy()
  expect(await scene.cast.manager.claims.detail({ claimId: claim.id })).toMatchObject({
    reviewedBy: app.people.manager2.name,
  })
})

it("a note on a member is saved on the member's page", async () => {
  const { user } = await openPage(app, scene.people.underwriter, `/members/${scene.secondMemberId}?tab=notes`)
  await user.type(await screen.findByRole("textbox", { name: "Note" }), "Asks for a certificate")
  await user.click(screen.getByRole("button", { name: "Save note" }))
  const list = within(await screen.findByRole("list", { name: "Notes and calls" }))
  expect(list.getByText("Asks for a certificate")).toBeTruthy()
  expect(list.getByText(new RegExp(`, ${scene.people.underwriter.name}$`))).toBeTruthy()
})
