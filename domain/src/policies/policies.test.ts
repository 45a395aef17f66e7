import { describe, expect, test } from "vitest"
import { applyTransition } from "../kernel/lifecycle.ts"
import { roles } from "../platform/permission.ts"
import { type Policy, type PolicyStatus, policyStatuses } from "./policy.ts"
import { editCoverage, editDraft, editInformation } from "./policy-edit.ts"
import { firstIncompleteStep } from "./policy-form.ts"
import { allowedPolicyActions, policyLifecycle } from "./policy-lifecycle.ts"
import {
  activatePolicy,
  activationRequirements,
  defaultPremiumFrom,
  expirePolicy,
  findDateErrors,
  findWaitingErrors,
  missingRequirements,
  policyRange,
  terminatePolicy,
} from "./policy-rules.ts"

describe("lifecycle table", () => {
  const table: Record<PolicyStatus, Partial<Record<string, PolicyStatus>>> = {
    Draft: { activate: "Active" },
    Active: { suspend: "Suspended", terminate: "Terminated", expire: "Expired" },
    Suspended: { reinstate: "Active", terminate: "Terminated", expire: "Expired" },
    Terminated: {},
    Expired: { renew: "Active" },
  }
  for (const status of policyStatuses) {
    for (const action of policyLifecycle.actions) {
      const next = table[status][action]
      test(`${action} of a ${status} policy: ${next ?? "refused"}`, () => {
        expect(policyLifecycle.next(status, action)).toBe(next ?? null)
        const decided = applyTransition(policyLifecycle, { status }, action)
        if (next) expect(decided).toBe(next)
        else
          expect(decided).toMatchObject({
            refused: "WRONG_STATUS",
            message: expect.stringContaining(status.toLowerCase()),
          })
      })
    }
  }
})

describe("allowed actions, by status and role", () => {
  const ofManager: Record<PolicyStatus, string[]> = {
    Draft: ["edit", "editContact", "activate", "addMembers", "deleteDraft"],
    Active: ["edit", "editContact", "suspend", "terminate", "addMembers"],
    Suspended: ["edit", "editContact", "reinstate", "terminate", "addMembers"],
    Terminated: ["editContact"],
    Expired: ["editContact"],
  }
  for (const status of policyStatuses) {
    for (const role of [...roles, null]) {
      const open = status !== "Terminated" && status !== "Expired"
      const expected =
        role === "admin" || role === "manager"
          ? ofManager[status]
          : role === "group_admin" && open
            ? ["addMembers"]
            : []
      test(`actions of ${role} on a ${status} policy: ${expected.join(" ") || "none"}`, () => {
        expect(allowedPolicyActions({ status, endOn: "2026-01-31" }, { role }, "2026-11-20")).toEqual(expected)
      })
    }
  }
})

test("an expired policy can be renewed for 60 days after its end date", () => {
  const allowed = (status: PolicyStatus, today: string) =>
    allowedPolicyActions({ status, endOn: "2026-09-30" }, { role: "manager" }, today).includes("renew")
  expect(allowed("Expired", "2026-10-01")).toBe(true)
  expect(allowed("Expired", "2026-11-29")).toBe(true)
  expect(allowed("Expired", "2026-11-30")).toBe(false)
  expect(allowed("Terminated", "2026-10-01")).toBe(false)
})

const ready: Policy = {
  id: "d7a2f4f0-6c3e-4e5e-8d1c-222222222222",
  groupId: "d7a2f4f0-6c3e-4e5e-8d1c-333333333333",
  number: "P-2026-000001",
  status: "Draft",
  statusReason: null,
  terminatedOn: null,
  activatedAt: null,
  rateTableId: null,
  version: 1,
  groupName: "Acacia",
  owningFund: "",
  description: "",
  productTypeId: "d7a2f4f0-6c3e-4e5e-8d1c-111111111111",
  startOn: "2026-01-01",
  endOn: null,
  coverageType: "life",
  premiumCents: 35_000,
  sumAssuredCents: null,
  billedFromOn: null,
  endRule: "whole month",
  dueDays: 30,
  staffListDay: null,
  staffListsFromOn: null,
  waitingPeriodMonths: 0,
  contactName: "Ann",
  contactEmail: "ann@acacia.example",
  contactPhone: "",
  contactCell: "",
  contactPosition: "",
  companyVatNumber: "",
  companyAddress: "",
  contactNotes: "",
}
const now = Temporal.Instant.from("2026-11-02T08:00:00Z")

