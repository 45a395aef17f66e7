import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Clue, type Evidence, explain, type OpenPolicy, type Part } from "./explain.ts"

const joiners: Clue = { kind: "joiners", cents: -700_00, words: "2 members" }
const leavers: Clue = { kind: "leavers", cents: 350_00, words: "A Nkosi" }
const arrears: Clue = { kind: "arrears", cents: 1_400_00, words: "October" }
const policy: OpenPolicy = {
  ...{ policyNumber: "GP-2026-000001", openCents: 1_500_00, notDueCents: 0, dueOn: null, promise: null, dispute: null },
}
const expectedCents = 10_000_00
const explainParts = (receivedCents: number, evidence: Partial<Evidence>) =>
  explain({ expectedCents, receivedCents }, { facts: [], policies: [], clues: [], ...evidence }, "ZAR")
const explainedKinds = (received: number, evidence: Partial<Evidence>) =>
  explainParts(received, evidence).map(({ kind, cents }) => [kind, cents])

describe("clues", () => {
  const guessed = (received: number, clues: Clue[]) => explainedKinds(received, { clues })

  test("one clue that explains the whole difference is preferred to several", () => {
    const all = [joiners, leavers, { ...joiners, kind: "old_premium", cents: -350_00 } as Clue]
    expect(guessed(9_650_00, all)).toEqual([["old_premium", -350_00]])
  })

  test("several clues can explain a difference together, also with opposite signs", () =>
    expect(guessed(9_650_00, [joiners, leavers])).toEqual([
      ["joiners", -700_00],
      ["leavers", 350_00],
    ]))

  test("the unexplained rest is a bank charge if small", () => {
    expect(guessed(12_000_00, [arrears])).toEqual([
      ["arrears", 1_400_00],
      ["unexplained", 600_00],
    ])
    expect(guessed(9_287_50, [joiners])).toEqual([
      ["joiners", -700_00],
      ["charge", -12_50],
    ])
  })

  test("a clue larger than the difference is used at most in part", () => {
    expect(guessed(9_600_00, [joiners])).toEqual([["unexplained", -400_00]])
    expect(guessed(9_300_00, [{ ...joiners, cents: -3_500_00, each: { cents: -350_00, count: 10 } }])).toEqual([
      ["joiners", -700_00],
    ])
    expect(guessed(10_600_00, [arrears])).toEqual([["arrears", 600_00]])
  })

  test("clues explain nothing if no payment was received", () =>
    expect(guessed(0, [joiners])).toEqual([["not_paid", -10_000_00]]))
})

describe("records", () => {
  const promise = { cents: 500_00, on: "2026-11-06", isBroken: false }
  const dispute = { note: "Two people had left", madeOn: "2026-11-03" }

  test("a promise explains its amount, and a dispute the rest of the policy's difference", () => {
    expect(explainedKinds(8_500_00, { policies: [{ ...policy, promise }] })).toEqual([
      ["promise", -500_00],
      ["unexplained", -1_000_00],
    ])
    expect(explainedKinds(8_500_00, { policies: [{ ...policy, promise, dispute }] })).toEqual([
      ["promise", -500_00],
      ["dispute", -1_000_00],
    ])
    expect(explainedKinds(8_500_00, { policies: [{ ...policy, promise: { ...promise, cents: 9_000_00 } }] })).toEqual([
      ["promise", -1_500_00],
    ])
  })

  test("descriptions name the promise, the dispute and the due day", () =>
    expect(
      explainParts(8_000_00, {
        policies: [
          { ...policy, openCents: 1_000_00, promise },
          { ...policy, policyNumber: "GP-2026-000002", openCents: 500_00, dispute },
          { ...policy, policyNumber: "GP-2026-000003", openCents: 500_00, notDueCents: 500_00, dueOn: "2026-11-30" },
        ],
      }).map(({ kind, words }) => [kind, words.replace(/\s/g, " ")]),
    ).toEqual([
      ["promise", "R 500,00 by 2026-11-06, GP-2026-000001"],
      ["dispute", "“Two people had left”, 2026-11-03, GP-2026-000002"],
      ["not_due", "Due 2026-11-30, GP-2026-000003"],
      ["unexplained", ""],
    ]))

  test("remittance rows of either sign are used unchanged; the rest may be not due yet", () => {
    const facts: Part[] = [
      { kind: "not_listed", cents: -350_00, words: "Thandi Mokoena" },
      { kind: "vat", cents: -52_50, words: "For 1 member missing from the list" },
      { kind: "credit_not_taken", cents: 350_00, words: "Sipho Dube" },
    ]
    expect(
      explainedKinds(0, { facts, policies: [{ ...policy, openCents: 10_000_00, notDueCents: 10_000_00 }] }),
    ).toEqual([
      ["not_listed", -350_00],
      ["vat", -52_50],
      ["credit_not_taken", 350_00],
      ["not_due", -9_947_50],
    ])
  })
})

test("the parts of a difference add up to it exactly, for any evidence", () => {
  const cents = fc.nat(1_000_000)
  const clue = fc.record<Clue>({
    kind: fc.constantFrom("joiners", "leavers", "old_premium", "arrears", "paid_twice"),
    cents: fc.integer({ min: -500_000, max: 500_000 }),
    words: fc.constant(""),
  })
  const fact = fc.record<Part>({
    kind: fc.constantFrom("not_listed", "other_amount", "vat", "written_off"),
    cents: fc.integer({ min: -200_000, max: 200_000 }),
    words: fc.constant(""),
  })
  const owing = fc.record({
    openCents: cents,
    notDueCents: cents,
    promise: fc.option(fc.record({ cents, on: fc.constant("2026-11-06"), isBroken: fc.boolean() })),
    dispute: fc.option(fc.constant({ note: "No", madeOn: "2026-11-03" })),
  })
  fc.assert(
    fc.property(
      cents,
      cents,
      fc.array(clue, { maxLength: 7 }),
      fc.array(fact, { maxLength: 4 }),
      fc.array(owing, { maxLength: 3 }),
      (expected, received, clues, facts, open) => {
        const policies = open.map((one) => ({ ...policy, ...one }))
        const found = explain({ expectedCents: expected, receivedCents: received }, { facts, policies, clues }, "ZAR")
        const sum = found.reduce((all, part) => all + part.cents, 0)
        expect(sum).toBe(received === expected ? 0 : received - expected)
        expect(found.every((part) => part.cents !== 0)).toBe(true)
      },
    ),
  )
})
