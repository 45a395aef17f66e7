import { describe, expect, test } from "vitest"
import { step } from "../kernel/lifecycle.ts"
import { type Role, roles } from "../platform/permission.ts"
import { aClaim } from "./claim.samples.ts"
import { type Claim, type ClaimStatus, claimStatuses, claimTabs } from "./claim.ts"
import { allowedActions, type ClaimAction, claimLifecycle, pendingStep } from "./claim-lifecycle.ts"
import { claimActions } from "./claim-shape.ts"

/** The whole table, written down once more by hand: where each action leads, and from nowhere else. */
const table: Record<ClaimAction, Partial<Record<ClaimStatus, ClaimStatus>>> = {
  edit: { draft: "draft", submitted: "submitted" },
  changeDocuments: { draft: "draft", submitted: "submitted", under_review: "under_review" },
  submit: { draft: "submitted" },
  startReview: { submitted: "under_review" },
  reassign: { submitted: "under_review", under_review: "under_review" },
  requestDocuments: { submitted: "submitted", under_review: "under_review" },
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
  withdraw: {},
}

const operations: ClaimAction[] = [
  "edit",
  "changeDocuments",
  "submit",
  "startReview",
  "reassign",
  "requestDocuments",
  "route",
  "reject",
  "sendBack",
  "pay",
]
const capture: ClaimAction[] = ["edit", "changeDocuments", "submit"]
const decisions: ClaimAction[] = ["approve", "decline"]

/** What each role may ever do, and at which status an approver decides. */
const rights: Record<Role, { actions: ClaimAction[]; decides?: ClaimStatus }> = {
  admin: { actions: operations },
  manager: { actions: operations },
  underwriter: { actions: decisions, decides: "pending_underwriter" },
  group_admin: { actions: [...capture, ...decisions], decides: "pending_group_admin" },
  policy_holder: { actions: decisions, decides: "pending_policy_holder" },
}

describe("status × action", () => {
  const cells = claimStatuses.flatMap((status) => claimLifecycle.actions.map((action) => ({ status, action })))
  test.each(cells)("$status: $action", ({ status, action }) => {
    const to = table[action][status]
    if (to) expect(step(claimLifecycle, { status }, action)).toBe(to)
    else
      expect(step(claimLifecycle, { status }, action)).toMatchObject({
        refused: "WRONG_STATUS",
        message: expect.any(String),
      })
  })
})

describe("status × action × role", () => {
  const cells = claimStatuses.flatMap((status) => [...roles, null].map((role) => ({ status, role })))
  test.each(cells)("$status, $role", ({ status, role }) => {
    const expected = claimActions.filter((action) => {
      if (action === "withdraw") return status === "draft" && (role === "admin" || role === "manager")
      if (!role || !table[action][status] || !rights[role].actions.includes(action)) return false
      return decisions.includes(action) ? rights[role].decides === status : true
    })
    expect(new Set(allowedActions(aClaim({ status }), { userId: "somebody", role }))).toEqual(new Set(expected))
  })
})

describe("who decides", () => {
  const waiting = (changes: Partial<Claim> = {}) => aClaim({ status: "pending_underwriter", ...changes })
  const uma = { userId: "uma", role: "underwriter" } as const

  test("the role whose stage it is", () => expect(pendingStep(waiting(), uma)).toBe("underwriter"))
  test("nobody else, and nobody outside the chain", () => {
    for (const role of [...roles.filter((name) => name !== "underwriter"), null]) {
      expect(pendingStep(waiting(), { userId: "x", role })).toMatchObject({ refused: "NO_PENDING_STEP" })
    }
    for (const status of claimStatuses.filter((name) => name !== "pending_underwriter")) {
      expect(pendingStep(aClaim({ status }), uma)).toMatchObject({ refused: "NO_PENDING_STEP" })
    }
  })
  test("not who captured it", () =>
    expect(pendingStep(waiting({ capturedBy: ["gert", "uma"] }), uma)).toMatchObject({ refused: "OWN_CLAIM" }))
  test("not who submitted it", () =>
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
  test("not who decided another stage, in any round", () => {
    const earlier = waiting({ round: 2, approvals: [{ round: 1, stage: "group_admin", ...decided }] })
    expect(pendingStep(earlier, uma)).toMatchObject({ refused: "DECIDED_BEFORE" })
    const same = waiting({ round: 2, approvals: [{ round: 1, stage: "underwriter", ...decided }] })
    expect(pendingStep(same, uma)).toBe("underwriter")
  })
  test("a group administrator for the policy holder for whom they stand in, and no other stage", () => {
    const gina = { userId: "gina", role: "group_admin" } as const
    const last = aClaim({ status: "pending_policy_holder" })
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
  test("and who may not is not offered to", () =>
    expect(allowedActions(waiting({ submittedBy: "uma" }), uma)).toEqual([]))
})

test("a draft is withdrawn by who typed into it and by whoever reviews claims; a claim that was handed in by nobody", () => {
  const draft = aClaim({ status: "draft", capturedBy: ["gert"] })
  const offered = (claim: Claim, userId: string, role: Role) =>
    allowedActions(claim, { userId, role }).includes("withdraw")
  expect(offered(draft, "gert", "group_admin")).toBe(true)
  expect(offered(draft, "hanna", "group_admin")).toBe(false)
  for (const role of ["manager", "admin"] as const) expect(offered(draft, "max", role)).toBe(true)
  for (const role of ["underwriter", "policy_holder"] as const) expect(offered(draft, "gert", role)).toBe(false)
  for (const status of claimStatuses.filter((name) => name !== "draft")) {
    expect(offered(aClaim({ status, capturedBy: ["gert"] }), "gert", "group_admin"), status).toBe(false)
  }
})

test("paying is offered until a payment has been made", () => {
  const manager = { userId: "max", role: "manager" } as const
  expect(allowedActions(aClaim({ status: "approved" }), manager)).toEqual(["pay"])
  expect(allowedActions(aClaim({ status: "approved", paymentStarted: true }), manager)).toEqual([])
})

test("every status stands in one tab besides all, but for drafts", () => {
  const tabs = [...claimTabs.pending, ...claimTabs.approved, ...claimTabs.rejected]
  expect([...tabs, "draft"].sort()).toEqual([...claimStatuses].sort())
})

test("the diagram names every status", () => {
  const diagram = claimLifecycle.toMermaid()
  for (const status of claimStatuses) expect(diagram).toContain(status)
})
