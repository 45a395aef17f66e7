import { expect, test } from "vitest"
import { isPhone } from "./phone.ts"
import { optionalPhone } from "./text-shape.ts"

const validNumbers = [
  "0215550100",
  "+27 82 555 0100",
  "(021) 555-0100",
  "5550100",
  "+123456789012345",
  " 082\t555 0100 ",
]
const invalidNumbers = [
  "abc",
  "555010",
  "1234567890123456",
  "082 555 0100 ext 4",
  "27+825550100",
  "021/5550100",
  "+",
  "()-- -",
]

test.each(validNumbers)("%s is a phone number", (text) => {
  expect(optionalPhone.safeParse(text).success).toBe(true)
  expect(isPhone(text.trim().replace("\t", " "))).toBe(true)
})

test.each(invalidNumbers)("%s is not a phone number", (text) => {
  expect(isPhone(text)).toBe(false)
  expect(optionalPhone.safeParse(text).error?.issues[0]?.message).toMatch(/^Enter a phone number of 7 to 15 digits/)
})

test("an empty text is accepted as a phone number", () => {
  expect(optionalPhone.parse("  ")).toBe("")
})
