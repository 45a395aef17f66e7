import { act, screen, waitFor, within } from "@testing-library/react"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { sentInvoice } from "../../../server/src/billing/billing.samples.ts"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import {
  approvedClaim,
  approveStage,
  claimContent,
  claimPendingAt,
  draftClaim,
  routedClaim,
  submittedClaim,
} from "../../../server/src/claims/claims.samples.ts"
import { completedPayout } from "../../../server/src/payouts/payouts.samples.ts"
import { openPage } from "../test/page.tsx"

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

type User = Awaited<ReturnType<typeof openPage>>["user"]
const choose = async (user: User, field: string | RegExp, option: string | RegExp) => {
  await user.click(await screen.findByRole("combobox", { name: field }))
  await user.click(await screen.findByRole("option", { name: option }))
}
const fileChooser = () => screen.findByLabelText<HTMLInputElement>("Upload documents", { selector: "input" })
/** What becomes of files that are sent; answers what was sent with them. */
function uploadsAre(fate: "refused" | "under way"): FormData[] {
  const sent: FormData[] = []
  class Wire {
    upload = {}
    status = 500
    onload = () => {}
    open() {}
    abort() {}
    send(body: FormData) {
      sent.push(body)
      if (fate === "refused") setTimeout(() => this.onload())
    }
  }
  vi.stubGlobal("XMLHttpRequest", Wire)
  return sent
}
const seen = (claimId: string) => scene.cast.manager.claims.detail({ claimId })

describe("a claim that waits for the office", () => {
  it("says so, and not that somebody can decide it already", async () => {
    const claim = await submittedClaim(scene.cast, scene.sample)
    await openPage(app, scene.people.hr2, `/claims/${claim.id}`)
    expect(await screen.findByText("Waiting for the office to route it.")).toBeTruthy()
    expect(screen.queryByText(/^Can be decided by/)).toBeNull()
    expect(screen.queryByRole("link", { name: "Show payments" })).toBeNull()
  })
})

describe("a member whose death claim was paid", () => {
  it("shows the claim, why the membership ended, and what was billed after it", async () => {
    const late = await insureGroup(app, "Late Member")
    const manager = app.as(app.people.manager)
    const claim = await approvedClaim(late.cast, { ...late.sample, claimType: "death" })
    const november = { policyId: late.policyId, month: "2026-11-01", invoiceOn: "2026-11-01" }
    const { number } = await sentInvoice(manager, november)
    await completedPayout(manager, app.as(app.people.manager2), claim.id, "2026-11-02")
    await openPage(app, app.people.manager, `/members/${late.memberId}`)
    expect(await screen.findByText(`Died; claim ${claim.number} was paid`)).toBeTruthy()
    const link = await screen.findByRole("link", { name: new RegExp(claim.number) })
    expect(link.getAttribute("href")).toBe(`/claims/${claim.id}`)
    expect(await screen.findByText(/Billed for months after the last day\. Credit them on the invoice\./)).toBeTruthy()
    expect(screen.getByRole("link", { name: number })).toBeTruthy()
  })
})

describe("a claim that nobody could decide", () => {
  it("is said when the member is chosen, with who is missing and who can mend it", async () => {
    const lone = await insureGroup(app, "Lone Signatory")
    const { sql } = await import("drizzle-orm")
    await app.sql.run(sql`update users set disabled_at = ${app.clock.now()} where id = ${lone.people.signatory.userId}`)
    await openPage(app, lone.people.manager, `/claims/new?memberId=${lone.memberId}`)
    expect(
      await screen.findByText(
        "Nobody could decide this claim: Lone Signatory has no policy holder. " +
          "An administrator has to add a policy holder for Lone Signatory under Settings → Users.",
      ),
    ).toBeTruthy()
  })
})

