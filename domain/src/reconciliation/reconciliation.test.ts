import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Clue, explain, reconciliationStatus, resolutionsOf } from "./reconciliation.ts"

test.each([
  [100, 100, "Matched"],
  [100, 60, "Shortage"],
  [100, 0, "Missing"],
  [100, 140, "Excess"],
  [0, 40, "Excess"],
  [0, 0, "Matched"],
] as const)("%i expected and %i received is %s", (expectedCents, receivedCents, status) => {
  expect(reconciliationStatus({ expectedCents, receivedCents })).toBe(status)
})

test("what may be done goes by the side of the difference, and by who asks", () => {
  expect(resolutionsOf({ expectedCents: 100, receivedCents: 100 }, true)).toEqual([])
  expect(resolutionsOf({ expectedCents: 100, receivedCents: 40 }, true)).toEqual(["carry_forward", "write_off"])
  expect(resolutionsOf({ expectedCents: 100, receivedCents: 140 }, true)).toContain("refund")
  expect(resolutionsOf({ expectedCents: 100, receivedCents: 140 }, false)).toEqual([])
})

const joiners: Clue = { kind: "joiners", cents: -700_00, words: "2 members joined" }
const leavers: Clue = { kind: "leavers", cents: 350_00, words: "1 member left" }
const arrears: Clue = { kind: "arrears", cents: 1_400_00, words: "October" }

describe("a difference is explained", () => {
  const kinds = (received: number, clues: Clue[]) =>
    explain({ expectedCents: 10_000_00, receivedCents: received }, clues, "ZAR").map(({ kind, cents }) => [kind, cents])

  test("by one clue that comes to all of it, before several that do as well", () => {
    const both = [joiners, leavers, { ...joiners, kind: "old_premium", cents: -350_00 } as Clue]
    expect(kinds(9_650_00, both)).toEqual([["old_premium", -350_00]])
  })

  test("by several that come to it together, also from both sides", () => {
    expect(kinds(9_650_00, [joiners, leavers])).toEqual([
      ["joiners", -700_00],
      ["leavers", 350_00],
    ])
  })

  test("as far as it goes; the rest stands unexplained, or is a bank's charge", () => {
    expect(kinds(12_000_00, [arrears])).toEqual([
      ["arrears", 1_400_00],
      ["unexplained", 600_00],
    ])
    expect(kinds(9_287_50, [joiners])).toEqual([
      ["joiners", -700_00],
      ["charge", -12_50],
    ])
  })

  test("by nothing that is more than it", () => {
    expect(kinds(9_900_00, [joiners])).toEqual([["charge", -100_00]])
    expect(kinds(9_600_00, [joiners])).toEqual([["unexplained", -400_00]])
  })

  test("as not paid where nothing came, whoever joined", () => {
    expect(kinds(0, [joiners])).toEqual([["not_paid", -10_000_00]])
  })

  test("by parts that come to it to the cent, whatever the clues", () => {
    const clue = fc.record<Clue>({
      kind: fc.constantFrom("joiners", "leavers", "old_premium", "arrears", "paid_twice"),
      cents: fc.integer({ min: -500_000, max: 500_000 }),
      words: fc.constant(""),
    })
    const cents = fc.nat(1_000_000)
    fc.assert(
      fc.property(cents, cents, fc.array(clue, { maxLength: 7 }), (expectedCents, receivedCents, clues) => {
        const parts = explain({ expectedCents, receivedCents }, clues, "ZAR")
        expect(parts.reduce((sum, part) => sum + part.cents, 0)).toBe(receivedCents - expectedCents)
        expect(parts.every((part) => part.cents !== 0)).toBe(true)
      }),
    )
  })
})
