import { expect, test } from "vitest"
import { createClaim } from "./claim.samples.ts"
import { type ClaimStatus, contentOf, type DocumentType } from "./claim.ts"
import {
  edit,
  pay,
  reassign,
  rejectBeforeRouting,
  requestDocuments,
  route,
  sendBack,
  startReview,
  submit,
  withdraw,
  withdrawWaiver,
} from "./claim-review.ts"
import type { ChecklistLine } from "./required-documents.ts"

const now = Temporal.Instant.from("2026-11-02T08:00:00Z")
const today = "2026-11-02"
const nothingChosen = { benefit: null, dependent: null, premiumStanding: "paid" as const }
const groupAdmin = { userId: "gert", role: "group_admin" } as const
const max = { userId: "max", role: "manager" } as const
const createDraftClaim = (changes = {}) =>
  createClaim({ status: "draft", submittedAt: null, submittedBy: null, approvals: [], ...changes })
const createTypedContent = (changes = {}) => ({
  ...contentOf(createClaim()),
  policyId: createClaim().policyId,
  ...changes,
})

test("submitting records the user and time, and opens the first round", () => {
  expect(submit(createDraftClaim(), groupAdmin, today, now, nothingChosen)).toMatchObject({
    value: {
      status: "submitted",
      submittedBy: "gert",
      submittedAt: now.toString(),
      approvals: [{ stage: "group_admin" }, { stage: "underwriter" }, { stage: "policy_holder" }],
    },
    facts: [{ type: "ClaimSubmitted" }],
  })
})

test("submitting refuses a dependent who was not covered on the incident date", () => {
  const draft = createDraftClaim({ dependentId: "00000000-0000-4000-8000-000000000009" })
  const submitWith = (isCovered: boolean) =>
    submit(draft, groupAdmin, today, now, { ...nothingChosen, dependent: { name: "Lerato Nkosi", isCovered } })
  expect(submitWith(true)).toMatchObject({ value: { status: "submitted", dependentId: draft.dependentId } })
  expect(submitWith(false)).toMatchObject({
    refused: "INVALID",
    data: { fields: [{ path: "dependentId", message: "Lerato Nkosi was not covered on the incident date" }] },
  })
})

test("submitting names every missing field", () => {
  const empty = createDraftClaim({
    benefitId: null,
    claimType: null,
    requestedAmountCents: 0,
    incidentOn: null,
    description: " ",
  })
  const refusal = submit(empty, groupAdmin, today, now, nothingChosen)
  expect(refusal).toMatchObject({
    refused: "INVALID",
    data: {
      fields: [
        { path: "benefitId", message: "Benefit is required" },
        { path: "claimType", message: "Claim type is required" },
        { path: "requestedAmountCents", message: "Requested amount must be above 0" },
        { path: "incidentOn", message: "Incident date is required" },
        { path: "description", message: "Description is required" },
      ],
    },
  })
})

test.each([
  [{ incidentOn: "2026-11-03", notificationOn: null }, "incidentOn"],
  [{ notificationOn: "2026-11-03" }, "notificationOn"],
  [{ notificationOn: "2026-10-19" }, "notificationOn"],
])("submitting refuses impossible days: %o", (changes, path) => {
  expect(submit(createDraftClaim(changes), groupAdmin, today, now, nothingChosen)).toMatchObject({
    data: { fields: [{ path }] },
  })
})

test("reassigning a claim makes both managers involved in it", () => {
  const mona = { userId: "mona", name: "Mona" }
  const given = {
    status: "under_review",
    reviewedBy: "mona",
    reviewedAt: now.toString(),
    capturedBy: ["gert", "max", "mona"],
  }
  expect(reassign(createClaim(), mona, max, now)).toMatchObject({
    value: given,
    facts: [{ type: "ClaimReassigned", to: "mona", after: { assignedTo: "Mona" } }],
  })
  const taken = createClaim({ status: "under_review", reviewedBy: "max", capturedBy: ["gert", "max"] })
  expect(reassign(taken, mona, max, now)).toMatchObject({ value: given })
  expect(reassign({ ...taken, reviewedBy: "mona" }, mona, max, now)).toMatchObject({
    refused: "INVALID",
    data: { fields: [{ path: "userId" }] },
  })
  // A routed claim waits for a stage and has no reviewer to replace.
  expect(reassign(createClaim({ status: "pending_underwriter" }), mona, max, now)).toMatchObject({
    refused: "WRONG_STATUS",
  })
})

