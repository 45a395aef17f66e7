import { describe, expect, test } from "vitest"
import type { PremiumEvidence } from "../billing/premium-standing.ts"
import { graceOf } from "../collection/grace.ts"
import { addDays } from "../kernel/calendar.ts"
import { type CoverEvidence, coverCheck } from "./claim-cover.ts"

const coveredEvidence: CoverEvidence = {
  incidentOn: "2026-10-20",
  requestedAmountCents: 50_000_00,
  policy: { number: "GP-2026-000001", startOn: "2026-01-01", endOn: "2026-12-31", kind: "active" },
  member: { kind: "covered", since: "2026-01-31" },
  dependent: null,
  coveredSince: "2026-01-31",
  waitingPeriodMonths: 3,
  isFuneral: false,
  causeOfDeath: null,
  premiums: { open: [], unbilled: [], monthsOwed: 10 },
  today: "2026-11-21",
  graceDays: 15,
  limit: {
    limitCents: 60_000_00,
    proposedAmountCents: 50_000_00,
    working: ["R\u00a060\u00a0000,00 maximum cover."],
  },
}
/** The person's cover begins with their own, unless stated otherwise. */
const checkCover = (changes: Partial<CoverEvidence> = {}) => {
  const { since: coveredSince } = changes.dependent ?? changes.member ?? coveredEvidence.member
  return coverCheck({ ...coveredEvidence, coveredSince, ...changes }, "DD-MM-YYYY", "ZAR")
}
const failedLines = (changes: Partial<CoverEvidence>) => checkCover(changes).filter(({ result }) => result !== "pass")

const spouse = { name: "Lerato Nkosi", relationship: "spouse" as const, isCovered: true, since: "2026-06-01" }

test("the check of a dependent's claim reads the member's and the dependent's cover", () => {
  expect(failedLines({ dependent: spouse })).toEqual([])
  const [, member, waiting] = checkCover({ dependent: spouse })
  expect(member!.evidence).toBe("Covered since 31-01-2026. Lerato Nkosi (spouse) covered since 01-06-2026.")
  expect(waiting!.evidence).toBe("3 months from 01-06-2026: incidents are covered from 01-09-2026.")
  expect(failedLines({ dependent: { ...spouse, isCovered: false, since: null } })).toMatchObject([
    { check: "member", evidence: "Covered since 31-01-2026. Lerato Nkosi (spouse) had no cover on 20-10-2026." },
    { check: "waiting", evidence: "Lerato Nkosi's cover had not begun." },
  ])
  expect(failedLines({ dependent: spouse, member: { kind: null, since: "2026-01-31" } })).toMatchObject([
    { check: "member" },
  ])
})

test("the waiting period counts from the first day of the benefit's cover, not from that of the membership", () => {
  const [, , waiting] = checkCover({ dependent: { ...spouse, since: "2025-06-01" }, coveredSince: "2026-01-31" })
  expect(waiting!.evidence).toContain("3 months from 31-01-2026")
})

test("a funeral product has no waiting period for accidental death", () => {
  const waiting = (changes: Partial<CoverEvidence>) => {
    const { result, label, evidence } = checkCover({ incidentOn: "2026-02-10", ...changes })[2]!
    return { result, label, tellsOfAccidents: evidence.endsWith("An accidental death has no waiting period.") }
  }
  const failed = { result: "fail", label: "Fail", tellsOfAccidents: false }
  expect(waiting({ isFuneral: true, causeOfDeath: "accident" })).toEqual({
    ...{ result: "pass", label: "Pass", tellsOfAccidents: true },
  })
  expect(waiting({ isFuneral: true, causeOfDeath: "unknown" })).toEqual({
    ...{ result: "open", label: "Depends on the cause of death", tellsOfAccidents: true },
  })
  expect(waiting({ isFuneral: true, causeOfDeath: "natural" })).toEqual(failed)
  expect(waiting({ isFuneral: true, causeOfDeath: "suicide" })).toEqual(failed)
  expect(waiting({ isFuneral: false, causeOfDeath: "accident" })).toEqual(failed)
  expect(waiting({ isFuneral: true, causeOfDeath: null })).toEqual(failed)
})

test("a covered claim passes all five lines, each with its evidence", () => {
  expect(checkCover().map(({ check, result }) => [check, result])).toEqual([
    ["policy", "pass"],
    ["member", "pass"],
    ["waiting", "pass"],
    ["premiums", "pass"],
    ["maximum", "pass"],
  ])
  expect(checkCover()[2]?.evidence).toBe("3 months from 31-01-2026: incidents are covered from 30-04-2026.")
  expect(checkCover()[4]?.evidence).toBe("R\u00a050\u00a0000,00 requested. R\u00a060\u00a0000,00 maximum cover.")
})

