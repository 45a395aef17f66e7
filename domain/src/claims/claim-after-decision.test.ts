import { expect, test } from "vitest"
import { createClaim } from "./claim.samples.ts"
import type { Claim } from "./claim.ts"
import { reopen, withdrawApproval, withdrawSubmitted } from "./claim-after-decision.ts"

const now = Temporal.Instant.from("2026-11-02T08:00:00Z")
const context = { today: "2026-11-02", now, timezone: "Africa/Johannesburg", objectionDays: 90 }
const max = { userId: "max", role: "manager" } as const
const decidedBy = (userId: string, status: "approved" | "rejected", changes: Partial<Claim> = {}): Claim => {
  const claim = createClaim({ reviewedBy: "mona", reviewedAt: "2026-10-22T09:00:00Z", ...changes })
  const [first, ...others] = claim.approvals
  return { ...claim, approvals: [{ ...first!, status, decidedBy: userId }, ...others] }
}
const rejected = (changes: Partial<Claim> = {}) =>
  decidedBy("uma", "rejected", {
    status: "rejected",
    rejectedAt: "2026-10-30T22:30:00Z",
    rejectionReason: "Not covered",
    routedAt: "2026-10-23T08:00:00Z",
    groupAdminApprovalAt: "2026-10-24T08:00:00Z",
    ...changes,
  })
const approved = (changes: Partial<Claim> = {}) =>
  decidedBy("uma", "approved", {
    status: "approved",
    routedAt: "2026-10-23T08:00:00Z",
    groupAdminApprovalAt: "2026-10-24T08:00:00Z",
    underwriterApprovalAt: "2026-10-25T08:00:00Z",
    policyHolderApprovalAt: "2026-10-26T08:00:00Z",
    finalApprovalAt: "2026-10-26T08:00:00Z",
    approvedAmountCents: 40_000_00,
    ...changes,
  })
const undecided = {
  status: "under_review",
  round: 2,
  routedAt: null,
  groupAdminApprovalAt: null,
  underwriterApprovalAt: null,
  policyHolderApprovalAt: null,
  finalApprovalAt: null,
  approvedAmountCents: null,
  rejectedAt: null,
  rejectionReason: null,
  version: 4,
}

test("reopening opens a new round, keeps the rejection and makes the actor the reviewer", () => {
  const claim = rejected()
  const done = reopen(claim, { reason: " New evidence ", receivedOn: "2026-11-01" }, max, context)
  expect(done).toMatchObject({
    value: { ...undecided, reviewedBy: "max", reviewedAt: now.toString(), capturedBy: ["gert", "max"] },
    facts: [{ type: "ClaimReopened", reason: "New evidence", receivedOn: "2026-11-01", isLate: false }],
    reopening: {
      kind: "appeal",
      round: 2,
      reason: "New evidence",
      isLate: false,
      decidedAt: claim.rejectedAt,
      rejectionReason: "Not covered",
      approvedAmountCents: null,
      reopenedBy: "max",
    },
  })
  expect((done as { value: Claim }).value.approvals.map(({ round, status }) => `${round} ${status}`)).toEqual([
    "1 rejected",
    "1 pending",
    "1 pending",
    "2 pending",
    "2 pending",
    "2 pending",
  ])
})

test.each<[number, boolean]>([
  [2, false],
  [1, true],
])("an appeal within %i days of the rejection's day in the organisation's time zone is late: %s", (days, isLate) => {
  // Rejected on the 31st in Johannesburg.
  const terms = { ...context, objectionDays: days }
  expect(reopen(rejected(), { reason: "Appeal", receivedOn: "2026-11-02" }, max, terms)).toMatchObject({
    facts: [{ isLate }],
    reopening: { isLate },
  })
})

test.each([
  [{ reason: " ", receivedOn: "2026-11-01" }, "reason"],
  [{ reason: "Appeal", receivedOn: "2026-11-03" }, "receivedOn"],
  [{ reason: "Appeal", receivedOn: "2026-10-30" }, "receivedOn"],
])("reopening refuses %o", (input, path) =>
  expect(reopen(rejected(), input, max, context)).toMatchObject({
    refused: "INVALID",
    data: { fields: [{ path }] },
  }))

test("withdrawing an approval clears the decision and opens a new round", () => {
  expect(withdrawApproval(approved(), " Wrong bill ", max, now)).toMatchObject({
    value: { ...undecided, reviewedBy: "mona", capturedBy: ["gert"] },
    facts: [{ type: "ClaimApprovalWithdrawn", approvedAmountCents: 40_000_00, reason: "Wrong bill" }],
    reopening: { kind: "approval_withdrawn", round: 2, receivedOn: null, approvedAmountCents: 40_000_00 },
  })
})

test.each<[string, Partial<Claim>, string, string, string]>([
  ["a decider of an earlier round", { round: 2 }, "uma", "Wrong", "DECIDED_BEFORE"],
  ["a live payment", { paymentStarted: true }, "max", "Wrong", "PAYMENT_EXISTS"],
  ["a completed part payment", { isPartlyPaid: true }, "max", "Wrong", "PAYMENT_EXISTS"],
  ["a missing reason", {}, "max", " ", "INVALID"],
  ["a paid claim", { status: "paid" }, "max", "Wrong", "WRONG_STATUS"],
])("withdrawing an approval refuses %s", (_, changes, userId, reason, refused) =>
  expect(withdrawApproval(approved(changes), reason, { userId, role: "underwriter" }, now)).toMatchObject({ refused }))

test("the submitter or a manager ends a claim that is not routed", () => {
  const gert = { userId: "gert", role: "group_admin" } as const
  for (const actor of [gert, max]) {
    expect(
      withdrawSubmitted(createClaim({ requestedDocuments: ["other"] }), "Paid elsewhere", actor, now),
    ).toMatchObject({
      value: {
        status: "withdrawn",
        withdrawnAt: now.toString(),
        withdrawnBy: actor.userId,
        withdrawalReason: "Paid elsewhere",
        requestedDocuments: [],
      },
      facts: [{ type: "SubmittedClaimWithdrawn", reason: "Paid elsewhere" }],
    })
  }
  const hanna = { userId: "hanna", role: "group_admin" } as const
  expect(withdrawSubmitted(createClaim(), "Paid", hanna, now)).toMatchObject({ refused: "FORBIDDEN" })
  expect(withdrawSubmitted(createClaim(), " ", gert, now)).toMatchObject({ refused: "INVALID" })
  expect(withdrawSubmitted(rejected(), "Paid", gert, now)).toMatchObject({ refused: "WRONG_STATUS" })
})
