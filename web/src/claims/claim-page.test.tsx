import { act, screen, waitFor, within } from "@testing-library/react"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import {
  approveStage,
  createClaimPendingAt,
  createDraftClaim,
  createRoutedClaim,
  createSubmittedClaim,
} from "../../../server/src/claims/claims.samples.ts"
import { openPage } from "../test/page.tsx"
import { chooseOption, findFileChooser, mockUploads } from "./claim-form.samples.tsx"

let app: ClaimApp
let scene: ClaimScene

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Karoo Solar")
})
afterEach(() => {
  vi.unstubAllGlobals()
})
afterAll(() => app.close())

const readClaim = (claimId: string) => scene.cast.manager.claims.detail({ claimId })

describe("a claim's page", () => {
  it("keeps a failed upload while the user opens another tab", async () => {
    const draft = await createDraftClaim(scene.cast, scene.sample)
    mockUploads("refused")
    const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}?tab=documents`)
    await chooseOption(user, /Document type/, "Medical report")
    await user.upload(await findFileChooser(), new File(["%PDF"], "letter.pdf"))
    await screen.findByRole("button", { name: "Retry letter.pdf" })
    await user.click(screen.getByRole("link", { name: "Activity" }))
    expect(screen.queryByText("letter.pdf")).toBeNull()
    await user.click(screen.getByRole("link", { name: /^Documents/ }))
    expect(await screen.findByRole("button", { name: "Retry letter.pdf" })).toBeTruthy()
  })

  it("shows that a claim does not exist", async () => {
    await openPage(app, scene.people.manager, "/claims/00000000-0000-4000-8000-000000000000")
    expect(await screen.findByText("Claim not found")).toBeTruthy()
  })

  it("lists a membership that was ended after the submission, with the user who recorded it", async () => {
    const late = await insureGroup(app, "Karoo Late")
    const claim = await createSubmittedClaim(late.cast, { ...late.sample, incidentOn: "2026-10-20" })
    app.clock.set(app.clock.now().add({ hours: 1 }).toString())
    const { members } = app.as(app.people.manager2)
    const { memberId } = late
    const { version } = await members.detail({ memberId })
    await members.terminate({ memberId, version, on: "2026-10-19", reason: "Not on the list" })
    await openPage(app, late.people.hr, `/claims/${claim.id}`)
    const panel = (await screen.findByRole("heading", { name: "Changed since submission" })).parentElement!
    expect(panel.textContent).toContain("Ended on 2026-10-19")
    expect(panel.textContent).toContain(`Recorded by ${app.people.manager2.name} on`)
  })

  it("offers Edit Claim until the claim is routed, then Process Approval to deciders", async () => {
    const draft = await createDraftClaim(scene.cast, scene.sample)
    const own = await openPage(app, scene.people.hr, `/claims/${draft.id}`)
    const edit = await screen.findByRole("link", { name: "Edit Claim" })
    expect(edit.getAttribute("href")).toBe(`/claims/${draft.id}/edit`)
    expect(screen.queryByRole("link", { name: "Process Approval" })).toBeNull()
    own.unmount()
    const routed = await createRoutedClaim(scene.cast, scene.sample)
    await openPage(app, scene.people.hr2, `/claims/${routed.id}`)
    const approve = await screen.findByRole("link", { name: "Process Approval" })
    expect(approve.getAttribute("href")).toBe(`/claims/${routed.id}/approve`)
    expect(screen.queryByRole("link", { name: "Edit Claim" })).toBeNull()
  })

  it("lets a manager route it for approval after confirmation", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}`)
    await user.click(await screen.findByRole("button", { name: "Route for approval" }))
    const question = within(await screen.findByRole("dialog", { name: `Route ${claim.number} for approval?` }))
    await user.click(question.getByRole("button", { name: "Route for approval" }))
    expect(await screen.findByText("Claim routed for approval")).toBeTruthy()
    expect((await readClaim(claim.id)).status).toBe("pending_group_admin")
    await user.click(await screen.findByRole("button", { name: "More" }))
    expect(await screen.findByRole("menuitem", { name: "Send back" })).toBeTruthy()
  })

  it("starts the review once on a double click", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const { user, queryClient } = await openPage(app, scene.people.manager, `/claims/${claim.id}`)
    await user.click(await screen.findByRole("button", { name: "More" }))
    const start = await screen.findByRole("menuitem", { name: "Start review" })
    act(() => {
      start.click()
      start.click()
    })
    expect(await screen.findByText("The claim is assigned to you")).toBeTruthy()
    expect(queryClient.getMutationCache().getAll()).toHaveLength(1)
  })

  it("requests documents by type", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}`)
    await user.click(await screen.findByRole("button", { name: "More" }))
    await user.click(await screen.findByRole("menuitem", { name: "Request documents" }))
    const dialog = within(await screen.findByRole("dialog", { name: `Request documents for ${claim.number}` }))
    await user.click(dialog.getByRole("button", { name: "Request documents" }))
    expect(await dialog.findByText("Choose the missing documents")).toBeTruthy()
    await user.click(dialog.getByRole("checkbox", { name: "Police report" }))
    await user.click(dialog.getByRole("button", { name: "Request documents" }))
    expect(await screen.findByText("Documents requested")).toBeTruthy()
    expect((await readClaim(claim.id)).requestedDocuments).toEqual(["police_report"])
  })

  it("shows the send-back reason on the page, in its round, in the form and lists", async () => {
    const { id: claimId, number, version } = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
    const back = await scene.cast.manager.claims.sendBack({ claimId, version, reason: "The hospital is missing" })
    const { hr, signatory, manager } = scene.people
    const countReasonAt = async (person: typeof hr, path: string, reason: string) => {
      const { container, unmount } = await openPage(app, person, path)
      await screen.findAllByText(/^Sent back by/)
      const words = new RegExp(`Sent back by ${manager.name} on 2026-11-02 \\d\\d:\\d\\d${reason}`, "g")
      const times = container.textContent?.match(words)?.length
      unmount()
      return times
    }
    const why = ": The hospital is missing"
    expect(await countReasonAt(hr, `/claims/${claimId}`, why)).toBe(2)
    expect(await countReasonAt(hr, `/claims/${claimId}/edit`, why)).toBe(1)
    expect(await countReasonAt(signatory, `/claims/${claimId}`, "\\.")).toBe(2)
    for (const [path, said] of [
      ["/claims", "Submitted, sent back"],
      ["/claims/pending", "Submitted, sent back"],
    ] as const) {
      const list = await openPage(app, hr, `${path}?search=${number}`)
      expect(within(await screen.findByRole("row", { name: new RegExp(number) })).getByText(said)).toBeTruthy()
      list.unmount()
    }
    await scene.cast.manager.claims.route({ claimId, version: back.version })
    expect(await countReasonAt(hr, `/claims/${claimId}`, why)).toBe(1)
  })

  it("shows a policy holder no medical facts", async () => {
    const claim = await createClaimPendingAt(scene.cast, "policy_holder", scene.sample)
    const { container } = await openPage(app, scene.people.signatory, `/claims/${claim.id}`)
    expect(await screen.findByText("This account cannot see medical details.")).toBeTruthy()
    for (const secret of ["Fractured wrist", "Groote Schuur", "Dr Adams", "Fell from a ladder", "Seen and in order"]) {
      expect(container.textContent).not.toContain(secret)
    }
  })
})

describe("the approval page", () => {
  it("approves above cover with a comment, then opens the next pending claim", async () => {
    const own = await insureGroup(app, "Cover Cooperative")
    const next = await createClaimPendingAt(own.cast, "underwriter", { ...own.sample, claimType: "death" })
    const claim = await createClaimPendingAt(own.cast, "underwriter", {
      ...own.sample,
      requestedAmountCents: 90_000_00,
    })
    const { user, location } = await openPage(app, scene.people.underwriter, `/claims/${claim.id}/approve`)
    const head = (await screen.findByRole("heading", { name: /^Claim approval/ })).closest("header")!
    expect(within(head).getByText("R 90 000,00")).toBeTruthy()
    const amount = await screen.findByRole<HTMLInputElement>("textbox", { name: /Approved amount/ })
    expect(amount.value).toMatch(/^30\s000,00$/)
    for (const panel of ["Warnings", "Other claims of the member"]) {
      const section = screen.getByRole("heading", { name: panel }).closest("section")!
      expect(within(section).getByRole("link", { name: next.number })).toBeTruthy()
    }
    await user.clear(amount)
    await user.type(amount, "90000")
    await user.click(await screen.findByRole("button", { name: "Approve" }))
    expect(
      await screen.findByText(/Enter a reason: the amount is above the R\s30\s000,00 that cover allows/),
    ).toBeTruthy()
    expect(screen.queryByRole("dialog")).toBeNull()
    await user.type(screen.getByRole("textbox", { name: "Comment" }), "Agreed by the board")
    await user.click(screen.getByRole("button", { name: "Approve" }))
    await user.click(await screen.findByRole("button", { name: "Approve claim" }))
    expect(await screen.findByText("Claim approved successfully")).toBeTruthy()
    await waitFor(() => expect(location()).toBe(`/claims/${next.id}/approve`))
    expect(await readClaim(claim.id)).toMatchObject({ status: "pending_policy_holder", amountBeforeCents: 90_000_00 })
  })

  it("mentions the failed cover check in the confirmation, once a comment is given", async () => {
    const claim = await createRoutedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.hr2, `/claims/${claim.id}/approve`)
    await user.click(await screen.findByRole("button", { name: "Approve" }))
    expect(await screen.findByText(/^Enter a reason: the claim failed the cover check/)).toBeTruthy()
    expect(screen.queryByRole("dialog")).toBeNull()
    await user.type(screen.getByRole("textbox", { name: "Comment" }), "Debit order under way")
    await user.click(screen.getByRole("button", { name: "Approve" }))
    const dialog = await screen.findByRole("dialog")
    expect(dialog.textContent).toMatch(/The cover check failed: Premiums paid up to the incident date\. .*not billed/)
  })

  it("requires a reason for a reduction and shows it to the policy holder", async () => {
    const claim = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
    const { user, unmount } = await openPage(app, scene.people.underwriter, `/claims/${claim.id}/approve`)
    const amount = await screen.findByRole("textbox", { name: /Approved amount/ })
    await user.clear(amount)
    await user.type(amount, "30000")
    await user.type(screen.getByRole("textbox", { name: "Comment" }), "Epilepsy")
    await user.type(screen.getByRole("textbox", { name: /Reason for the reduction/ }), "The scheme tariff")
    await user.click(screen.getByRole("button", { name: "Approve" }))
    await user.click(await screen.findByRole("button", { name: "Approve claim" }))
    expect(await screen.findByText("Claim approved successfully")).toBeTruthy()
    unmount()
    await openPage(app, scene.people.signatory, `/claims/${claim.id}/approve`)
    expect(await screen.findByText("Reduced: The scheme tariff")).toBeTruthy()
    expect(screen.queryByText(/Epilepsy/)).toBeNull()
  })

  it("refuses a raised amount at its field, without a confirmation", async () => {
    const claim = await createRoutedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.hr2, `/claims/${claim.id}/approve`)
    const amount = await screen.findByRole("textbox", { name: /Approved amount/ })
    for (const [typed, wrong] of [
      ["50000.01", /^Approve at most R\s50\s000,00, the amount requested\.$/],
      ["0", "The approved amount must be above 0."],
    ] as const) {
      await user.clear(amount)
      await user.type(amount, typed)
      await user.click(screen.getByRole("button", { name: "Approve" }))
      expect(screen.getByText(wrong)).toBeTruthy()
      expect(document.activeElement).toBe(amount)
      expect(screen.queryByRole("dialog")).toBeNull()
    }
  })

  it("asks before discarding a typed comment", async () => {
    await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
    const claim = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
    const { user, location } = await openPage(app, scene.people.underwriter, `/claims/${claim.id}/approve`)
    await user.type(await screen.findByRole("textbox", { name: "Comment" }), "Not yet sure")
    await user.click(await screen.findByRole("link", { name: /^Next waiting for me/ }))
    await user.click(await screen.findByRole("button", { name: "Stay" }))
    expect(location()).toBe(`/claims/${claim.id}/approve`)
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
    act(() => (document.activeElement as HTMLElement).blur())
    await user.keyboard("i")
    await user.click(await screen.findByRole("button", { name: "Leave without saving" }))
    await waitFor(() => expect(location()).toBe(`/claims/${claim.id}`))
  })

  it("keeps a typed comment and focus when another user moves the claim", async () => {
    const claim = await createClaimPendingAt(scene.cast, "underwriter", scene.sample)
    const { id: claimId, version } = claim
    const { user, queryClient } = await openPage(app, scene.people.underwriter, `/claims/${claimId}/approve`)
    const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Comment" })
    await user.type(field, "Ask for the in")
    const back = await scene.cast.manager.claims.sendBack({ claimId, version, reason: "Wrong amount" })
    const news = () => act(() => queryClient.invalidateQueries())
    await news()
    const who = scene.people.manager.name
    expect(
      await screen.findByText(new RegExp(`This claim can no longer be decided: ${who} sent the claim back`)),
    ).toBeTruthy()
    expect(document.activeElement).toBe(field)
    await user.keyboard("voice")
    expect(field.value).toBe("Ask for the invoice")
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull()
    await user.click(screen.getByRole("button", { name: "Copy comment" }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("Ask for the invoice"))

    const routed = await scene.cast.manager.claims.route({ claimId, version: back.version })
    await approveStage(scene.cast, routed)
    await news()
    await screen.findByText(/approved the group administrator stage/)
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull()
    await user.click(screen.getByRole("button", { name: "Close" }))
    expect(await screen.findByRole("button", { name: "Approve" })).toBeTruthy()
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Comment" }).value).toBe("")
  })

  it("shows the next stage when another user decided and no text was typed", async () => {
    const claim = await createRoutedClaim(scene.cast, scene.sample)
    const { queryClient } = await openPage(
      app,
      await app.people.groupAdmin(scene.groupId),
      `/claims/${claim.id}/approve`,
    )
    await screen.findByRole("button", { name: "Approve" })
    await approveStage(scene.cast, claim)
    await act(() => queryClient.invalidateQueries())
    expect(await screen.findByText(/This claim is waiting for the underwriter/)).toBeTruthy()
  })

  it("rejects with the key r, and only with a comment", async () => {
    const claim = await createClaimPendingAt(scene.cast, "policy_holder", scene.sample)
    const { user } = await openPage(app, scene.people.signatory, `/claims/${claim.id}/approve`)
    await screen.findByRole("button", { name: "Reject" })
    await user.keyboard("r")
    expect(await screen.findByText("Enter a reason for the rejection.")).toBeTruthy()
    await user.type(screen.getByRole("textbox", { name: "Comment" }), "Left our employ")
    await user.click(screen.getByRole("button", { name: "Reject" }))
    await user.click(await screen.findByRole("button", { name: "Reject claim" }))
    expect(await screen.findByText("Claim rejected successfully")).toBeTruthy()
    expect(await readClaim(claim.id)).toMatchObject({ status: "rejected", rejectionReason: "Left our employ" })
  })

  it("reports that the stage is no longer pending when another decider was faster", async () => {
    const claim = await createRoutedClaim(scene.cast, scene.sample)
    const third = await app.people.groupAdmin(scene.groupId)
    const { user } = await openPage(app, third, `/claims/${claim.id}/approve`)
    await screen.findByRole("button", { name: "Approve" })
    const { id: claimId, version } = claim
    await scene.cast.group_admin.claims.decide({
      claimId,
      version,
      decision: "approve",
      comment: "Faster",
      idempotencyKey: crypto.randomUUID(),
    })
    await user.type(screen.getByRole("textbox", { name: "Comment" }), "Slower")
    await user.click(screen.getByRole("button", { name: "Approve" }))
    await user.click(await screen.findByRole("button", { name: "Approve claim" }))
    expect((await screen.findAllByText("No pending approval step")).length).toBeGreaterThan(0)
  })

  it("shows other users who must decide the claim", async () => {
    const claim = await createRoutedClaim(scene.cast, scene.sample)
    await openPage(app, scene.people.underwriter, `/claims/${claim.id}/approve`)
    expect(await screen.findByText(/This claim is waiting for the group administrator/)).toBeTruthy()
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull()
  })
})