describe("the claim list", () => {
  it("says so when there is none, with the action that starts", async () => {
    const other = await insureGroup(app, "Nobody Claims")
    await openPage(app, other.people.hr, "/claims")
    expect(await screen.findByText("No claims found.")).toBeTruthy()
    expect(screen.getAllByRole("link", { name: "New claim" }).length).toBeGreaterThan(0)
  })

  it("shows claims with their counts, and offers what the reader may do", async () => {
    const routed = await routedClaim(scene.cast, scene.sample)
    const draft = await draftClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.hr2, "/claims")
    const row = await screen.findByRole("row", { name: new RegExp(routed.number) })
    expect(within(row).getByText("Pending group admin")).toBeTruthy()
    expect(within(row).getByText("Karoo Solar")).toBeTruthy()
    await user.click(within(row).getByRole("button", { name: `Actions for ${routed.number}` }))
    expect(await screen.findByRole("menuitem", { name: "Process approval" })).toBeTruthy()
    expect(screen.queryByRole("menuitem", { name: "Edit claim" })).toBeNull()
    await user.keyboard("{Escape}")
    const own = screen.getByRole("row", { name: new RegExp(draft.number) })
    await user.click(within(own).getByRole("button", { name: `Actions for ${draft.number}` }))
    expect(await screen.findByRole("menuitem", { name: "Edit claim" })).toBeTruthy()
    expect(screen.queryByRole("menuitem", { name: "Process approval" })).toBeNull()
  })
})

describe("the cards and tabs of the claim list", () => {
  it("count and lead to the same: tabs under the status that was chosen, cards whatever it is", async () => {
    const own = await insureGroup(app, "Counted")
    await submittedClaim(own.cast, own.sample)
    await routedClaim(own.cast, own.sample)
    const { user, location } = await openPage(app, own.people.hr, "/claims?status=submitted")
    expect((await screen.findByRole("link", { name: /^Pending\s*1$/ })).getAttribute("href")).toContain(
      "status=submitted",
    )
    await user.click(screen.getByRole("link", { name: /^Pending review\s*2$/ }))
    await waitFor(() => expect(location()).toBe("/claims?tab=pending"))
    expect(await screen.findByRole("link", { name: /^Pending\s*2$/ })).toBeTruthy()
  })
})

