import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { renderHook, screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import { createDraftClaim, createSubmittedClaim } from "../../../server/src/claims/claims.samples.ts"
import { openPage } from "../test/page.tsx"
import { chooseOption, findFileChooser, mockUploads } from "./claim-form.samples.tsx"
import { claimQuery, useCacheClaim } from "./claims.api.ts"

let app: ClaimApp
let scene: ClaimScene
beforeAll(async () => {
  app = await openClaimApp({ requiresDocuments: true })
  scene = await insureGroup(app, "Checklist Chandlers")
})
afterAll(() => app.close())

const submitDeath = () =>
  createSubmittedClaim(scene.cast, { ...scene.sample, claimType: "death", causeOfDeath: "accident" })
const findChecklist = async () => within(await screen.findByRole("list", { name: "Required documents" }))

it("a manager waives missing documents with a reason, and the clock starts", async () => {
  const claim = await submitDeath()
  const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}`)
  expect(await screen.findByText("Waiting for documents")).toBeTruthy()
  const lines = await findChecklist()
  expect(lines.getAllByText("Missing")).toHaveLength(2)
  for (const name of ["Death certificate", "ID document"]) {
    await user.click(lines.getByRole("button", { name: `Waive ${name}` }))
    const dialog = within(await screen.findByRole("dialog", { name: `Waive ${name}` }))
    await user.click(dialog.getByRole("button", { name: "Waive document" }))
    expect(await dialog.findByText("Enter a reason for the waiver.")).toBeTruthy()
    await user.type(dialog.getByRole("textbox", { name: "Reason" }), `${name} was seen at the counter`)
    await user.click(dialog.getByRole("button", { name: "Waive document" }))
    expect(await lines.findByText(new RegExp(`${name} was seen at the counter`))).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  }
  expect(lines.queryByText("Missing")).toBeNull()
  expect(await screen.findByText("2 working days left")).toBeTruthy()

  const withdraw = "Withdraw waiver of ID document"
  await user.click(lines.getByRole("button", { name: withdraw }))
  const dialog = within(await screen.findByRole("dialog", { name: withdraw }))
  await user.click(dialog.getByRole("button", { name: "Withdraw waiver" }))
  expect(await dialog.findByText("Enter a reason for withdrawing the waiver.")).toBeTruthy()
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), "The family found the ID book")
  await user.click(dialog.getByRole("button", { name: "Withdraw waiver" }))
  expect(await lines.findByText("Missing")).toBeTruthy()
  expect(await screen.findByText("Waiting for documents")).toBeTruthy()
})

it("a user of the employer cannot withdraw a waiver", async () => {
  const { id: claimId, version } = await submitDeath()
  await app.as(scene.people.manager).claims.waiveDocuments({
    ...{ claimId, version, documents: ["id_document"], reason: "Seen at the counter" },
  })
  await openPage(app, scene.people.hr, `/claims/${claimId}`)
  expect(await (await findChecklist()).findByText("Waived")).toBeTruthy()
  expect(screen.queryByRole("button", { name: /Withdraw waiver/ })).toBeNull()
})

it("routing names the missing documents, which the request preselects", async () => {
  const claim = await submitDeath()
  const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}`)
  await user.click(await screen.findByRole("button", { name: "Route for approval" }))
  const question = within(await screen.findByRole("dialog", { name: `Route ${claim.number} for approval?` }))
  await user.click(question.getByRole("button", { name: "Route for approval" }))
  expect((await screen.findAllByText(/Required documents are missing: Death certificate, ID document/))[0]).toBeTruthy()
  await user.click(question.getByRole("button", { name: "Cancel" }))
  await user.click(await screen.findByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: "Request documents" }))
  const dialog = within(await screen.findByRole("dialog", { name: `Request documents for ${claim.number}` }))
  const chosen = dialog.getAllByRole<HTMLInputElement>("checkbox").filter(({ checked }) => checked)
  expect(chosen.map(({ value }) => value).sort()).toEqual(["death_certificate", "id_document"])
})

