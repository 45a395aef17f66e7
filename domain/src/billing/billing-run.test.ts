import { describe, expect, test } from "vitest"
import { isRefusal } from "../kernel/refusal.ts"
import {
  type BillingRun,
  type BillingRunStatus,
  billingRunActionsOf,
  billingRunLifecycle,
  billingRunStatuses,
  type RunCounts,
} from "./billing-run.ts"
import {
  cancelRun,
  checkRunMonth,
  continueBillingRun,
  excludePolicies,
  finish,
  finishPreview,
  make,
  preview,
  sendAll,
} from "./billing-run-steps.ts"
import { billOf, type DifferenceToBill, joinCreditReasons } from "./run-bill.ts"

const now = Temporal.Instant.from("2026-11-02T08:00:00Z")
const createRun = (status: BillingRunStatus): BillingRun => ({
  ...{ id: "r", number: "RUN-2026-000001", month: "2026-11-01", status, outcome: null, jobId: null, createdBy: null },
  ...{ createdAt: "", previewedAt: null, makingAt: null, madeAt: null, cancelledAt: null, version: 1 },
})
const someCounts: RunCounts = { waiting: 2, made: 1, parked: 1, nothing: 0, left_out: 0, unsent: 3, unmailed: 1 }
const finishedCounts: RunCounts = { waiting: 0, made: 4, parked: 0, nothing: 0, left_out: 0, unsent: 0, unmailed: 0 }

const transitionTable = {
  preview: { previewing: "previewing", previewed: "previewing" },
  finishPreview: { previewing: "previewed" },
  leaveOut: { previewed: "previewed" },
  make: { previewed: "making" },
  continue: { making: "making", made: "making" },
  finish: { making: "made" },
  send: { made: "made" },
  cancel: { previewing: "cancelled", previewed: "cancelled" },
} as Record<string, Partial<Record<BillingRunStatus, BillingRunStatus>>>

const steps = {
  preview: (of: BillingRun) => preview(of, "j"),
  finishPreview: (of: BillingRun) => finishPreview(of, now),
  leaveOut: (of: BillingRun) => excludePolicies(of, ["p"], true),
  make: (of: BillingRun) => make(of, { outcome: "draft", jobId: "j" }, someCounts, now),
  continue: (of: BillingRun) => continueBillingRun(of, "j", someCounts),
  finish: (of: BillingRun) => finish(of, someCounts, now),
  send: (of: BillingRun) => sendAll(of, "j", someCounts),
  cancel: (of: BillingRun) => cancelRun(of, now),
}

describe.each(Object.keys(transitionTable) as (keyof typeof steps)[])("%s", (action) => {
  test.each(billingRunStatuses)("a run that starts from %s follows the status table", (status) => {
    const to = transitionTable[action]![status]
    expect(billingRunLifecycle.next(status, action)).toBe(to ?? null)
    const done = steps[action](createRun(status))
    if (to) expect(done).toMatchObject({ value: { status: to, version: 2 } })
    else expect(done).toMatchObject({ refused: "WRONG_STATUS" })
  })
})

test("a run step is neither offered nor possible with nothing to bill or send", () => {
  expect(make(createRun("previewed"), { outcome: "sent", jobId: "j" }, finishedCounts, now)).toMatchObject({
    refused: "NOTHING_TO_BILL",
  })
  expect(continueBillingRun(createRun("made"), "j", finishedCounts)).toMatchObject({ refused: "NOTHING_TO_BILL" })
  expect(sendAll(createRun("made"), "j", finishedCounts)).toMatchObject({ refused: "NOTHING_TO_SEND" })
  expect(sendAll(createRun("made"), "j", { ...finishedCounts, unmailed: 2 })).toMatchObject({
    facts: [{ type: "BillingRunSending", invoices: 0, creditNotes: 2 }],
  })
  expect(sendAll(createRun("made"), "j", { ...finishedCounts, unmailed: 2 }, false)).toMatchObject({
    refused: "NOTHING_TO_SEND",
  })
  expect(billingRunActionsOf(createRun("made"), { ...finishedCounts, unmailed: 2 }, "manager")).toEqual(["send"])
  expect(billingRunActionsOf(createRun("made"), finishedCounts, "manager")).toEqual([])
  expect(billingRunActionsOf(createRun("made"), someCounts, "manager")).toEqual(["continue", "send"])
  expect(billingRunActionsOf(createRun("previewed"), someCounts, "manager")).toEqual([
    "preview",
    "leaveOut",
    "make",
    "cancel",
  ])
  expect(billingRunActionsOf(createRun("previewed"), someCounts, "underwriter")).toEqual([])
})

