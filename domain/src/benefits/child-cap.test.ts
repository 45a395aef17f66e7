import { expect, test } from "vitest"
import { benefitsSettings } from "./benefits-settings.ts"
import { type ChildCap, childCapOn, initialChildCaps, sortChildCaps } from "./child-cap.ts"

const raised: ChildCap = { belowAge: 6, amountCents: 25_000_00, from: "2027-01-01" }
const caps = [raised, ...initialChildCaps]
const child = (age: number | null) => ({ insured: "child", age }) as const

test.each<[number | null, string, number | null]>([
  [0, "2026-12-31", 20_000_00],
  [5, "2026-12-31", 20_000_00],
  [5, "2027-01-01", 25_000_00],
  [6, "2027-01-01", 50_000_00],
  [13, "2027-01-01", 50_000_00],
  [14, "2027-01-01", null],
  [null, "2026-12-31", 20_000_00],
])("the cap of a child of %s years on %s is %s cents", (age, on, amountCents) =>
  expect(childCapOn(caps, child(age), on)?.amountCents ?? null).toBe(amountCents))

test("a cap applies to every dependent of that age, but not to a member", () => {
  expect(childCapOn(caps, { insured: "other", age: 3 }, "2026-12-31")?.amountCents).toBe(20_000_00)
  expect(childCapOn(caps, { insured: "member", age: 3 }, "2026-12-31")).toBeNull()
  expect(childCapOn(caps, { insured: "spouse", age: null }, "2026-12-31")).toBeNull()
})

test("the setting sorts the caps and refuses two for one age and day", () => {
  const { shape } = benefitsSettings.childCoverCaps
  expect(shape.parse([...caps].reverse())).toEqual(sortChildCaps(caps))
  expect(shape.safeParse([raised, { ...raised, amountCents: 1 }]).error?.issues[0]?.message).toBe(
    "There is already a limit for this age from this day",
  )
})
