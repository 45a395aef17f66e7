import { ORPCError } from "@orpc/client"
import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { createSentInvoice } from "../../../server/src/billing/billing.samples.ts"
import {
  type ClaimApp,
  type ClaimScene,
  insureGroup,
  openClaimApp,
} from "../../../server/src/claims/claim-scene.samples.ts"
import {
  createApprovedClaim,
  createClaimContent,
  createDraftClaim,
  createRoutedClaim,
  createSubmittedClaim,
} from "../../../server/src/claims/claims.samples.ts"
import { payDeath } from "../../../server/src/claims/payees.samples.ts"
import { transport } from "../platform/api.ts"
import { openPage } from "../test/page.tsx"
import { chooseOption, findFileChooser, mockUploads } from "./claim-form.samples.tsx"

let app: ClaimApp
let scene: ClaimScene

beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Karoo Solar")
})
afterEach(() => {
  refusedProcedure = undefined
  vi.unstubAllGlobals()
})
afterAll(() => app.close())

let refusedProcedure: string | undefined
const refuseProcedure = (procedure: string) =>
  procedure === refusedProcedure
    ? Promise.reject(new ORPCError("FORBIDDEN", { defined: true, message: "Not today." }))
    : undefined

const readClaim = (claimId: string) => scene.cast.manager.claims.detail({ claimId })

describe("a submitted claim", () => {
  it("shows that it waits for routing, with no deciders yet", async () => {
    const claim = await createSubmittedClaim(scene.cast, scene.sample)
    await openPage(app, scene.people.hr2, `/claims/${claim.id}`)
    expect(await screen.findByText("Waiting to be routed by the office.")).toBeTruthy()
    expect(screen.queryByText(/^Can be decided by/)).toBeNull()
    expect(screen.queryByRole("link", { name: "Show payments" })).toBeNull()
  })
})

describe("a member with a paid death claim", () => {
  it("shows the claim as the reason for the end of membership, and later invoices", async () => {
    const late = await insureGroup(app, "Late Member")
    const manager = app.as(app.people.manager)
    const claim = await createApprovedClaim(late.cast, { ...late.sample, claimType: "death" })
    const november = { policyId: late.policyId, month: "2026-11-01", invoiceOn: "2026-11-01" }
    const { number } = await createSentInvoice(manager, november)
    await payDeath(manager, app.as(app.people.manager2), claim.id, "2026-11-02")
    await openPage(app, app.people.manager, `/members/${late.memberId}`)
    expect(await screen.findByText(`Died; claim ${claim.number} was paid`)).toBeTruthy()
    const link = await screen.findByRole("link", { name: new RegExp(claim.number) })
    expect(link.getAttribute("href")).toBe(`/claims/${claim.id}`)
    expect(
      await screen.findByText(/Billed for months after the last day\. The next premium run credits this\./),
    ).toBeTruthy()
    expect(screen.getByRole("link", { name: number })).toBeTruthy()
  })
})

describe("a claim without possible deciders", () => {
  it("is reported when the member is chosen, with the missing stages and the fix", async () => {
    const lone = await insureGroup(app, "Lone Signatory")
    const { sql } = await import("drizzle-orm")
    await app.sql.run(sql`update users set disabled_at = ${app.clock.now()} where id = ${lone.people.signatory.userId}`)
    await openPage(app, lone.people.manager, `/claims/new?memberId=${lone.memberId}`)
    expect(
      await screen.findByText(
        "This claim would have no approver: Lone Signatory has no policy holder. " +
          "Ask an administrator to add a policy holder for Lone Signatory in Settings, Users.",
      ),
    ).toBeTruthy()
  })
})

