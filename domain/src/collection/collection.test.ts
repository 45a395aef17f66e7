import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { addDays, daysBetween } from "../kernel/calendar.ts"
import { calendarStep, lastDueOn } from "./calendar.ts"
import { collectionActionsOf, collectionRate, collectionStatus, owedCents, promiseState } from "./collection.ts"
import { graceOf } from "./grace.ts"
import { statementLines, statementStart } from "./statement.ts"

describe("collection status of a policy", () => {
  test.each([
    [0, 0, 0, "Current"],
    [0, 50, 0, "Current"],
    [50, 0, 1, "Overdue"],
    [50, 1, 1, "Partial"],
    [50, 1, 29, "Partial"],
    [50, 1, 30, "Overdue"],
    [1, 5_000, 120, "Overdue"],
  ] as const)("a policy with %i overdue, %i paid, %i days late is %s", (overdueCents, paidOfOverdueCents, daysLate, status) =>
    expect(collectionStatus({ overdueCents, paidOfOverdueCents, daysLate })).toBe(status))
  test("collection rate is rounded, and null if nothing was expected", () => {
    expect([collectionRate(1, 3), collectionRate(1, 8), collectionRate(5, 4), collectionRate(5, 0)]).toEqual([
      33,
      13,
      125,
      null,
    ])
  })
  test("credit reduces the amount owed; a reminder needs an address and a debt", () => {
    expect(owedCents({ outstandingCents: 100, creditCents: 150 })).toBe(0)
    const policy = { phone: "021", contactEmail: "a@b.example", owedCents: 60 }
    expect(collectionActionsOf(policy, true)).toEqual(["call", "remind"])
    expect(collectionActionsOf({ ...policy, owedCents: 0 }, true)).toEqual(["call"])
    expect(collectionActionsOf({ ...policy, phone: "", contactEmail: "" }, true)).toEqual([])
    expect(collectionActionsOf(policy, false)).toEqual([])
  })
})

test("a promise is open through its day, then broken, and kept once fully received", () => {
  const promise = { amountCents: 100, on: "2026-11-06", receivedCents: 99 }
  expect(promiseState(promise, "2026-11-06")).toBe("open")
  expect(promiseState(promise, "2026-11-07")).toBe("broken")
  expect(promiseState({ ...promise, receivedCents: 100 }, "2026-12-07")).toBe("kept")
})

test("the grace period starts the day after the due day and lasts the configured days", () => {
  expect(graceOf(null, "2026-11-02", 15)).toBeNull()
  expect(graceOf("2026-11-02", "2026-11-02", 15)).toBeNull()
  const first = graceOf("2026-11-01", "2026-11-02", 15)
  expect(first).toEqual({
    nonPaymentOn: "2026-11-02",
    noticeDueOn: "2026-11-16",
    coverUntil: "2026-11-16",
    daysLeft: 15,
    isOver: false,
  })
  expect(graceOf("2026-11-01", "2026-11-16", 15)).toMatchObject({ daysLeft: 1, isOver: false })
  expect(graceOf("2026-11-01", "2026-11-17", 15)).toMatchObject({ daysLeft: 0, isOver: true })
  expect(graceOf("2026-11-01", "2026-11-02", 0)).toMatchObject({ isOver: true })
})

describe("monthly tasks", () => {
  test("the last due day is at most a month ago, on the configured day", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000 }),
        fc.integer({ min: 1, max: 28 }),
        fc.integer({ min: 0, max: 1 }),
        (ahead, day, after) => {
          const today = addDays("2026-01-31", ahead)
          const due = lastDueOn(today, day, after)
          expect(due <= today && daysBetween(due, today) < 31).toBe(true)
          expect(Number(addDays(due, -after).slice(8))).toBe(day)
        },
      ),
    )
  })
  test("a monthly task runs on its day or late, never before installation or while off", () => {
    const due = { dueOn: "2026-11-20", isOn: true, hasRecord: true }
    expect(calendarStep(due, "2026-11-20")).toBe("run")
    expect(calendarStep(due, "2026-11-25")).toBe("run")
    expect(calendarStep({ ...due, hasRecord: false }, "2026-11-20")).toBe("run")
    expect(calendarStep({ ...due, hasRecord: false }, "2026-11-21")).toBe("begin")
    expect(calendarStep({ ...due, isOn: false }, "2026-11-20")).toBe("leave")
  })
})

test("a statement's balance starts at the opening balance", () => {
  const movement = { entryId: "e", on: "2026-11-02", kind: "invoice" as const, description: "", record: null }
  const lines = statementLines(10, [
    { ...movement, cents: 100 },
    { ...movement, cents: -120 },
  ])
  expect(lines.map(({ chargeCents, paymentCents, balanceCents }) => [chargeCents, paymentCents, balanceCents])).toEqual(
    [
      [100, 0, 110],
      [0, 120, -10],
    ],
  )
  expect(statementStart("2026-11-22", null)).toBe("2026-08-01")
  expect(statementStart("2026-11-22", "2026-03-15")).toBe("2026-03-01")
})