describe("the claim form", () => {
  it("takes a claim through its five steps to its submission", async () => {
    const { user, location, router } = await openPage(app, scene.people.hr, "/claims/new")
    expect(await screen.findByText("Still needed: Member")).toBeTruthy()
    await choose(user, /Member/, /Sipho Dlamini.*Karoo Solar/)
    // The draft's own address stands in the browser; the page stays as it is.
    await waitFor(() => expect(router.state.location.maskedLocation?.href).toMatch(/^\/claims\/[0-9a-f-]{36}\/edit$/))
    await user.click(screen.getByRole("button", { name: "Next" }))

    expect(await screen.findByText("Still needed: Benefit, Claim type, Requested amount")).toBeTruthy()
    await choose(user, /Benefit/, "Hospital benefit")
    await choose(user, /Claim type/, "Medical")
    await user.type(screen.getByRole("textbox", { name: /Requested amount/ }), "81000.50")
    expect(await screen.findByText(/R\s81\s000,50 exceeds the maximum cover amount of R\s80\s000,00/)).toBeTruthy()
    await user.click(screen.getByRole("button", { name: "Next" }))

    await user.type(await screen.findByRole("textbox", { name: /Incident date/ }), "2026-10-30")
    await user.type(screen.getByRole("textbox", { name: /Description/ }), "Fell from a ladder")
    await user.click(screen.getByRole("button", { name: "Next" }))
    expect(await screen.findByRole("button", { name: "Upload documents" })).toBeTruthy()
    await user.click(screen.getByRole("button", { name: "Next" }))

    expect(await screen.findByText("Processing typically takes 5-10 business days.")).toBeTruthy()
    await user.click(screen.getByRole("button", { name: "Submit claim" }))
    expect(await screen.findByText("Claim submitted successfully for approval")).toBeTruthy()
    await waitFor(() => expect(location()).toBe("/claims"))
    const { rows } = await scene.cast.manager.claims.list({ sort: "number", dir: "desc" })
    expect(rows[0]).toMatchObject({ status: "submitted", requestedAmountCents: 81_000_50, incidentOn: "2026-10-30" })
  })

  it("saves a draft on purpose, with its fixed words", async () => {
    const draft = await draftClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}/edit?step=incident`)
    const field = await screen.findByRole("textbox", { name: /Hospital/ })
    await user.clear(field)
    await user.type(field, "Tygerberg")
    await user.click(screen.getByRole("button", { name: "Save Draft" }))
    expect(await screen.findByText("Claim draft updated successfully")).toBeTruthy()
    expect((await seen(draft.id)).medical?.hospitalName).toBe("Tygerberg")
  })

  it("tells when somebody else saved in between, loses nothing, and offers their value", async () => {
    const draft = await draftClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}/edit?step=incident`)
    const field = await screen.findByRole("textbox", { name: /Diagnosis/ })
    const content = claimContent({ ...scene.sample, diagnosis: "Theirs", hospitalName: "Their hospital" })
    await scene.cast.group_admin.claims.saveDraft({ claimId: draft.id, version: draft.version, content })
    await user.clear(field)
    await user.type(field, "Mine")
    expect(await screen.findByText(/Somebody else saved Diagnosis in the meantime: “Theirs”/)).toBeTruthy()
    await waitFor(async () =>
      expect((await seen(draft.id)).medical).toMatchObject({ diagnosis: "Mine", hospitalName: "Their hospital" }),
    )
    await user.click(screen.getByRole("button", { name: "Take theirs" }))
    await waitFor(async () => expect((await seen(draft.id)).medical?.diagnosis).toBe("Theirs"))
  })

  it("says why a claim that nobody could decide is not submitted, and keeps it", async () => {
    const small = await insureGroup(app, "Two Owners")
    const draft = await draftClaim(small.cast, small.sample)
    const content = claimContent({ ...small.sample, requestedAmountCents: 1_00 })
    await small.cast.group_admin.claims.saveDraft({ claimId: draft.id, version: draft.version, content })
    const { user } = await openPage(app, small.people.hr, `/claims/${draft.id}/edit?step=review`)
    await user.click(await screen.findByRole("button", { name: "Submit claim" }))
    expect((await screen.findAllByText(/Nobody could decide this claim/)).length).toBeGreaterThan(0)
    expect((await seen(draft.id)).status).toBe("draft")
  })

  it("begins with the member of its address, makes nothing until something is given, and passes over who cannot be chosen", async () => {
    const own = await insureGroup(app, "Chosen Already")
    const claims = async () => (await own.cast.manager.claims.list({ search: "Chosen Already" })).total
    const { memberId } = own.sample
    const first = await openPage(app, own.people.hr, `/claims/new?memberId=${memberId}`)
    expect(await screen.findByDisplayValue(/Sipho Dlamini.*Chosen Already/)).toBeTruthy()
    await first.user.click(screen.getByRole("button", { name: "Next" }))
    expect(await screen.findByText("Still needed: Benefit, Claim type, Requested amount")).toBeTruthy()
    expect(await claims()).toBe(0)
    await first.user.click(screen.getByRole("button", { name: "Save Draft" }))
    expect(await screen.findByText("Claim draft saved successfully")).toBeTruthy()
    expect(await claims()).toBe(1)
    first.unmount()
    for (const id of [scene.sample.memberId, crypto.randomUUID(), "nobody"]) {
      const page = await openPage(app, own.people.hr, `/claims/new?memberId=${id}`)
      expect(await screen.findByText("Still needed: Member")).toBeTruthy()
      page.unmount()
    }
  })

  it("keeps a document that did not arrive, with its reason, and names it before the claim is submitted", async () => {
    const draft = await draftClaim(scene.cast, scene.sample)
    const sent = uploadsAre("refused")
    const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}/edit?step=documents`)
    await choose(user, /Document type/, "Medical report")
    await user.upload(await fileChooser(), [new File(["%PDF"], "letter.pdf"), new File([], "empty.pdf")])
    expect(await screen.findByRole("button", { name: "Retry letter.pdf" })).toBeTruthy()
    expect(screen.queryByRole("button", { name: "Retry empty.pdf" })).toBeNull()
    await user.click(screen.getByRole("button", { name: /Remove empty\.pdf/ }))

    await user.click(screen.getByRole("button", { name: "Next" }))
    expect(await screen.findByText(/^1 file was not uploaded: letter\.pdf/)).toBeTruthy()
    await user.click(screen.getByRole("button", { name: "Previous" }))
    expect((await screen.findByRole("alert")).textContent).toMatch(/\w/)
    await user.click(screen.getByRole("button", { name: "Retry letter.pdf" }))
    await waitFor(() => expect(sent.map((body) => body.get("documentType"))).toEqual(Array(2).fill("medical_report")))
    await user.click(await screen.findByRole("button", { name: /Remove letter\.pdf/ }))
    await user.click(screen.getByRole("button", { name: "Next" }))
    await screen.findByText("Processing typically takes 5-10 business days.")
    expect(screen.queryByText(/not uploaded/)).toBeNull()
  })

  it("is not submitted while a document is on its way", async () => {
    const draft = await draftClaim(scene.cast, scene.sample)
    uploadsAre("under way")
    const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}/edit?step=documents`)
    await choose(user, /Document type/, "Medical report")
    await user.upload(await fileChooser(), new File(["%PDF"], "letter.pdf"))
    await user.click(screen.getByRole("button", { name: "Next" }))
    expect(await screen.findByText("Still needed: the upload of letter.pdf")).toBeTruthy()
    expect(screen.getByRole("button", { name: "Submit claim" }).hasAttribute("disabled")).toBe(true)
  })

  it("does not open for a claim that has been routed", async () => {
    const routed = await routedClaim(scene.cast, scene.sample)
    await openPage(app, scene.people.hr, `/claims/${routed.id}/edit`)
    expect(await screen.findByText('A claim that is "Pending group admin" cannot be edited')).toBeTruthy()
  })
})

