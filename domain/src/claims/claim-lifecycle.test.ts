import { describe, expect, test } from "vitest"
import { applyTransition } from "../kernel/lifecycle.ts"
import { type Role, roles } from "../platform/permission.ts"
import { createClaim } from "./claim.samples.ts"
import { type Claim, type ClaimStatus, claimStatuses, claimTabs } from "./claim.ts"
import { allowedActions, type ClaimAction, claimLifecycle, pendingStep, roundCause } from "./claim-lifecycle.ts"
import { claimActions } from "./claim-shape.ts"

const transitions: Record<ClaimAction, Partial<Record<ClaimStatus, ClaimStatus>>> = {
  edit: { draft: "draft", submitted: "submitted" },
  changeDocuments: { draft: "draft", submitted: "submitted", under_review: "under_review" },
  submit: { draft: "submitted" },
  startReview: { submitted: "under_review" },
  reassign: { submitted: "under_review", under_review: "under_review" },
  requestDocuments: { submitted: "submitted", under_review: "under_review" },
  waiveDocuments: { submitted: "submitted", under_review: "under_review" },
  withdrawWaiver: { submitted: "submitted", under_review: "under_review" },
  route: { submitted: "pending_group_admin", under_review: "pending_group_admin" },
  reject: { submitted: "rejected", under_review: "rejected" },
  approve: {
    pending_group_admin: "pending_underwriter",
    pending_underwriter: "pending_policy_holder",
    pending_policy_holder: "approved",
  },
  decline: { pending_group_admin: "rejected", pending_underwriter: "rejected", pending_policy_holder: "rejected" },
  sendBack: {
    under_review: "submitted",
    pending_group_admin: "submitted",
    pending_underwriter: "submitted",
    pending_policy_holder: "submitted",
  },
  pay: { approved: "paid" },
  owe: { paid: "approved" },
  reopen: { rejected: "under_review" },
  withdrawApproval: { approved: "under_review" },
  withdrawSubmitted: { submitted: "withdrawn", under_review: "withdrawn" },
  withdraw: {},
}

const operations: ClaimAction[] = [
  "edit",
  "changeDocuments",
  "submit",
  "startReview",
  "reassign",
  "requestDocuments",
  "waiveDocuments",
  "withdrawWaiver",
  "route",
  "reject",
  "sendBack",
  "pay",
  "reopen",
  "withdrawApproval",
  "withdrawSubmitted",
]
const capture: ClaimAction[] = ["edit", "changeDocuments", "submit"]
const decisionActions: ClaimAction[] = ["approve", "decline"]

const rights: Record<Role, { actions: ClaimAction[]; decides?: ClaimStatus }> = {
  admin: { actions: operations },
  manager: { actions: operations },
  underwriter: { actions: [...decisionActions, "withdrawApproval"], decides: "pending_underwriter" },
  group_admin: { actions: [...capture, ...decisionActions], decides: "pending_group_admin" },
  policy_holder: { actions: decisionActions, decides: "pending_policy_holder" },
}

describe("claim actions by status", () => {
  const cells = claimStatuses.flatMap((status) => claimLifecycle.actions.map((action) => ({ status, action })))
  test.each(cells)("a claim with status $status allows or refuses $action", ({ status, action }) => {
    const to = transitions[action][status]
    if (to) expect(applyTransition(claimLifecycle, { status }, action)).toBe(to)
    else
      expect(applyTransition(claimLifecycle, { status }, action)).toMatchObject({
        refused: "WRONG_STATUS",
        message: expect.any(String),
      })
  })
})

describe("claim actions by status and role", () => {
  const cells = claimStatuses.flatMap((status) => [...roles, null].map((role) => ({ status, role })))
  test.each(cells)("$status, $role", ({ status, role }) => {
    const expected = claimActions.filter((action) => {
      if (action === "withdraw") return status === "draft" && (role === "admin" || role === "manager")
      if (!role || !transitions[action][status] || !rights[role].actions.includes(action)) return false
      return decisionActions.includes(action) ? rights[role].decides === status : true
    })
    expect(new Set(allowedActions(createClaim({ status }), { userId: "somebody", role }))).toEqual(new Set(expected))
  })
})

