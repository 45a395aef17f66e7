import { expect, test } from "vitest"
import { type CoverEvidence, coverCheck } from "./claim-cover.ts"

const covered: CoverEvidence = {
  incidentOn: "2026-10-20",
  requestedAmountCents: 50_000_00,
  policy: { number: "GP-2026-000001", startOn: "2026-01-01", endOn: "2026-12-31", kind: "active" },
  member: { kind: "covered", since: "2026-01-31" },
  waitingPeriodMonths: 3,
  premiums: { invoiced: true, outstandingCents: 0, unpaidNumbers: [] },
  maxCoverCents: 60_000_00,
  coverPercentage: 80,
}
const lines = (changes: Partial<CoverEvidence> = {}) => coverCheck({ ...covered, ...changes }, "DD-MM-YYYY")
const failed = (changes: Partial<CoverEvidence>) => lines(changes).filter(({ passed }) => !passed)

test("a claim in cover passes all five lines, each with its evidence", () => {
  expect(lines().map(({ check, passed }) => [check, passed])).toEqual([
    ["policy", true],
    ["member", true],
    ["waiting", true],
    ["premiums", true],
    ["maximum", true],
  ])
  // 31 January and three months is the last day of April.
  expect(lines()[2]?.evidence).toBe("3 months from 31-01-2026: over on 30-04-2026.")
  expect(lines()[4]?.evidence).toBe(
    "R\u00a050\u00a0000,00 requested, R\u00a060\u00a0000,00 maximum cover (cover percentage 80\u00a0%).",
  )
})

test.each([
  [{ policy: { ...covered.policy, kind: null } }, "policy", "was not in force on 20-10-2026"],
  [{ policy: { ...covered.policy, kind: "suspended" as const } }, "policy", "was suspended on 20-10-2026"],
  [{ member: { kind: "suspended" as const, since: "2026-01-31" } }, "member", "was suspended on 20-10-2026"],
  [{ member: { kind: "covered" as const, since: "2026-07-21" } }, "waiting", "over on 21-10-2026"],
  [
    { premiums: { invoiced: true, outstandingCents: 350_00, unpaidNumbers: ["INV-2026-000001"] } },
    "premiums",
    "outstanding on INV-2026-000001",
  ],
  [
    { premiums: { invoiced: false, outstandingCents: 0, unpaidNumbers: [] } },
    "premiums",
    "No premium invoice for 2026-10",
  ],
  [{ requestedAmountCents: 60_000_01 }, "maximum", "maximum cover"],
  [{ maxCoverCents: 0 }, "maximum", "gives no cover amount"],
])("%o fails its own line only", (changes, check, evidence) => {
  const wrong = failed(changes)
  expect(wrong.map((line) => line.check)).toEqual([check])
  expect(wrong[0]?.evidence).toContain(evidence)
})

test("the last day of the waiting period is not over, the next is", () => {
  const since = { kind: "covered", since: "2026-07-20" } as const
  expect(failed({ member: since })).toEqual([])
  expect(failed({ member: since, incidentOn: "2026-10-19" }).map(({ check }) => check)).toEqual(["waiting"])
})

test("a member without cover fails both lines that need it", () =>
  expect(failed({ member: { kind: null, since: null } }).map(({ check }) => check)).toEqual(["member", "waiting"]))

test("no waiting period is over at once", () =>
  expect(failed({ waitingPeriodMonths: 0, member: { kind: "covered", since: "2026-10-20" } })).toEqual([]))