describe("activation", () => {
  test("a complete draft is activated", () => {
    expect(missingRequirements({ ...ready, rated: false, members: 1 })).toEqual([])
    expect(activatePolicy(ready, { members: 1, productType: "Group Life" }, now)).toMatchObject({
      value: { status: "Active", activatedAt: now.toString(), version: 2 },
      facts: [{ type: "PolicyActivated", startOn: "2026-01-01", members: 1, after: { productType: "Group Life" } }],
    })
  })

  const empty: Record<(typeof activationRequirements)[number]["field"], Partial<Policy & { members: number }>> = {
    groupName: { groupName: " " },
    productTypeId: { productTypeId: null },
    startOn: { startOn: null },
    premiumCents: { premiumCents: 0 },
    contactName: { contactName: "" },
    contactEmail: { contactEmail: "" },
    members: { members: 0 },
  }
  for (const { field, label } of activationRequirements) {
    test(`a draft without ${label} is refused and names the field`, () => {
      const { members = 1, ...lacking } = empty[field]
      expect(activatePolicy({ ...ready, ...lacking }, { members, productType: null }, now)).toMatchObject({
        refused: "INCOMPLETE",
        data: { missing: [{ field, label }] },
      })
    })
  }
})

describe("dates", () => {
  const policy: Policy = { ...ready, status: "Active", endOn: "2026-12-31" }
  test.each([
    ["2025-12-31", false],
    ["2026-01-01", true],
    ["2026-11-02", true],
    ["2026-11-03", false],
  ])("on 2 November, a termination on %s is possible: %s", (on, possible) => {
    const decided = terminatePolicy(policy, on, "Moved away", "2026-11-02")
    if (possible) expect(decided).toMatchObject({ value: { status: "Terminated", terminatedOn: on } })
    else expect(decided).toMatchObject({ refused: "INVALID", data: { fields: [{ path: "on" }] } })
  })

  test("a policy expires on the day after its last day", () => {
    const kept = { refused: "WRONG_STATUS" }
    expect(expirePolicy(policy, "2026-12-31")).toMatchObject(kept)
    expect(expirePolicy(policy, "2027-01-01")).toMatchObject({
      value: { status: "Expired" },
      facts: [{ type: "PolicyExpired", on: "2026-12-31" }],
    })
    expect(expirePolicy({ ...policy, endOn: null }, "2030-01-01")).toMatchObject(kept)
    expect(expirePolicy({ ...policy, status: "Suspended" }, "2027-01-01")).toMatchObject({
      value: { status: "Expired" },
    })
    expect(expirePolicy({ ...policy, status: "Terminated" }, "2027-01-01")).toMatchObject(kept)
  })

  test("an activated policy keeps its start, and an end before the start is refused", () => {
    expect(findDateErrors(policy, { ...policy, startOn: "2026-02-01" })).toMatchObject([{ path: "startOn" }])
    const draft = { ...policy, status: "Draft" as const }
    expect(findDateErrors(draft, { startOn: "2026-02-01", endOn: "2026-02-01" })).toEqual([])
    expect(findDateErrors(draft, { startOn: "2026-02-01", endOn: "2026-01-31" })).toMatchObject([{ path: "endOn" }])
  })

  test("a changed premium applies from the first of next month, or a later start", () => {
    expect(defaultPremiumFrom(policy, "2026-01-31")).toBe("2026-02-01")
    expect(defaultPremiumFrom(policy, "2026-12-01")).toBe("2027-01-01")
    expect(defaultPremiumFrom({ ...policy, startOn: "2027-03-15" }, "2026-12-01")).toBe("2027-03-15")
  })

  test("the days in force include the policy's last day", () => {
    expect(policyRange("2028-02-01", "2028-02-29")).toBe("[2028-02-01,2028-03-01)")
    expect(policyRange("2026-01-01", null)).toBe("[2026-01-01,)")
  })
})

