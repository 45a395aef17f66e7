import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { fc } from "../../test/property.ts"
import { checkZaIdNumber, findZaIdConflict } from "./za-id-number.ts"

const today = "2026-11-20"

describe("checkZaIdNumber", () => {
  it.each([
    ["7503305044089", "1975-03-30", "male", true],
    ["750330 5044 08 9", "1975-03-30", "male", true],
    ["7209170838080", "1972-09-17", "female", true],
    ["5306060050180", "1953-06-06", "female", false],
    ["0002290001003", "2000-02-29", "female", true],
  ])("reads %s", (text, dateOfBirth, gender, citizen) =>
    expect(checkZaIdNumber(text, today)).toMatchObject({ ok: true, dateOfBirth, gender, citizen }))

  it.each([
    ["", "short_id"],
    ["750330504408", "short_id"],
    ["75033050440890", "short_id"],
    ["75033O5044089", "short_id"],
    ["٧٥٠٣٣٠٥٠٤٤٠٨٩", "short_id"],
    ["7413327425086", "impossible_date"],
    ["0102290001001", "impossible_date"],
    ["5306060050883", "citizenship"],
    ["7503305044088", "check_digit"],
    ["8503305044089", "check_digit"],
  ])("refuses %j as %s", (text, reason) => expect(checkZaIdNumber(text, today)).toEqual({ ok: false, reason }))

  it("an ID number's century depends on today's date", () => {
    const idNumber = withCheckDigit("261120500008")
    expect(checkZaIdNumber(idNumber, "2026-11-20")).toMatchObject({ dateOfBirth: "2026-11-20" })
    expect(checkZaIdNumber(idNumber, "2026-11-19")).toMatchObject({ dateOfBirth: "1926-11-20" })
  })
  it("a known date of birth decides an ID number's century", () => {
    const idNumber = withCheckDigit("200101500008")
    expect(checkZaIdNumber(idNumber, today)).toMatchObject({ dateOfBirth: "2020-01-01" })
    expect(checkZaIdNumber(idNumber, today, "1920-01-01")).toMatchObject({ dateOfBirth: "1920-01-01" })
    expect(checkZaIdNumber(idNumber, today, "1930-01-01")).toMatchObject({ dateOfBirth: "2020-01-01" })
  })
  it("an ID number never gives a future date of birth", () =>
    fc.assert(
      fc.property(idDigitsArbitrary(), (digits) => {
        const read = checkZaIdNumber(withCheckDigit(digits), today)
        return (
          !read.ok ||
          (read.dateOfBirth <= today && read.dateOfBirth.slice(2).replaceAll("-", "") === digits.slice(0, 6))
        )
      }),
    ))
  it("the check digit detects any single mistyped digit", () =>
    fc.assert(
      fc.property(idDigitsArbitrary(), fc.nat(12), fc.integer({ min: 1, max: 9 }), (digits, place, shift) => {
        const right = withCheckDigit(digits)
        const wrong = right.slice(0, place) + ((Number(right[place]) + shift) % 10) + right.slice(place + 1)
        return !checkZaIdNumber(wrong, today).ok
      }),
    ))
})

describe("conflictWithZaId", () => {
  const id = { dateOfBirth: "1975-03-30", gender: "male" as const }
  it.each([
    [{}, null],
    [{ dateOfBirth: "1975-03-30", gender: "male" as const }, null],
    [{ gender: "other" as const }, null],
    [{ dateOfBirth: null, gender: null }, null],
    [{ dateOfBirth: "1975-03-31" }, "dob_conflict"],
    [{ gender: "female" as const }, "gender_conflict"],
    [{ dateOfBirth: "1985-03-30", gender: "female" as const }, "dob_conflict"],
  ])("compares an ID number with %j", (typed, conflict) => expect(findZaIdConflict(id, typed)).toBe(conflict))
})

const fixtureFolder = new URL("../../../../shared/fixtures/public/zaid/", import.meta.url)

if (existsSync(fixtureFolder)) {
  describe("ID numbers collected from other projects", () => {
    for (const file of readdirSync(fixtureFolder)) {
      const lines = readFileSync(new URL(file, fixtureFolder), "utf8").split("\n")
      const cases = lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t"))
      it.each(cases)(`${file}: %s is %s according to its source, rechecked %s`, (text, _source, verdict) =>
        expect(checkZaIdNumber(text!, today).ok).toBe(verdict === "valid"))
    }
  })
} else {
  console.info("The collected ID numbers of other projects are not on this machine: not compared")
}

function idDigitsArbitrary() {
  return fc
    .tuple(fc.integer({ min: 0, max: 36_000 }), fc.nat(9999), fc.constantFrom("0", "1"), fc.nat(9))
    .map(([days, sequence, citizenship, eighth]) => {
      const born = Temporal.PlainDate.from("1927-01-01").add({ days }).toString()
      return born.slice(2).replaceAll("-", "") + String(sequence).padStart(4, "0") + citizenship + eighth
    })
}

function withCheckDigit(twelve: string): string {
  const sum = [...twelve].reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1)
    return total + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return twelve + ((10 - (sum % 10)) % 10)
}
