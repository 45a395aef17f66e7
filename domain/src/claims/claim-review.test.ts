import { expect, test } from "vitest"
import { aClaim } from "./claim.samples.ts"
import { contentOf } from "./claim.ts"
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
} from "./claim-review.ts"

const now = Temporal.Instant.from("2026-11-02T08:00:00Z")
const today = "2026-11-02"
const gert = { userId: "gert", role: "group_admin" } as const
const max = { userId: "max", role: "manager" } as const
const draft = (changes = {}) =>
  aClaim({ status: "draft", submittedAt: null, submittedBy: null, approvals: [], ...changes })
const typed = (changes = {}) => ({ ...contentOf(aClaim()), policyId: aClaim().policyId, ...changes })

test("submitting stamps who and when, and opens the first round", () => {
  expect(submit(draft(), gert, today, now, null)).toMatchObject({
    value: {
      status: "submitted",
      submittedBy: "gert",
      submittedAt: now.toString(),
      approvals: [{ stage: "group_admin" }, { stage: "underwriter" }, { stage: "policy_holder" }],
    },
    facts: [{ type: "ClaimSubmitted" }],
  })
})

test("submitting names every missing field", () => {
  const empty = draft({ benefitId: null, claimType: null, requestedAmountCents: 0, incidentOn: null, description: " " })
  const refusal = submit(empty, gert, today, now, null)
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
])("submitting refuses days that cannot be: %o", (changes, path) => {
  expect(submit(draft(changes), gert, today, now, null)).toMatchObject({ data: { fields: [{ path }] } })
})

test("a claim is given to somebody else, who has a hand in it from then on, as has who gave it", () => {
  const mona = { userId: "mona", name: "Mona" }
  const given = {
    status: "under_review",
    reviewedBy: "mona",
    reviewedAt: now.toString(),
    capturedBy: ["gert", "max", "mona"],
  }
  expect(reassign(aClaim(), mona, max, now)).toMatchObject({
    value: given,
    facts: [{ type: "ClaimReassigned", to: "mona", after: { assignedTo: "Mona" } }],
  })
  const taken = aClaim({ status: "under_review", reviewedBy: "max", capturedBy: ["gert", "max"] })
  expect(reassign(taken, mona, max, now)).toMatchObject({ value: given })
  expect(reassign({ ...taken, reviewedBy: "mona" }, mona, max, now)).toMatchObject({
    refused: "INVALID",
    data: { fields: [{ path: "userId" }] },
  })
  // What was routed waits for a stage, and for no manager.
  expect(reassign(aClaim({ status: "pending_underwriter" }), mona, max, now)).toMatchObject({ refused: "WRONG_STATUS" })
})

test("a draft is withdrawn, and nothing else", () => {
  expect(withdraw(draft(), gert)).toMatchObject({ value: null, facts: [{ type: "ClaimWithdrawn" }] })
  expect(withdraw(draft(), { ...gert, userId: "hanna" })).toMatchObject({ refused: "FORBIDDEN" })
  expect(withdraw(aClaim(), max)).toMatchObject({ refused: "WRONG_STATUS" })
})

test("whoever types joins those who captured it; a draft's changes are no news", () => {
  const edited = edit(draft(), typed({ requestedAmountCents: 1_00 }), max, today, null)
  expect(edited).toMatchObject({ value: { capturedBy: ["gert", "max"], requestedAmountCents: 1_00 }, facts: [] })
})

test("a submitted claim stays complete, and its changes are news with before and after", () => {
  expect(edit(aClaim(), typed({ description: "" }), gert, today, null)).toMatchObject({ refused: "INVALID" })
  expect(edit(aClaim(), typed({ requestedAmountCents: 1_00 }), gert, today, null)).toMatchObject({
    facts: [
      { type: "ClaimEdited", before: { requestedAmountCents: 50_000_00 }, after: { requestedAmountCents: 1_00 } },
    ],
  })
})

test("saving what is there already changes nothing, not even the version", () => {
  const claim = aClaim()
  expect(edit(claim, typed(), max, today, null)).toEqual({ value: claim, facts: [] })
})

test("routing a submitted claim takes it; routing a reviewed one leaves it with its reviewer", () => {
  expect(route(aClaim(), max, now)).toMatchObject({ value: { status: "pending_group_admin", reviewedBy: "max" } })
  const reviewed = aClaim({ status: "under_review", reviewedBy: "mia", reviewedAt: now.toString() })
  expect(route(reviewed, max, now)).toMatchObject({ value: { reviewedBy: "mia", routedAt: now.toString() } })
  expect(startReview(aClaim(), max, now)).toMatchObject({ value: { status: "under_review", reviewedBy: "max" } })
})

test("documents asked for twice are asked for once, and routing lets go of them", () => {
  const asked = requestDocuments(
    aClaim({ requestedDocuments: ["police_report"] }),
    ["police_report", "id_document"],
    "",
  )
  expect(asked).toMatchObject({ value: { requestedDocuments: ["police_report", "id_document"] } })
  expect(route(aClaim({ requestedDocuments: ["other"] }), max, now)).toMatchObject({
    value: { requestedDocuments: [] },
  })
})

test("rejecting before routing and sending back need a reason", () => {
  expect(rejectBeforeRouting(aClaim(), " ", now)).toMatchObject({ refused: "INVALID" })
  expect(rejectBeforeRouting(aClaim(), "Duplicate", now)).toMatchObject({
    value: { status: "rejected", rejectionReason: "Duplicate" },
    facts: [{ type: "ClaimRejected", reason: "Duplicate" }],
  })
  expect(sendBack(aClaim({ status: "pending_underwriter" }), "")).toMatchObject({ refused: "INVALID" })
  expect(rejectBeforeRouting(aClaim({ status: "pending_group_admin" }), "x", now)).toMatchObject({
    refused: "WRONG_STATUS",
  })
})

test("a completed payment pays an approved claim on its day, once", () => {
  expect(pay(aClaim({ status: "approved" }), today)).toMatchObject({ value: { status: "paid", paymentOn: today } })
  expect(pay(aClaim({ status: "paid" }), today)).toMatchObject({ refused: "WRONG_STATUS" })
})