describe("the claim list", () => {
  it("shows an empty state with the action to start", async () => {
    const other = await insureGroup(app, "Nobody Claims")
    await openPage(app, other.people.hr, "/claims")
    expect(await screen.findByText("No claims found.")).toBeTruthy()
    expect(screen.getAllByRole("link", { name: "New claim" }).length).toBeGreaterThan(0)
  })

  it("shows claims with their counts, and offers the reader's actions", async () => {
    const routed = await createRoutedClaim(scene.cast, scene.sample)
    const draft = await createDraftClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.hr2, "/claims")
    const row = await screen.findByRole("row", { name: new RegExp(routed.number) })
    expect(within(row).getByText("Pending group administrator")).toBeTruthy()
    expect(within(row).getByText("Karoo Solar")).toBeTruthy()
    await user.click(within(row).getByRole("button", { name: `Actions for ${routed.number}` }))
    expect(await screen.findByRole("menuitem", { name: "Process approval" })).toBeTruthy()
    expect(screen.queryByRole("menuitem", { name: "Edit claim" })).toBeNull()
    await user.keyboard("{Escape}")
    const own = screen.getByRole("row", { name: new RegExp(draft.number) })
    const numbers = screen.getAllByRole("row").map(({ textContent }) => textContent!.match(/CLM-[\d-]+/)?.[0])
    const shown = numbers.filter((number) => number !== undefined)
    expect(shown.indexOf(draft.number)).toBeLessThan(shown.indexOf(routed.number))
    expect(shown).toEqual(shown.toSorted().reverse())
    await user.click(within(own).getByRole("button", { name: `Actions for ${draft.number}` }))
    expect(await screen.findByRole("menuitem", { name: "Edit claim" })).toBeTruthy()
    expect(screen.queryByRole("menuitem", { name: "Process approval" })).toBeNull()
  })
})

describe("the cards and tabs of the claim list", () => {
  it("have matching counts; tabs keep the status filter, cards ignore it", async () => {
    const own = await insureGroup(app, "Counted")
    await createSubmittedClaim(own.cast, own.sample)
    await createRoutedClaim(own.cast, own.sample)
    const { user, location } = await openPage(app, own.people.hr, "/claims?status=submitted")
    expect((await screen.findByRole("link", { name: /^Pending\s*1$/ })).getAttribute("href")).toContain(
      "status=submitted",
    )
    for (const card of ["Total claims", "Approved", /^Total value/])
      expect(screen.getAllByText(card), `${card}`).not.toEqual([])
    await user.click(screen.getByRole("link", { name: /^Pending review\s*2$/ }))
    await waitFor(() => expect(location()).toBe("/claims?tab=pending"))
    expect(await screen.findByRole("link", { name: /^Pending\s*2$/ })).toBeTruthy()
  })
})