describe("deciding a stage", () => {
  const waiting = (changes: Partial<Claim> = {}) => createClaim({ status: "pending_underwriter", ...changes })
  const uma = { userId: "uma", role: "underwriter" } as const

  test("the role of the stage can decide it", () => expect(pendingStep(waiting(), uma)).toBe("underwriter"))
  test("other roles and accounts without a role cannot decide", () => {
    for (const role of [...roles.filter((name) => name !== "underwriter"), null]) {
      expect(pendingStep(waiting(), { userId: "x", role })).toMatchObject({ refused: "NO_PENDING_STEP" })
    }
    for (const status of claimStatuses.filter((name) => name !== "pending_underwriter")) {
      expect(pendingStep(createClaim({ status }), uma)).toMatchObject({ refused: "NO_PENDING_STEP" })
    }
  })
  test("the capturer cannot decide", () =>
    expect(pendingStep(waiting({ capturedBy: ["gert", "uma"] }), uma)).toMatchObject({ refused: "OWN_CLAIM" }))
  test("the submitter cannot decide", () =>
    expect(pendingStep(waiting({ submittedBy: "uma" }), uma)).toMatchObject({ refused: "OWN_CLAIM" }))
  const decided = {
    status: "approved",
    comment: null,
    reductionReason: null,
    approvedAmountCents: 1,
    decidedBy: "uma",
    decidedFor: null,
    decidedAt: "",
  } as const
  test("the decider of another stage, in any round, cannot decide", () => {
    const earlier = waiting({ round: 2, approvals: [{ round: 1, stage: "group_admin", ...decided }] })
    expect(pendingStep(earlier, uma)).toMatchObject({ refused: "DECIDED_BEFORE" })
    const same = waiting({ round: 2, approvals: [{ round: 1, stage: "underwriter", ...decided }] })
    expect(pendingStep(same, uma)).toBe("underwriter")
  })
  test("a group administrator standing in can decide only the policy holder's stage", () => {
    const gina = { userId: "gina", role: "group_admin" } as const
    const last = createClaim({ status: "pending_policy_holder" })
    expect(pendingStep(last, gina)).toMatchObject({ refused: "NO_PENDING_STEP" })
    expect(pendingStep({ ...last, standsInFor: "pia" }, gina)).toBe("policy_holder")
    expect(pendingStep({ ...waiting(), standsInFor: "pia" }, gina)).toMatchObject({ refused: "NO_PENDING_STEP" })
    for (const role of ["manager", "admin", "underwriter"] as const) {
      expect(pendingStep({ ...last, standsInFor: "pia" }, { userId: "x", role })).toMatchObject({
        refused: "NO_PENDING_STEP",
      })
    }
    const first = { round: 1, stage: "group_admin", ...decided, decidedBy: "gina" } as const
    expect(pendingStep({ ...last, standsInFor: "pia", approvals: [first] }, gina)).toMatchObject({
      refused: "DECIDED_BEFORE",
    })
    expect(pendingStep({ ...last, standsInFor: "pia", submittedBy: "gina" }, gina)).toMatchObject({
      refused: "OWN_CLAIM",
    })
  })
  test("the action is offered only to users who may decide", () =>
    expect(allowedActions(waiting({ submittedBy: "uma" }), uma)).toEqual([]))
})

test("a draft can be withdrawn by its capturers or a reviewer; a submitted claim cannot", () => {
  const draft = createClaim({ status: "draft", capturedBy: ["gert"] })
  const offered = (claim: Claim, userId: string, role: Role) =>
    allowedActions(claim, { userId, role }).includes("withdraw")
  expect(offered(draft, "gert", "group_admin")).toBe(true)
  expect(offered(draft, "hanna", "group_admin")).toBe(false)
  for (const role of ["manager", "admin"] as const) expect(offered(draft, "max", role)).toBe(true)
  for (const role of ["underwriter", "policy_holder"] as const) expect(offered(draft, "gert", role)).toBe(false)
  for (const status of claimStatuses.filter((name) => name !== "draft")) {
    expect(offered(createClaim({ status, capturedBy: ["gert"] }), "gert", "group_admin"), status).toBe(false)
  }
})

test("an approved claim can be paid until it has a payment", () => {
  const manager = { userId: "max", role: "manager" } as const
  expect(allowedActions(createClaim({ status: "approved" }), manager)).toEqual(["pay", "withdrawApproval"])
  expect(allowedActions(createClaim({ status: "approved", paymentStarted: true }), manager)).toEqual([])
  expect(allowedActions(createClaim({ status: "approved", isPartlyPaid: true }), manager)).toEqual(["pay"])
})

test("an approval can be withdrawn by an insurer's user who decided no stage in any round", () => {
  const decided = { ...createClaim().approvals[0]!, status: "approved", decidedBy: "uma" } as const
  const claim = createClaim({ status: "approved", round: 2, approvals: [decided] })
  const offered = (userId: string, role: Role, changes = {}) =>
    allowedActions(claim, { userId, role, ...changes }).includes("withdrawApproval")
  for (const role of ["admin", "manager", "underwriter"] as const) expect(offered("una", role)).toBe(true)
  for (const role of ["underwriter", "manager"] as const) expect(offered("uma", role)).toBe(false)
  for (const role of ["group_admin", "policy_holder"] as const) expect(offered("una", role)).toBe(false)
  expect(offered("una", "manager", { keyMadeBy: "max" })).toBe(false)
})

test("a claim that is not routed can be withdrawn by its submitter or a reviewer", () => {
  const offered = (status: ClaimStatus, userId: string, role: Role) =>
    allowedActions(createClaim({ status }), { userId, role }).includes("withdrawSubmitted")
  for (const status of claimStatuses) {
    const isOpen = status === "submitted" || status === "under_review"
    expect(offered(status, "gert", "group_admin"), status).toBe(isOpen)
    expect(offered(status, "max", "manager"), status).toBe(isOpen)
    expect(offered(status, "hanna", "group_admin"), status).toBe(false)
  }
})

test("the cause of a new round is shown until the claim is routed", () => {
  expect(roundCause({ status: "submitted", round: 1 }, null)).toBe(null)
  expect(roundCause({ status: "submitted", round: 2 }, null)).toBe("sent_back")
  expect(roundCause({ status: "under_review", round: 2 }, "appeal")).toBe("appeal")
  expect(roundCause({ status: "under_review", round: 3 }, "approval_withdrawn")).toBe("approval_withdrawn")
  expect(roundCause({ status: "pending_group_admin", round: 2 }, "appeal")).toBe(null)
})

test("every status except draft and withdrawn is in exactly one tab besides all", () => {
  const tabs = [...claimTabs.pending, ...claimTabs.approved, ...claimTabs.rejected]
  expect([...tabs, "draft", "withdrawn"].sort()).toEqual([...claimStatuses].sort())
})

test("the diagram names every status", () => {
  const diagram = claimLifecycle.toMermaid()
  for (const status of claimStatuses) expect(diagram).toContain(status)
})