describe("a claim's page", () => {
  it("keeps a document that did not arrive while one looks at another tab", async () => {
    const draft = await draftClaim(scene.cast, scene.sample)
    uploadsAre("refused")
    const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}?tab=documents`)
    await choose(user, /Document type/, "Medical report")
    await user.upload(await fileChooser(), new File(["%PDF"], "letter.pdf"))
    await screen.findByRole("button", { name: "Retry letter.pdf" })
    await user.click(screen.getByRole("link", { name: "Activity" }))
    expect(screen.queryByText("letter.pdf")).toBeNull()
    await user.click(screen.getByRole("link", { name: /^Documents/ }))
    expect(await screen.findByRole("button", { name: "Retry letter.pdf" })).toBeTruthy()
  })

  it("says when there is no such claim", async () => {
    await openPage(app, scene.people.manager, "/claims/00000000-0000-4000-8000-000000000000")
    expect(await screen.findByText("Claim not found")).toBeTruthy()
  })

  it("lets a manager route it for approval, once asked", async () => {
    const claim = await submittedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}`)
    await user.click(await screen.findByRole("button", { name: "Route for approval" }))
    const question = within(await screen.findByRole("dialog", { name: `Route ${claim.number} for approval?` }))
    await user.click(question.getByRole("button", { name: "Route for approval" }))
    expect(await screen.findByText("Claim routed for approval")).toBeTruthy()
    expect((await seen(claim.id)).status).toBe("pending_group_admin")
    await user.click(await screen.findByRole("button", { name: "More" }))
    expect(await screen.findByRole("menuitem", { name: "Send back" })).toBeTruthy()
  })

  it("is taken for review once by a double click", async () => {
    const claim = await submittedClaim(scene.cast, scene.sample)
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

  it("asks for documents by type", async () => {
    const claim = await submittedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.manager, `/claims/${claim.id}`)
    await user.click(await screen.findByRole("button", { name: "More" }))
    await user.click(await screen.findByRole("menuitem", { name: "Request documents" }))
    const dialog = within(await screen.findByRole("dialog", { name: `Request documents for ${claim.number}` }))
    await user.click(dialog.getByRole("button", { name: "Request documents" }))
    expect(await dialog.findByText("Choose the documents that are missing")).toBeTruthy()
    await user.click(dialog.getByRole("checkbox", { name: "Police report" }))
    await user.click(dialog.getByRole("button", { name: "Request documents" }))
    expect(await screen.findByText("Documents requested")).toBeTruthy()
    expect((await seen(claim.id)).requestedDocuments).toEqual(["police_report"])
  })

  it("says why it was sent back: on its page, in the round that ended, where it is edited, and in the lists", async () => {
    const { id: claimId, number, version } = await claimPendingAt(scene.cast, "underwriter", scene.sample)
    const back = await scene.cast.manager.claims.sendBack({ claimId, version, reason: "The hospital is missing" })
    const { hr, signatory, manager } = scene.people
    /** How often an address says it, to somebody. */
    const saysAt = async (person: typeof hr, path: string, reason: string) => {
      const { container, unmount } = await openPage(app, person, path)
      await screen.findAllByText(/^Sent back by/)
      const words = new RegExp(`Sent back by ${manager.name} on 2026-11-02 \\d\\d:\\d\\d${reason}`, "g")
      const times = container.textContent?.match(words)?.length
      unmount()
      return times
    }
    const why = ": The hospital is missing"
    expect(await saysAt(hr, `/claims/${claimId}`, why)).toBe(2)
    expect(await saysAt(hr, `/claims/${claimId}/edit`, why)).toBe(1)
    expect(await saysAt(signatory, `/claims/${claimId}`, "\\.")).toBe(2)
    for (const [path, said] of [
      ["/claims", "Submitted, sent back"],
      ["/claims/pending", "Submitted, sent back"],
    ] as const) {
      const list = await openPage(app, hr, `${path}?search=${number}`)
      expect(within(await screen.findByRole("row", { name: new RegExp(number) })).getByText(said)).toBeTruthy()
      list.unmount()
    }
    await scene.cast.manager.claims.route({ claimId, version: back.version })
    expect(await saysAt(hr, `/claims/${claimId}`, why)).toBe(1)
  })

  it("shows a policy holder nothing medical", async () => {
    const claim = await claimPendingAt(scene.cast, "policy_holder", scene.sample)
    const { container } = await openPage(app, scene.people.signatory, `/claims/${claim.id}`)
    expect(await screen.findByText("Medical details are kept from this account.")).toBeTruthy()
    for (const secret of ["Fractured wrist", "Groote Schuur", "Dr Adams", "Fell from a ladder", "Seen and in order"]) {
      expect(container.textContent).not.toContain(secret)
    }
  })
})