test.each([
  [{ policy: { ...coveredEvidence.policy, kind: null } }, "policy", "was not in force on 20-10-2026"],
  [{ policy: { ...coveredEvidence.policy, kind: "suspended" as const } }, "policy", "was suspended on 20-10-2026"],
  [{ member: { kind: "suspended" as const, since: "2026-01-31" } }, "member", "was suspended on 20-10-2026"],
  [{ member: { kind: "covered" as const, since: "2026-07-21" } }, "waiting", "covered from 21-10-2026"],
  [{ requestedAmountCents: 60_000_01 }, "maximum", "maximum cover"],
  [{ limit: { ...coveredEvidence.limit, limitCents: 49_999_99 } }, "maximum", "requested"],
])("%o fails its own line only", (changes, check, evidence) => {
  const wrong = failedLines(changes)
  expect(wrong.map((line) => line.check)).toEqual([check])
  expect(wrong[0]?.evidence).toContain(evidence)
})

test("an incident on the last day of the waiting period fails", () => {
  const since = { kind: "covered", since: "2026-07-20" } as const
  expect(failedLines({ member: since })).toEqual([])
  expect(failedLines({ member: since, incidentOn: "2026-10-19" }).map(({ check }) => check)).toEqual(["waiting"])
})

test("a member without cover fails both lines that need cover", () =>
  expect(failedLines({ member: { kind: null, since: null } }).map(({ check }) => check)).toEqual(["member", "waiting"]))

test("a claim without a limit passes the maximum", () =>
  expect(failedLines({ limit: { ...coveredEvidence.limit, limitCents: null } })).toEqual([]))

test("a waiting period of 0 months has already ended", () =>
  expect(failedLines({ waitingPeriodMonths: 0, member: { kind: "covered", since: "2026-10-20" } })).toEqual([]))

describe("premiums paid up to the incident date", () => {
  const premiums = (open: PremiumEvidence["open"], unbilled: string[] = [], changes: Partial<CoverEvidence> = {}) => {
    const { result, label, evidence } = checkCover({ premiums: { open, unbilled, monthsOwed: 10 }, ...changes })[3]!
    return [result, label, evidence]
  }
  const invoice = { number: "INV-2026-000063", dueOn: "2026-12-01", openCents: 350_00 }

  test("pass when no invoice is open and every month is billed", () =>
    expect(premiums([])).toEqual(["pass", "Paid", "Paid up to Oct 2026. As at 21-11-2026."]))

  test("an invoice that is not yet due does not fail the cover check", () =>
    expect(premiums([invoice])).toEqual([
      "open",
      "Not yet due",
      "R\u00a0350,00 on INV-2026-000063 due 01-12-2026. As at 21-11-2026.",
    ]))

  test("an incident on the last day of grace is covered; the next day is not", () => {
    for (const today of ["2026-12-16", "2026-12-17", "2027-06-01"])
      expect(premiums([invoice], [], { incidentOn: "2026-12-16", today }).slice(0, 2)).toEqual(["pass", "In grace"])
    expect(premiums([invoice], [], { incidentOn: "2026-12-16", today: "2027-06-01" })[2]).toBe(
      "R\u00a0350,00 on INV-2026-000063 was due 01-12-2026; cover continues until 16-12-2026, so the incident is covered. As at 01-06-2027.",
    )
    expect(premiums([invoice], [], { incidentOn: "2026-12-17", today: "2026-12-17" })).toEqual([
      "fail",
      "Unpaid",
      "Unpaid since 01-12-2026: R\u00a0350,00 on INV-2026-000063. As at 17-12-2026.",
    ])
  })

  test("the last covered day matches the policy's grace period", () => {
    const { coverUntil } = graceOf(invoice.dueOn, "2027-01-01", coveredEvidence.graceDays)!
    const on = (incidentOn: string) => premiums([invoice], [], { incidentOn, today: "2027-01-01" })[0]
    expect([on(coverUntil), on(addDays(coverUntil, 1))]).toEqual(["pass", "fail"])
  })

  test("unbilled months are named and never pass", () => {
    const months = Array.from({ length: 10 }, (_, at) => `2026-${String(at + 1).padStart(2, "0")}-01`)
    expect(premiums([], months)).toEqual(["fail", "Unpaid", "Jan–Oct 2026 not billed. As at 21-11-2026."])
    expect(premiums([], ["2025-12-01", "2026-01-01", "2026-03-01"])[2]).toContain(
      "Dec 2025–Jan 2026, Mar 2026 not billed. As at 21-11-2026.",
    )
  })

  test("the current month may still be unbilled", () =>
    expect(premiums([], ["2026-11-01"])).toEqual(["open", "Not yet due", "Nov 2026 not billed yet. As at 21-11-2026."]))
})
