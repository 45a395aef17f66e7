import { describe, expect, test } from "vitest"
import { isRefusal } from "../kernel/refusal.ts"
import type { Role } from "../platform/permission.ts"
import { createClaim } from "./claim.samples.ts"
import type { Claim, Stage } from "./claim.ts"
import {
  type ClaimChange,
  type Decider,
  decide,
  decidersOf,
  previousAmount,
  type StageLimits,
} from "./claim-approval.ts"
import { route, sendBack } from "./claim-review.ts"

const now = Temporal.Instant.from("2026-11-02T08:00:00Z")
const manager = { userId: "max", role: "manager" } as const
const deciders: Record<Stage, { userId: string; role: Stage }> = {
  group_admin: { userId: "hanna", role: "group_admin" },
  underwriter: { userId: "uma", role: "underwriter" },
  policy_holder: { userId: "pia", role: "policy_holder" },
}
const maxCoverCents = 40_000_00
const proposed = {
  proposedAmountCents: 40_000_00,
  childCap: null,
  coverWorking: ["R 40 000,00 maximum cover."],
}

function requireDone(decision: unknown): ClaimChange {
  if (isRefusal(decision)) throw new Error(`${decision.refused}: ${decision.message}`)
  return decision as ClaimChange
}
const approve = (
  claim: Claim,
  stage: Stage,
  amount: number | null = null,
  comment = "",
  max: number | null = maxCoverCents,
) =>
  decide(
    claim,
    { decision: "approve", approvedAmountCents: amount, comment, reductionReason: "The bill was lower" },
    deciders[stage],
    { limitCents: max, coverCheck: [], ...proposed },
    now,
    "ZAR",
  )
const premiumsFailed = { check: "premiums", title: "Premiums paid up to the incident date", result: "fail" } as const
const createRoutedClaim = () => requireDone(route(createClaim(), manager, now, [])).value
const invalidField = (path: string) => ({
  refused: "INVALID",
  data: { fields: [{ path, message: expect.any(String) }] },
})

test("three stages approve in order; each approved amount is the next stage's maximum", () => {
  const first = requireDone(approve(createRoutedClaim(), "group_admin", 45_000_00, "Seen the bills")).value
  expect(first).toMatchObject({ status: "pending_underwriter", groupAdminApprovalAt: now.toString(), version: 5 })
  expect(previousAmount(first)).toBe(45_000_00)
  const second = requireDone(approve(first, "underwriter", 39_999_99)).value
  expect(second).toMatchObject({ status: "pending_policy_holder", finalApprovalAt: null, approvedAmountCents: null })
  const third = requireDone(approve(second, "policy_holder"))
  expect(third.value).toMatchObject({
    status: "approved",
    approvedAmountCents: 39_999_99,
    policyHolderApprovalAt: now.toString(),
    finalApprovalAt: now.toString(),
  })
  expect(third.value.approvals.map(({ status, approvedAmountCents }) => [status, approvedAmountCents])).toEqual([
    ["approved", 45_000_00],
    ["approved", 39_999_99],
    ["approved", 39_999_99],
  ])
  expect(third.facts).toMatchObject([{ type: "ClaimDecided", stage: "policy_holder", decision: "approved" }])
})