describe("the claim form", () => {
  it("offers the covered dependents as insured person", async () => {
    const own = await insureGroup(app, "Family Foods")
    const manager = app.as(app.people.manager)
    const { version } = await manager.members.detail({ memberId: own.memberId })
    const person = { lastName: "Dlamini", idNumber: null, dateOfBirth: "1990-05-06", gender: null }
    await manager.members.update({
      ...{ memberId: own.memberId, version },
      dependents: [
        { ...person, firstName: "Thandi", relationship: "spouse", fromOn: "2026-01-01" },
        { ...person, firstName: "Neo", relationship: "child", fromOn: "2026-01-01", untilOn: "2026-03-31" },
      ],
    })
    const { user } = await openPage(app, own.people.hr, `/claims/new?memberId=${own.memberId}`)
    await user.click(await screen.findByRole("combobox", { name: /Insured person/ }))
    const options = await screen.findAllByRole("option")
    expect(options.map(({ textContent }) => textContent)).toEqual([
      "Sipho Dlamini, member",
      "Thandi Dlamini, spouse",
      "Neo Dlamini, child (not covered today)",
    ])
    expect(options[2]!.hasAttribute("data-combobox-disabled")).toBe(true)
    await user.click(options[1]!)
    await waitFor(async () => {
      const [draft] = (await own.cast.manager.claims.list({ search: "Family Foods" })).rows
      expect(await readClaim(draft!.id)).toMatchObject({ dependent: { name: "Thandi Dlamini" } })
    })
    const summary = screen.getByRole("heading", { name: "Summary" }).closest("section")!
    expect(within(summary).getByText("Thandi Dlamini")).toBeTruthy()
  })

  it("takes a claim through five steps to submission", async () => {
    const { user, location, router } = await openPage(app, scene.people.hr, "/claims/new")
    const submit = () => screen.queryByRole("button", { name: "Submit claim" })
    expect(await screen.findByText("Still needed: Member")).toBeTruthy()
    expect(screen.getByRole("link", { name: "Back to Claims" }).getAttribute("href")).toBe("/claims")
    expect(submit()).toBeNull()
    await chooseOption(user, /Member/, /Sipho Dlamini.*Karoo Solar/)
    await waitFor(() => expect(router.state.location.maskedLocation?.href).toMatch(/^\/claims\/[0-9a-f-]{36}\/edit$/))
    await user.click(screen.getByRole("button", { name: "Next" }))

    expect(await screen.findByText("Still needed: Benefit, Claim type, Requested amount")).toBeTruthy()
    expect(submit()).toBeNull()
    await user.click(await screen.findByRole("combobox", { name: /Benefit/ }))
    const offered = (await screen.findAllByRole("option")).map(({ textContent }) => textContent)
    expect(offered).toEqual(["Hospital benefit", "Maternity benefit"])
    await user.click(screen.getByRole("option", { name: "Hospital benefit" }))
    await screen.findByText(/^Maximum cover for Hospital benefit, Standard tier: R\s80\s000,00$/)
    await user.click(screen.getByRole("combobox", { name: /Claim type/ }))
    const types = (await screen.findAllByRole("option")).map(({ textContent }) => textContent)
    expect(types).toEqual(["Death", "Disability", "Medical", "Maternity", "Other"])
    await user.click(screen.getByRole("option", { name: "Medical" }))
    await user.type(screen.getByRole("textbox", { name: /Requested amount/ }), "81000.50")
    expect(await screen.findByText(/R\s81\s000,50 exceeds the maximum cover amount of R\s80\s000,00/)).toBeTruthy()
    await user.click(screen.getByRole("button", { name: "Next" }))

    await user.type(await screen.findByRole("textbox", { name: /Incident date/ }), "2026-10-30")
    expect(submit()).toBeNull()
    await user.type(screen.getByRole("textbox", { name: /Description/ }), "Fell from a ladder")
    await user.click(screen.getByRole("button", { name: "Next" }))
    expect(await screen.findByRole("button", { name: "Upload documents" })).toBeTruthy()
    expect(submit()).toBeNull()
    await user.click(screen.getByRole("button", { name: "Next" }))

    expect(await screen.findByText("Processing typically takes 5-10 business days.")).toBeTruthy()
    await user.click(screen.getByRole("button", { name: "Submit claim" }))
    expect(await screen.findByText("Claim submitted successfully for approval")).toBeTruthy()
    await waitFor(() => expect(location()).toBe("/claims"))
    const { rows } = await scene.cast.manager.claims.list({ sort: "number", dir: "desc" })
    expect(rows[0]).toMatchObject({ status: "submitted", requestedAmountCents: 81_000_50, incidentOn: "2026-10-30" })
  })

  it("saves a draft on request and shows the specified confirmation", async () => {
    const draft = await createDraftClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}/edit?step=incident`, refuseProcedure)
    const field = await screen.findByRole("textbox", { name: /Hospital/ })
    await user.clear(field)
    await user.type(field, "Tygerberg")
    refusedProcedure = "claims.saveDraft"
    await user.click(screen.getByRole("button", { name: "Save Draft" }))
    expect(await screen.findByText("Failed to update claim draft")).toBeTruthy()
    expect(screen.getByText("Not saved: Not today.")).toBeTruthy()
    refusedProcedure = undefined
    await user.click(screen.getByRole("button", { name: "Save Draft" }))
    expect(await screen.findByText("Claim draft updated successfully")).toBeTruthy()
    expect((await readClaim(draft.id)).medical?.hospitalName).toBe("Tygerberg")
  })

  it("keeps all input when another user saved meanwhile, and offers their value", async () => {
    const draft = await createDraftClaim(scene.cast, scene.sample)
    const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}/edit?step=incident`)
    const field = await screen.findByRole("textbox", { name: /Diagnosis/ })
    const content = createClaimContent({ ...scene.sample, diagnosis: "Theirs", hospitalName: "Their hospital" })
    await scene.cast.group_admin.claims.saveDraft({ claimId: draft.id, version: draft.version, content })
    await user.clear(field)
    await user.type(field, "Mine")
    expect(await screen.findByText(/Someone else saved Diagnosis in the meantime: “Theirs”/)).toBeTruthy()
    await waitFor(async () =>
      expect((await readClaim(draft.id)).medical).toMatchObject({ diagnosis: "Mine", hospitalName: "Their hospital" }),
    )
    await user.click(screen.getByRole("button", { name: "Use theirs" }))
    await waitFor(async () => expect((await readClaim(draft.id)).medical?.diagnosis).toBe("Theirs"))
  })

  it("explains why a claim without deciders cannot be submitted, and keeps it", async () => {
    const small = await insureGroup(app, "Two Owners")
    const draft = await createDraftClaim(small.cast, small.sample)
    const content = createClaimContent({ ...small.sample, requestedAmountCents: 1_00 })
    await small.cast.group_admin.claims.saveDraft({ claimId: draft.id, version: draft.version, content })
    const { user } = await openPage(app, small.people.hr, `/claims/${draft.id}/edit?step=review`)
    await user.click(await screen.findByRole("button", { name: "Submit claim" }))
    expect((await screen.findAllByText(/This claim would have no approver/)).length).toBeGreaterThan(0)
    expect((await readClaim(draft.id)).status).toBe("draft")
  })

  it("starts with the member in the URL, unless that member cannot be chosen", async () => {
    const own = await insureGroup(app, "Chosen Already")
    const claims = async () => (await own.cast.manager.claims.list({ search: "Chosen Already" })).total
    const { memberId } = own.sample
    const first = await openPage(app, own.people.hr, `/claims/new?memberId=${memberId}`, refuseProcedure)
    expect(await screen.findByDisplayValue(/Sipho Dlamini.*Chosen Already/)).toBeTruthy()
    await first.user.click(screen.getByRole("button", { name: "Next" }))
    expect(await screen.findByText("Still needed: Benefit, Claim type, Requested amount")).toBeTruthy()
    expect(await claims()).toBe(0)
    refusedProcedure = "claims.saveDraft"
    await first.user.click(screen.getByRole("button", { name: "Save Draft" }))
    expect(await screen.findByText("Failed to save claim draft")).toBeTruthy()
    refusedProcedure = undefined
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

  it("stays on the current step when the first save of the draft finishes late", async () => {
    const own = await insureGroup(app, "Goes On")
    const { user, location } = await openPage(app, own.people.hr, `/claims/new?memberId=${own.memberId}`)
    await screen.findByDisplayValue(/Sipho Dlamini.*Goes On/)
    const wire = transport.link
    const held = Promise.withResolvers<void>()
    transport.link = {
      call: async (path, ...rest) => {
        if (path.join(".") === "claims.saveDraft") await held.promise
        return wire.call(path, ...rest)
      },
    }
    await user.click(screen.getByRole("button", { name: "Save Draft" }))
    await user.click(screen.getByRole("button", { name: "Next" }))
    await screen.findByRole("heading", { name: "Claim Details" })
    held.resolve()
    expect(await screen.findByText("Claim draft saved successfully")).toBeTruthy()
    expect(location()).toContain("step=details")
    expect(screen.getByRole("heading", { name: "Claim Details" })).toBeTruthy()
  })

  it("keeps a failed upload with its reason and lists it before submission", async () => {
    const draft = await createDraftClaim(scene.cast, scene.sample)
    const sent = mockUploads("refused")
    const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}/edit?step=documents`)
    await chooseOption(user, /Document type/, "Medical report")
    await user.upload(await findFileChooser(), [new File(["%PDF"], "letter.pdf"), new File([], "empty.pdf")])
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

  it("cannot be submitted while a document is uploading", async () => {
    const draft = await createDraftClaim(scene.cast, scene.sample)
    mockUploads("under way")
    const { user } = await openPage(app, scene.people.hr, `/claims/${draft.id}/edit?step=documents`)
    await chooseOption(user, /Document type/, "Medical report")
    await user.upload(await findFileChooser(), new File(["%PDF"], "letter.pdf"))
    await user.click(screen.getByRole("button", { name: "Next" }))
    expect(await screen.findByText("Still needed: the upload of letter.pdf")).toBeTruthy()
    expect(screen.getByRole("button", { name: "Submit claim" }).hasAttribute("disabled")).toBe(true)
  })

  it("does not open for a routed claim", async () => {
    const routed = await createRoutedClaim(scene.cast, scene.sample)
    await openPage(app, scene.people.hr, `/claims/${routed.id}/edit`)
    expect(await screen.findByText('A claim that is "Pending group administrator" cannot be edited')).toBeTruthy()
  })
})

describe("the pending list", () => {
  it("highlights claims waiting over seven days, and takes a decider to the decision", async () => {
    const waiting = await insureGroup(app, "Waits Long")
    app.clock.set("2026-10-24T08:00:00Z")
    const old = await createRoutedClaim(waiting.cast, waiting.sample)
    app.clock.set("2026-11-02T08:00:00Z")
    const { user } = await openPage(app, waiting.people.hr2, "/claims/pending")
    const row = await screen.findByRole("row", { name: new RegExp(old.number) })
    expect(row.textContent).toContain("Waiting more than 7 days")
    expect(within(row).getByText("9 days")).toBeTruthy()
    expect(within(row).getByText("Urgent")).toBeTruthy()
    await user.click(within(row).getByRole("button", { name: `Actions for ${old.number}` }))
    expect(await screen.findByRole("menuitem", { name: "Approve" })).toBeTruthy()
    expect(screen.getByRole("menuitem", { name: "Review Claim" })).toBeTruthy()
    expect(screen.queryByRole("menuitem", { name: "Request Documents" })).toBeNull()
  })

  it("names the stage in the words of the claim list, also while documents are required", async () => {
    const staged = await insureGroup(app, "Waits Staged")
    const routed = await createRoutedClaim(staged.cast, staged.sample)
    const { id, version, number } = await createSubmittedClaim(staged.cast, staged.sample)
    const asked = { claimId: id, version, documents: ["police_report" as const], note: "" }
    await staged.cast.manager.claims.requestDocuments(asked)
    const { user, location } = await openPage(app, staged.people.hr, "/claims/pending")
    const row = await screen.findByRole("row", { name: new RegExp(routed.number) })
    expect(within(row).getByText("Pending group administrator")).toBeTruthy()
    const incomplete = within(screen.getByRole("row", { name: new RegExp(number) }))
    expect(incomplete.getByText("Submitted")).toBeTruthy()
    expect(incomplete.getByText("Documentation Required")).toBeTruthy()
    await user.click(screen.getByRole("button", { name: "Status" }))
    const choices = within(await screen.findByRole("group", { name: "Status" }))
    await user.click(choices.getByRole("button", { name: "Pending group administrator" }))
    await waitFor(() => expect(location()).toContain("status=pending_group_admin"))
    await waitFor(() => expect(screen.queryByRole("row", { name: new RegExp(number) })).toBeNull())
    expect(screen.getByRole("row", { name: new RegExp(routed.number) })).toBeTruthy()
  })

  it("a claim opened from it leads back to it by its name", async () => {
    const staged = await insureGroup(app, "Waits Back")
    const { number } = await createRoutedClaim(staged.cast, staged.sample)
    const { user } = await openPage(app, staged.people.hr, "/claims/pending")
    await user.click(await screen.findByRole("link", { name: number }))
    const back = await screen.findByRole("link", { name: "Back to Pending claims" })
    expect(back.getAttribute("href")).toMatch(/^\/claims\/pending/)
  })

  it("links only deciders to their pending claims, also from the dashboard", async () => {
    const waiting = await insureGroup(app, "Waits Short")
    const claim = await createRoutedClaim(waiting.cast, waiting.sample)
    const other = await openPage(app, waiting.people.hr, "/claims/pending")
    await screen.findByRole("row", { name: new RegExp(claim.number) })
    expect(screen.queryByRole("link", { name: /^Decide/ })).toBeNull()
    other.unmount()
    const list = await openPage(app, waiting.people.hr2, "/claims/pending")
    expect(await screen.findByRole("link", { name: "Decide the waiting claim" })).toBeTruthy()
    list.unmount()
    const { user, location } = await openPage(app, waiting.people.hr2, "/")
    await user.click(await screen.findByRole("link", { name: "Decide: 1 claim to decide" }))
    await screen.findByRole("heading", { name: new RegExp(claim.number) })
    expect(location()).toBe(`/claims/${claim.id}/approve`)
  })
})