describe("the approval page", () => {
  it("approves with a comment above the maximum cover, and goes on to the next claim waiting for me", async () => {
    const next = await claimPendingAt(scene.cast, "underwriter", { ...scene.sample, claimType: "death" })
    const claim = await claimPendingAt(scene.cast, "underwriter", { ...scene.sample, requestedAmountCents: 90_000_00 })
    const { user, location } = await openPage(app, scene.people.underwriter, `/claims/${claim.id}/approve`)
    // The rand that is decided stands in the head of the page.
    const head = (await screen.findByRole("heading", { name: /^Claim approval/ })).closest("header")!
    expect(within(head).getByText("R 90 000,00")).toBeTruthy()
    await user.click(await screen.findByRole("button", { name: "Approve" }))
    expect(await screen.findByText(/Say why the amount stays above the maximum cover/)).toBeTruthy()
    expect(screen.queryByRole("dialog")).toBeNull()
    await user.type(screen.getByRole("textbox", { name: "Comment" }), "Agreed by the board")
    await user.click(screen.getByRole("button", { name: "Approve" }))
    await user.click(await screen.findByRole("button", { name: "Approve claim" }))
    expect(await screen.findByText("Claim approved successfully")).toBeTruthy()
    await waitFor(() => expect(location()).toBe(`/claims/${next.id}/approve`))
    expect(await seen(claim.id)).toMatchObject({ status: "pending_policy_holder", amountBeforeCents: 90_000_00 })
  })

  it("says in the question that the cover check failed, once a comment says why it is approved", async () => {
    const claim = await routedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.hr2, `/claims/${claim.id}/approve`)
    await user.click(await screen.findByRole("button", { name: "Approve" }))
    expect(await screen.findByText(/^Say why it is approved although the cover check failed/)).toBeTruthy()
    expect(screen.queryByRole("dialog")).toBeNull()
    await user.type(screen.getByRole("textbox", { name: "Comment" }), "Debit order under way")
    await user.click(screen.getByRole("button", { name: "Approve" }))
    const dialog = await screen.findByRole("dialog")
    expect(dialog.textContent).toMatch(/The cover check failed: Premiums paid up to the incident date\. .*never billed/)
  })

  it("asks why an amount is reduced, and shows the policy holder that reason", async () => {
    const claim = await claimPendingAt(scene.cast, "underwriter", scene.sample)
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

  it("says that an amount is more than was approved before, at its field, and asks nothing", async () => {
    const claim = await routedClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.hr2, `/claims/${claim.id}/approve`)
    const amount = await screen.findByRole("textbox", { name: /Approved amount/ })
    for (const [typed, wrong] of [
      ["50000.01", /^The approved amount can be at most R\s50\s000,00, the amount before it\.$/],
      ["0", "The approved amount must be above R 0."],
    ] as const) {
      await user.clear(amount)
      await user.type(amount, typed)
      await user.click(screen.getByRole("button", { name: "Approve" }))
      expect(screen.getByText(wrong)).toBeTruthy()
      expect(document.activeElement).toBe(amount)
      expect(screen.queryByRole("dialog")).toBeNull()
    }
  })

  it("asks before a comment that was typed is left", async () => {
    await claimPendingAt(scene.cast, "underwriter", scene.sample)
    const claim = await claimPendingAt(scene.cast, "underwriter", scene.sample)
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

  it("keeps a comment, and the focus in it, when somebody else moves the claim, and says why nothing is decided", async () => {
    const claim = await claimPendingAt(scene.cast, "underwriter", scene.sample)
    const { id: claimId, version } = claim
    const { user, queryClient } = await openPage(app, scene.people.underwriter, `/claims/${claimId}/approve`)
    const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Comment" })
    await user.type(field, "Ask for the in")
    const back = await scene.cast.manager.claims.sendBack({ claimId, version, reason: "Wrong amount" })
    const news = () => act(() => queryClient.invalidateQueries())
    await news()
    const who = scene.people.manager.name
    expect(
      await screen.findByText(new RegExp(`Nothing can be decided here any more: ${who} sent the claim back`)),
    ).toBeTruthy()
    expect(document.activeElement).toBe(field)
    await user.keyboard("voice")
    expect(field.value).toBe("Ask for the invoice")
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull()
    await user.click(screen.getByRole("button", { name: "Copy comment" }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("Ask for the invoice"))

    // Waiting for me again, it is decided anew.
    const routed = await scene.cast.manager.claims.route({ claimId, version: back.version })
    await approveStage(scene.cast, routed)
    await news()
    await screen.findByText(/approved the group administrator stage/)
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull()
    await user.click(screen.getByRole("button", { name: "Close" }))
    expect(await screen.findByRole("button", { name: "Approve" })).toBeTruthy()
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Comment" }).value).toBe("")
  })

  it("shows whom the claim waits for, once somebody else moved it and nothing was typed", async () => {
    const claim = await routedClaim(scene.cast, scene.sample)
    const { queryClient } = await openPage(
      app,
      await app.people.groupAdmin(scene.groupId),
      `/claims/${claim.id}/approve`,
    )
    await screen.findByRole("button", { name: "Approve" })
    await approveStage(scene.cast, claim)
    await act(() => queryClient.invalidateQueries())
    expect(await screen.findByText(/This claim waits for the underwriter/)).toBeTruthy()
  })

  it("rejects with the key r, and only with a comment", async () => {
    const claim = await claimPendingAt(scene.cast, "policy_holder", scene.sample)
    const { user } = await openPage(app, scene.people.signatory, `/claims/${claim.id}/approve`)
    await screen.findByRole("button", { name: "Reject" })
    await user.keyboard("r")
    expect(await screen.findByText("Say why the claim is rejected.")).toBeTruthy()
    await user.type(screen.getByRole("textbox", { name: "Comment" }), "Left our employ")
    await user.click(screen.getByRole("button", { name: "Reject" }))
    await user.click(await screen.findByRole("button", { name: "Reject claim" }))
    expect(await screen.findByText("Claim rejected successfully")).toBeTruthy()
    expect(await seen(claim.id)).toMatchObject({ status: "rejected", rejectionReason: "Left our employ" })
  })

  it("reads that nothing waits any more when somebody else was faster", async () => {
    const claim = await routedClaim(scene.cast, scene.sample)
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

  it("says whom a claim waits for to somebody who does not decide it", async () => {
    const claim = await routedClaim(scene.cast, scene.sample)
    await openPage(app, scene.people.underwriter, `/claims/${claim.id}/approve`)
    expect(await screen.findByText(/This claim waits for the group administrator/)).toBeTruthy()
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull()
  })
})

describe("the pending list", () => {
  it("marks what has waited for more than seven days, and leads a decider to the decision", async () => {
    const waiting = await insureGroup(app, "Waits Long")
    app.clock.set("2026-10-24T08:00:00Z")
    const old = await routedClaim(waiting.cast, waiting.sample)
    app.clock.set("2026-11-02T08:00:00Z")
    const { user } = await openPage(app, waiting.people.hr2, "/claims/pending")
    const row = await screen.findByRole("row", { name: new RegExp(old.number) })
    expect(row.textContent).toContain("Waiting for more than 7 days")
    expect(within(row).getByText("9 days")).toBeTruthy()
    expect(within(row).getByText("Urgent")).toBeTruthy()
    await user.click(within(row).getByRole("button", { name: `Actions for ${old.number}` }))
    expect(await screen.findByRole("menuitem", { name: "Approve" })).toBeTruthy()
    expect(screen.getByRole("menuitem", { name: "Review Claim" })).toBeTruthy()
    expect(screen.queryByRole("menuitem", { name: "Request Documents" })).toBeNull()
  })

  it("and the dashboard lead who decides to what waits for them, and nobody else", async () => {
    const waiting = await insureGroup(app, "Waits Short")
    const claim = await routedClaim(waiting.cast, waiting.sample)
    const other = await openPage(app, waiting.people.hr, "/claims/pending")
    await screen.findByRole("row", { name: new RegExp(claim.number) })
    expect(screen.queryByRole("link", { name: /^Decide/ })).toBeNull()
    other.unmount()
    const list = await openPage(app, waiting.people.hr2, "/claims/pending")
    expect(await screen.findByRole("link", { name: "Decide the waiting claim" })).toBeTruthy()
    list.unmount()
    const { user, location } = await openPage(app, waiting.people.hr2, "/")
    await user.click(await screen.findByRole("link", { name: "Decide the waiting claim" }))
    await screen.findByRole("heading", { name: new RegExp(claim.number) })
    expect(location()).toBe(`/claims/${claim.id}/approve`)
  })
})