describe("the approved amount", () => {
  test.each([0, -1, 50_000_01])("%i cents is refused", (amount) =>
    expect(approve(createRoutedClaim(), "group_admin", amount)).toMatchObject(invalidField("approvedAmountCents")))
  test.each([1, 50_000_00])("%i cents is accepted", (amount) =>
    expect(previousAmount(requireDone(approve(createRoutedClaim(), "group_admin", amount)).value)).toBe(amount))
  test("cannot be raised by the next stage", () => {
    const claim = requireDone(approve(createRoutedClaim(), "group_admin", 10_000_00)).value
    expect(approve(claim, "underwriter", 10_000_01)).toMatchObject(invalidField("approvedAmountCents"))
  })
  test("above the cover limit requires comments from the underwriter and the policy holder", () => {
    const claim = requireDone(approve(createRoutedClaim(), "group_admin")).value
    expect(approve(claim, "underwriter", 40_000_01)).toMatchObject(invalidField("comment"))
    expect(approve(claim, "underwriter", null, "  ")).toMatchObject(invalidField("comment"))
    const above = requireDone(approve(claim, "underwriter", 40_000_01, "Ex gratia")).value
    expect(approve(above, "policy_holder")).toMatchObject(invalidField("comment"))
    expect(requireDone(approve(above, "policy_holder", null, "Agreed")).value.approvedAmountCents).toBe(40_000_01)
    expect(approve(above, "policy_holder", 40_000_02)).toMatchObject(invalidField("approvedAmountCents"))
    expect(requireDone(approve(claim, "underwriter", maxCoverCents)).value.status).toBe("pending_policy_holder")
  })
  test("needs no comment where cover has no limit", () => {
    const claim = requireDone(approve(createRoutedClaim(), "group_admin")).value
    expect(requireDone(approve(claim, "underwriter", null, "", null)).value.status).toBe("pending_policy_holder")
  })
  test("needs a comment from the underwriter if there is no cover", () => {
    const claim = requireDone(approve(createRoutedClaim(), "group_admin")).value
    expect(approve(claim, "underwriter", 1, "", 0)).toMatchObject(invalidField("comment"))
  })
})

describe("the cap on a child's life", () => {
  const approveUnderCap = (approvedAmountCents: number, leftCents: number) =>
    decide(
      requireDone(approve(createRoutedClaim(), "group_admin")).value,
      { decision: "approve", approvedAmountCents, comment: "Ex gratia", reductionReason: "Capped" },
      deciders.underwriter,
      { ...proposed, limitCents: leftCents, childCap: { leftCents, reason: "At most this much." }, coverCheck: [] },
      now,
      "ZAR",
    )
  const messageOf = (decision: unknown) => (decision as { message: string }).message.replaceAll("\u00a0", " ")
  test("is not exceeded, also with a comment of the underwriter", () => {
    const above = approveUnderCap(20_000_01, 20_000_00)
    expect(above).toMatchObject(invalidField("approvedAmountCents"))
    expect(messageOf(above)).toBe("Approve at most R 20 000,00. At most this much.")
    expect(messageOf(approveUnderCap(1, 0))).toBe("Reject the claim. At most this much.")
  })
  test("allows an amount up to the cap", () =>
    expect(requireDone(approveUnderCap(20_000_00, 20_000_00)).value.status).toBe("pending_policy_holder"))
})

describe("a reduced amount", () => {
  const reduce = (reductionReason: string, approvedAmountCents: number | null = 45_000_00) =>
    decide(
      createRoutedClaim(),
      { decision: "approve", approvedAmountCents, comment: "Epilepsy", reductionReason },
      deciders.group_admin,
      { ...proposed, limitCents: maxCoverCents, coverCheck: [] },
      now,
      "ZAR",
    )
  test("requires a separate reason, stored with the approval", () => {
    expect(reduce(" ")).toMatchObject(invalidField("reductionReason"))
    expect(requireDone(reduce(" The bill was lower ")).value.approvals[0]).toMatchObject({
      reductionReason: "The bill was lower",
      comment: "Epilepsy",
    })
  })
  test("has no reason if it equals the previous amount", () =>
    expect(requireDone(reduce("Typed and not meant", null)).value.approvals[0]?.reductionReason).toBeNull())
})

describe("approving a claim with a failed cover check", () => {
  const over = (coverCheck: StageLimits["coverCheck"], comment = "") =>
    decide(
      createRoutedClaim(),
      { decision: "approve", approvedAmountCents: null, comment, reductionReason: "" },
      deciders.group_admin,
      { ...proposed, limitCents: maxCoverCents, coverCheck },
      now,
      "ZAR",
    )
  test("requires a comment when a line failed", () => {
    expect(over([premiumsFailed])).toMatchObject(invalidField("comment"))
    expect(over([premiumsFailed], " ")).toMatchObject(invalidField("comment"))
    expect(requireDone(over([premiumsFailed], "Debit order under way")).value.status).toBe("pending_underwriter")
  })
  test("needs no comment if only the maximum failed or a premium is not yet due", () => {
    expect(requireDone(over([{ ...premiumsFailed, result: "open" }])).value.status).toBe("pending_underwriter")
    expect(requireDone(over([{ ...premiumsFailed, check: "maximum" }])).value.status).toBe("pending_underwriter")
  })
})