test("only a draft can be withdrawn", () => {
  expect(withdraw(createDraftClaim(), groupAdmin)).toMatchObject({ value: null, facts: [{ type: "ClaimWithdrawn" }] })
  expect(withdraw(createDraftClaim(), { ...groupAdmin, userId: "hanna" })).toMatchObject({ refused: "FORBIDDEN" })
  expect(withdraw(createClaim(), max)).toMatchObject({ refused: "WRONG_STATUS" })
})

test("each editor joins the capturers; changes to a draft are not recorded", () => {
  const edited = edit(createDraftClaim(), createTypedContent({ requestedAmountCents: 1_00 }), max, today, nothingChosen)
  expect(edited).toMatchObject({ value: { capturedBy: ["gert", "max"], requestedAmountCents: 1_00 }, facts: [] })
})

test("a submitted claim stays complete, and its changes are recorded with before and after", () => {
  expect(edit(createClaim(), createTypedContent({ description: "" }), groupAdmin, today, nothingChosen)).toMatchObject({
    refused: "INVALID",
  })
  expect(
    edit(createClaim(), createTypedContent({ requestedAmountCents: 1_00 }), groupAdmin, today, nothingChosen),
  ).toMatchObject({
    facts: [
      { type: "ClaimEdited", before: { requestedAmountCents: 50_000_00 }, after: { requestedAmountCents: 1_00 } },
    ],
  })
})

test("saving unchanged content does not even change the version", () => {
  const claim = createClaim()
  expect(edit(claim, createTypedContent(), max, today, nothingChosen)).toEqual({ value: claim, facts: [] })
})

test("routing a submitted claim assigns it; routing a reviewed one keeps its reviewer", () => {
  expect(route(createClaim(), max, now, [])).toMatchObject({
    value: { status: "pending_group_admin", reviewedBy: "max" },
  })
  const reviewed = createClaim({ status: "under_review", reviewedBy: "mia", reviewedAt: now.toString() })
  expect(route(reviewed, max, now, [])).toMatchObject({ value: { reviewedBy: "mia", routedAt: now.toString() } })
  expect(startReview(createClaim(), max, now)).toMatchObject({ value: { status: "under_review", reviewedBy: "max" } })
})

test("documents requested twice appear once, and routing clears them", () => {
  const asked = requestDocuments(
    createClaim({ requestedDocuments: ["police_report"] }),
    ["police_report", "id_document"],
    "",
  )
  expect(asked).toMatchObject({ value: { requestedDocuments: ["police_report", "id_document"] } })
  expect(route(createClaim({ requestedDocuments: ["other"] }), max, now, [])).toMatchObject({
    value: { requestedDocuments: [] },
  })
})

test("only a current waiver can be withdrawn, with a reason and before routing", () => {
  const checklist = [
    { documents: ["death_certificate"], state: "waived" },
    { documents: ["id_document"], state: "there" },
  ] satisfies ChecklistLine[]
  const outcome = (asked: DocumentType[], reason = "Found", status: ClaimStatus = "submitted") =>
    withdrawWaiver(createClaim({ status }), checklist, asked, reason, max)
  expect(outcome(["death_certificate"])).toMatchObject({
    value: { status: "submitted", version: createClaim().version + 1, capturedBy: expect.arrayContaining(["max"]) },
    facts: [{ type: "ClaimWaiverWithdrawn", reason: "Found", before: { waivedDocuments: "Death certificate" } }],
  })
  expect(outcome(["death_certificate"], " ")).toMatchObject({ refused: "INVALID" })
  expect(outcome(["id_document"])).toMatchObject({ refused: "INVALID" })
  for (const status of ["pending_group_admin", "approved", "rejected", "paid"] as const) {
    expect(outcome(["death_certificate"], "Found", status)).toMatchObject({ refused: "WRONG_STATUS" })
  }
})

test("rejecting before routing and sending back require a reason", () => {
  expect(rejectBeforeRouting(createClaim(), " ", now)).toMatchObject({ refused: "INVALID" })
  expect(rejectBeforeRouting(createClaim(), "Duplicate", now)).toMatchObject({
    value: { status: "rejected", rejectionReason: "Duplicate" },
    facts: [{ type: "ClaimRejected", reason: "Duplicate" }],
  })
  expect(sendBack(createClaim({ status: "pending_underwriter" }), "")).toMatchObject({ refused: "INVALID" })
  expect(rejectBeforeRouting(createClaim({ status: "pending_group_admin" }), "x", now)).toMatchObject({
    refused: "WRONG_STATUS",
  })
})

test("a completed payment marks an approved claim paid on that day, once", () => {
  expect(pay(createClaim({ status: "approved" }), today)).toMatchObject({ value: { status: "paid", paymentOn: today } })
  expect(pay(createClaim({ status: "paid" }), today)).toMatchObject({ refused: "WRONG_STATUS" })
})
