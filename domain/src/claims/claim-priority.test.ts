import { expect, test } from "vitest"
import { assigneeName, claimPriority, daysWaiting, pendingState } from "./claim-priority.ts"

const claim = { claimType: "medical", requestedAmountCents: 1_00, waitingDays: 0 } as const

test.each([
  [{ claimType: "death" }, "Urgent"],
  [{ waitingDays: 8 }, "Urgent"],
  [{ waitingDays: 7 }, "High"],
  [{ claimType: "disability" }, "High"],
  [{ requestedAmountCents: 100_000_00 }, "High"],
  [{ requestedAmountCents: 99_999_99 }, "Medium"],
  [{ waitingDays: 4 }, "High"],
  [{ waitingDays: 3 }, "Medium"],
  [{}, "Medium"],
] as const)("a claim with %o has priority %s", (changes, priority) =>
  expect(claimPriority({ ...claim, ...changes })).toBe(priority))

test("waiting days change at midnight in the organisation's time zone", () => {
  expect(daysWaiting("2026-11-01T22:30:00Z", "2026-11-02", "Africa/Johannesburg")).toBe(0)
  expect(daysWaiting("2026-11-01T21:30:00Z", "2026-11-02", "Africa/Johannesburg")).toBe(1)
  expect(daysWaiting("2026-11-01T22:30:00Z", "2026-11-02", "UTC")).toBe(1)
})

test("a pending claim's state depends on its status and requested documents", () => {
  expect(pendingState({ status: "submitted", requestedDocuments: [] })).toBe("Pending Review")
  expect(pendingState({ status: "submitted", requestedDocuments: ["other"] })).toBe("Documentation Required")
  expect(pendingState({ status: "under_review", requestedDocuments: [] })).toBe("Under Assessment")
  expect(pendingState({ status: "pending_underwriter", requestedDocuments: [] })).toBe("Under Assessment")
})

test("a pending claim is assigned to its stage's role, or else to the reviewing manager", () => {
  expect(assigneeName("pending_policy_holder", "Max")).toBe("Policy holder")
  expect(assigneeName("under_review", "Max")).toBe("Max")
  expect(assigneeName("submitted", null)).toBe("Unassigned")
})