it("the form asks for the cause of a death or the bill of a treatment, and lists the missing documents", async () => {
  const draft = await createDraftClaim(scene.cast, scene.sample)
  const { unmount } = await openPage(app, scene.people.hr, `/claims/${draft.id}/edit?step=incident`)
  expect(await screen.findByRole("textbox", { name: "Description" })).toBeTruthy()
  expect(screen.queryByRole("combobox", { name: "Cause of death" })).toBeNull()
  expect(screen.getByRole("textbox", { name: "Bill number" })).toBeTruthy()
  unmount()
  const death = await createDraftClaim(scene.cast, { ...scene.sample, claimType: "death" })
  const next = await openPage(app, scene.people.hr, `/claims/${death.id}/edit?step=incident`)
  await chooseOption(next.user, "Cause of death", "Suicide")
  expect(screen.queryByRole("textbox", { name: "Bill number" })).toBeNull()
  await chooseOption(next.user, "Country of incident", "Mozambique")
  await next.user.click(screen.getByRole("button", { name: "Next" }))
  expect((await findChecklist()).getAllByText("Missing")).toHaveLength(2)
  await next.user.click(screen.getByRole("button", { name: "Next" }))
  expect(await screen.findByText("Death certificate, ID document")).toBeTruthy()
  expect(screen.getByText("Suicide")).toBeTruthy()
  expect(screen.getByText("Mozambique")).toBeTruthy()
})

it("an upload starts with the first missing document", async () => {
  const draft = await createDraftClaim(scene.cast, { ...scene.sample, claimType: "death" })
  const sent = mockUploads("refused")
  const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}/edit?step=documents`)
  const type = await screen.findByRole<HTMLInputElement>("combobox", { name: "Document type" })
  expect(type.value).toBe("Death certificate")
  await user.upload(await findFileChooser(), new File(["%PDF"], "certificate.pdf"))
  await waitFor(() => expect(sent.map((body) => body.get("documentType"))).toEqual(["death_certificate"]))
  vi.unstubAllGlobals()
})

it("a claim read before an upload does not replace the uploaded document", async () => {
  const before = await createDraftClaim(scene.cast, { ...scene.sample, claimType: "death" })
  const queryClient = new QueryClient()
  const { result } = renderHook(useCacheClaim, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  const slow = Promise.withResolvers<ClaimDetail>()
  const { queryKey } = claimQuery(before.id)
  const reading = queryClient.fetchQuery({ queryKey, queryFn: () => slow.promise }).catch(() => {})
  await result.current({ ...before, version: before.version + 1 })
  slow.resolve(before)
  await reading
  expect(queryClient.getQueryData(queryKey)).toMatchObject({ version: before.version + 1 })
})

it("a policy holder's page has no cause of death and no medical requirements", async () => {
  const claim = await submitDeath()
  await openPage(app, scene.people.signatory, `/claims/${claim.id}`)
  const lines = await findChecklist()
  expect(lines.queryByText("Death certificate")).toBeNull()
  expect(screen.queryByText("Cause of death")).toBeNull()
  expect(screen.queryByText("Accident")).toBeNull()
})

it("the pending list shows the time left and sorts by it", async () => {
  let complete = await submitDeath()
  for (const { documents } of complete.requiredDocuments) {
    const { id: claimId, version } = complete
    const reason = "Seen at the counter"
    complete = await app.as(scene.people.manager).claims.waiveDocuments({ claimId, version, documents, reason })
  }
  await submitDeath()
  const { user, location } = await openPage(app, scene.people.manager, "/claims/pending")
  expect((await screen.findAllByText("2 working days left")).length).toBeGreaterThan(0)
  expect(screen.getAllByText("Waiting for documents").length).toBeGreaterThan(0)
  await user.click(screen.getByRole("button", { name: /Time left/ }))
  await waitFor(() => expect(location()).toContain("sort=dueOn"))
})

it("an administrator edits the required documents in the settings", async () => {
  const { user } = await openPage(app, app.people.admin, "/settings/documents")
  const list = within(await screen.findByRole("list", { name: "Required documents of claims" }))
  expect(await list.findByText("Proof of relationship")).toBeTruthy()
  expect(list.getByText("Death claims for a dependent")).toBeTruthy()
  await user.click(screen.getByRole("button", { name: "Add required document" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Add required document" }))
  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(await dialog.findByText("Choose at least one document")).toBeTruthy()
  await user.click(dialog.getByRole("checkbox", { name: "Police report" }))
  await user.type(dialog.getByRole("textbox", { name: "Only above this amount" }), "250000")
  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(await list.findByText("Police report")).toBeTruthy()
  const rules = (await app.as(app.people.admin).settings.detail()).settings.requiredDocuments
  expect(rules).toContainEqual({
    claimType: "death",
    benefitId: null,
    anyOf: ["police_report"],
    dependentsOnly: false,
    aboveCents: 250_000_00,
  })
})