describe("edits", () => {
  const active: Policy = { ...ready, status: "Active" }
  const terms = { coverageType: "life" as const, sumAssuredCents: null, waitingPeriodMonths: 3 }

  test("moving a draft's start is recorded only if the draft has members", () => {
    const nobody = { members: false, staffLists: false, documents: false }
    expect(editDraft(ready, { startOn: "2026-02-01" }, nobody)).toMatchObject({ facts: [] })
    expect(editDraft(ready, { startOn: "2026-02-01" }, { ...nobody, members: true })).toMatchObject({
      value: { startOn: "2026-02-01", version: 2 },
      facts: [{ type: "DraftStartMoved", from: "2026-01-01", to: "2026-02-01" }],
    })
  })

  test("an active policy's new premium has a first day, and today's premium applies until then", () => {
    const same = { ...terms, waitingPeriodMonths: 0 }
    expect(editCoverage(active, { ...same, premiumCents: 40_000 }, "2026-11-02")).toMatchObject({
      value: { premiumCents: 35_000, waitingPeriodMonths: 0 },
      premium: { premiumCents: 40_000, from: "2026-12-01" },
      terms: [],
      facts: [{ before: { premiumCents: 35_000 }, after: { premiumCents: 40_000, premiumFromOn: "2026-12-01" } }],
    })
    expect(editCoverage(active, { ...same, premiumCents: 35_000 }, "2026-11-02")).toMatchObject({ premium: null })
    expect(editCoverage(ready, { ...terms, premiumCents: 40_000 }, "2026-11-02")).toMatchObject({
      value: { premiumCents: 40_000, waitingPeriodMonths: 3 },
      ...{ premium: null, terms: [] },
    })
  })

  test("an active policy's sum assured and waiting period have separate first days", () => {
    const values = { ...terms, premiumCents: 35_000, sumAssuredCents: 900_00 }
    const edited = editCoverage(active, { ...values, waitingPeriodFromOn: "2026-03-01" }, "2026-11-02")
    expect(edited).toMatchObject({
      value: { sumAssuredCents: null, waitingPeriodMonths: 0 },
      premium: null,
      terms: [
        { term: "sum assured", sumAssuredCents: 900_00, from: "2026-12-01" },
        { term: "waiting period", waitingPeriodMonths: 3, from: "2026-03-01" },
      ],
      facts: [
        {
          before: { sumAssuredCents: null, waitingPeriodMonths: 0 },
          after: {
            ...{ sumAssuredCents: 900_00, sumAssuredFromOn: "2026-12-01" },
            ...{ waitingPeriodMonths: 3, waitingPeriodFromOn: "2026-03-01" },
          },
        },
      ],
    })
    expect(editCoverage(active, { ...values, sumAssuredFromOn: "2025-12-31" }, "2026-11-02")).toMatchObject({
      refused: "INVALID",
      data: { fields: [{ path: "sumAssuredFromOn", message: "The date is before the start of the policy" }] },
    })
  })

  test("a term equal to today's is recorded again only with a given day", () => {
    const same = { ...terms, premiumCents: 35_000, waitingPeriodMonths: 0 }
    expect(editCoverage(active, same, "2026-11-02")).toMatchObject({ terms: [], facts: [] })
    expect(editCoverage(active, { ...same, sumAssuredFromOn: "2027-01-01" }, "2026-11-02")).toMatchObject({
      terms: [{ term: "sum assured", sumAssuredCents: null, from: "2027-01-01" }],
      facts: [{ after: { sumAssuredFromOn: "2027-01-01" } }],
    })
  })

  test("a product type change has a first day on an active policy only", () => {
    const { groupName, description, startOn, endOn } = ready
    const given = { hasMembers: true, productTypes: { before: "Life", after: "Health" }, today: "2026-11-02" }
    const values = { groupName, description, startOn, endOn, productTypeId: "health" }
    expect(editInformation(active, { ...values, productTypeFromOn: "2026-11-15" }, given)).toMatchObject({
      value: { productTypeId: active.productTypeId },
      terms: [{ term: "product type", productTypeId: "health", from: "2026-11-15" }],
      facts: [{ before: { productType: "Life" }, after: { productType: "Health", productTypeFromOn: "2026-11-15" } }],
    })
    expect(editInformation(active, { ...values, productTypeFromOn: "2025-12-31" }, given)).toMatchObject({
      refused: "INVALID",
      data: { fields: [{ path: "productTypeFromOn" }] },
    })
    expect(editInformation(ready, values, given)).toMatchObject({ value: { productTypeId: "health" }, terms: [] })
  })
})

test("a draft opens at its first incomplete step", () => {
  const lacks = (...fields: string[]) => fields.map((field) => ({ field, label: field }))
  expect(firstIncompleteStep(lacks("startOn", "members"))).toBe("details")
  expect(firstIncompleteStep(lacks("members"))).toBe("members")
  expect(firstIncompleteStep([])).toBe("activate")
})

test("the waiting period of a funeral policy is at most six months, or a quarter of its term", () => {
  const problems = (waitingPeriodMonths: number, endOn: string | null, isFuneral = true) =>
    findWaitingErrors({ startOn: "2026-01-01", endOn, waitingPeriodMonths }, { isFuneral }).map(({ path }) => path)
  const refused = ["waitingPeriodMonths"]
  expect([problems(6, null), problems(7, null), problems(7, null, false)]).toEqual([[], refused, []])
  expect([problems(6, "2027-12-31"), problems(6, "2027-12-30")]).toEqual([[], refused])
  expect([problems(3, "2026-12-31"), problems(4, "2026-12-31")]).toEqual([[], refused])
  expect([problems(0, "2026-02-28"), problems(1, "2026-02-28")]).toEqual([[], refused])
})