describe("a rejection", () => {
  const reject = (claim: Claim, stage: Stage, comment: string) =>
    decide(
      claim,
      { decision: "reject", approvedAmountCents: 5, comment, reductionReason: "" },
      deciders[stage],
      { ...proposed, limitCents: maxCoverCents, coverCheck: [premiumsFailed] },
      now,
      "ZAR",
    )
  test("requires a comment", () =>
    expect(reject(createRoutedClaim(), "group_admin", " ")).toMatchObject(invalidField("comment")))
  test("ends the claim at any stage, with the comment as reason and no amount", () => {
    const claim = requireDone(approve(createRoutedClaim(), "group_admin")).value
    const rejected = requireDone(reject(claim, "underwriter", " Not covered ")).value
    expect(rejected).toMatchObject({ status: "rejected", rejectionReason: "Not covered", rejectedAt: now.toString() })
    expect(rejected.approvals[1]).toMatchObject({
      status: "rejected",
      approvedAmountCents: null,
      comment: "Not covered",
    })
    expect(rejected.approvals[2]).toMatchObject({ status: "pending" })
  })
})

test("only the pending stage can be decided", () => {
  expect(approve(createRoutedClaim(), "underwriter")).toMatchObject({ refused: "NO_PENDING_STEP" })
  expect(approve(createClaim(), "group_admin")).toMatchObject({ refused: "NO_PENDING_STEP" })
})

test("sending back opens a new round and keeps the old one", () => {
  const decided = requireDone(approve(createRoutedClaim(), "group_admin", 45_000_00)).value
  const back = requireDone(sendBack(decided, "Wrong benefit")).value
  expect(back).toMatchObject({ status: "submitted", round: 2, routedAt: null, groupAdminApprovalAt: null })
  expect(back.approvals).toHaveLength(6)
  expect(previousAmount(back)).toBe(50_000_00)
  const again = requireDone(route(back, manager, now, [])).value
  const second = requireDone(approve(again, "group_admin", 30_000_00)).value
  expect(second.approvals.filter(({ stage }) => stage === "group_admin").map((row) => row.approvedAmountCents)).toEqual(
    [45_000_00, 30_000_00],
  )
})

describe("people who can decide each stage", () => {
  const all: Decider[] = [
    { userId: "gert", name: "Gert", stage: "group_admin" },
    { userId: "uma", name: "Uma", stage: "underwriter" },
    { userId: "pia", name: "Pia", stage: "policy_holder" },
  ]
  const hr = { groupName: "Cape Winds", role: "group_admin" } as const
  const said = (involved: string[], people: Decider[], role: Role) =>
    (decidersOf(involved, people, { groupName: "Cape Winds", role }) as { message?: string }).message

  test("are listed by name", () =>
    expect(decidersOf(["max"], all, hr)).toEqual({
      group_admin: [all[0]],
      underwriter: [all[1]],
      policy_holder: [all[2]],
    }))
  test("exclude the users who captured or submitted the claim, with an explanation", () =>
    expect(decidersOf(["gert"], all, hr)).toMatchObject({
      refused: "NOBODY_TO_DECIDE",
      message:
        "This claim would have no approver: Gert captured or submitted it, and Cape Winds has no other group administrator. " +
        "Ask a manager to capture it, or an administrator to add a second group administrator for Cape Winds in Settings, Users.",
      data: { stages: ["group_admin"] },
    }))
  test("are reported missing for every stage without a decider", () =>
    expect(decidersOf([], all.slice(0, 1), hr)).toMatchObject({ data: { stages: ["underwriter", "policy_holder"] } }))
  test("if missing, the advice depends on what a manager or an administrator can do", () => {
    const noSignatory = all.slice(0, 2)
    const missing = "This claim would have no approver: Cape Winds has no policy holder. "
    expect(said(["max"], noSignatory, "manager")).toBe(
      `${missing}Ask an administrator to add a policy holder for Cape Winds in Settings, Users.`,
    )
    expect(said(["anna"], noSignatory, "admin")).toBe(
      `${missing}Add a policy holder for Cape Winds in Settings, Users.`,
    )
    expect(said(["gert"], noSignatory, "group_admin")).not.toContain("manager")
  })
})