test("the next month can be billed, but no later month", () => {
  expect(checkRunMonth("2026-12-17", "2026-11-30")).toBe("2026-12-01")
  expect(checkRunMonth("2025-01-31", "2026-11-30")).toBe("2025-01-01")
  expect(isRefusal(checkRunMonth("2027-01-01", "2026-11-30"))).toBe(true)
})

const wording = { dateFormat: "YYYY-MM-DD", timezone: "Africa/Johannesburg", currency: "ZAR" } as const
const createDifference = (
  memberId: string,
  ...months: [month: string, cents: number, kind: "month" | "joined" | "left"][]
): DifferenceToBill => ({
  memberId,
  firstName: memberId,
  lastName: "Nkosi",
  causes: months.map(([month, cents, kind]) => ({
    ...{ kind, on: kind === "month" ? null : "2026-09-10", premium: null, months: [{ month, cents }] },
    recordedAt: kind === "month" ? null : "2026-10-20T08:00:00Z",
  })),
  months: [...new Set(months.map(([month]) => month))].map((month) => ({
    month,
    cents: months.filter(([of]) => of === month).reduce((sum, [, cents]) => sum + cents, 0),
    vat: { class: "standard", percent: 15 },
    tierId: "t",
    tierName: "Gold",
  })),
})

describe("the bill of a policy", () => {
  test("a bill lists the month's members first, then one line per adjustment with its cause", () => {
    const found = [
      createDifference("Ann", ["2026-10-01", 350_00, "joined"], ["2026-11-01", 350_00, "month"]),
      createDifference("Ben", ["2026-10-01", -350_00, "left"]),
      createDifference("Cat", ["2026-11-01", 350_00, "month"]),
    ]
    const { lines, credits } = billOf(found, "2026-11-01", wording)
    expect(credits).toEqual([])
    expect(lines.map(({ description, unitCents, isAdjustment }) => [description, unitCents, isAdjustment])).toEqual(
      [
        ["Ann Nkosi - Gold", 350_00, false],
        ["Cat Nkosi - Gold", 350_00, false],
        ["Ann Nkosi joined on 2026-09-10, recorded 2026-10-20: October, R\u00a0350,00", 350_00, true],
        ["Ben Nkosi left on 2026-09-10, recorded 2026-10-20: October, R\u00a0-350,00", -350_00, true],
      ].map(([words, ...rest]) => [expect.stringContaining(String(words).split(":")[0]!), ...rest]),
    )
  })

  test("a bill with a zero or negative total invoices positive amounts and credits the rest", () => {
    for (const taken of [-700_00, -350_00]) {
      const found = [
        createDifference("Ann", ["2026-10-01", 350_00, "joined"]),
        createDifference("Ben", ["2026-10-01", taken, "left"]),
      ]
      const { lines, credits } = billOf(found, "2026-11-01", wording)
      expect(lines.map(({ memberId, unitCents }) => [memberId, unitCents])).toEqual([["Ann", 350_00]])
      expect(credits).toMatchObject([{ memberId: "Ben", month: "2026-10-01", cents: -taken }])
    }
  })

  test("a bill credits the net amount of a month with several causes", () => {
    const found = [createDifference("Ben", ["2026-10-01", 50_00, "joined"], ["2026-10-01", -350_00, "left"])]
    const { lines, credits } = billOf(found, "2026-11-01", wording)
    expect(lines).toEqual([])
    expect(credits).toMatchObject([{ cents: 300_00 }])
    expect(credits[0]!.sentences).toHaveLength(2)
  })
})

test("a credit note's reason has one sentence per cause", () => {
  expect(joinCreditReasons(["one", "two"])).toBe("one · two")
  expect(joinCreditReasons(["x".repeat(300), "y".repeat(300)])).toBe(`${"x".repeat(300)} · and 1 more`)
  expect(joinCreditReasons(["x".repeat(600)]).length).toBeLessThanOrEqual(500)
})
