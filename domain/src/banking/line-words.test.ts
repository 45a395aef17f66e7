import { expect, test } from "vitest"
import { lineWordsOf, moveSurnameFirst, payerOf, referencesIn } from "./line-words.ts"
import { NameIndex } from "./name-index.ts"

const day = "2026-11-05"
const referenceTexts = (text: string) => referencesIn(text, day).map(({ number, slip }) => `${number} ${slip}`)
const firstReferenceText = (text: string) => referenceTexts(text)[0]

test.each([
  ["as it is", "EFT INV-2026-000123"],
  ["without what stands between", "PMTINV2026000123"],
  ["with spaces", "INV 2026 000123"],
  ["with spaces within the number", "INV 2026 000 123"],
  ["with slashes", "INV/2026/000123"],
  ["with O for 0", "INV-2O26-OOO123"],
  ["after words", "INVOICE NO: 2026-000123"],
  ["grown together with a name", "SOWETORETAILINV2026000123"],
  ["in small letters", "inv-2026-000123"],
])("finds an invoice %s", (_, text) => {
  expect(firstReferenceText(text)).toBe("INV-2026-000123 none")
})

test.each([
  ["fewer zeros", "INV-2026-123"],
  ["no zeros, a space", "INV-2026 123"],
  ["no zeros, grown together", "INV2026123"],
  ["no year", "INV 000123"],
  ["no year and no zeros", "INV123"],
  ["no letters", "PREMIUM 2026-000123"],
  ["no letters and no year", "PREMIUM 000123"],
])("finds an invoice with %s and reports what is missing", (_, text) => {
  expect(referenceTexts(text)).toContain("INV-2026-000123 short")
  expect(referenceTexts(text)).not.toContain("INV-2026-000123 none")
})

test("finds a deposit number after DEP, and possible invoice and policy numbers after DEPOSIT", () => {
  expect(referenceTexts("CASH DEP-2026-000123").filter((number) => !number.endsWith("swapped"))).toEqual([
    "DEP-2026-000123 none",
  ])
  expect(referenceTexts("CASH DEPOSIT 2026-000123")).toEqual(
    expect.arrayContaining(["DEP-2026-000123 none", "INV-2026-000123 short", "GP-2026-000123 short"]),
  )
})

test("ranks numbers and years with two swapped digits after exact matches", () => {
  expect(firstReferenceText("INV-2026-000132")).toBe("INV-2026-000132 none")
  expect(referenceTexts("INV-2026-000132")).toContain("INV-2026-000123 swapped")
  expect(referenceTexts("INV2062000123")).toContain("INV-2026-000123 swapped")
})

test("finds several numbers in one text; a short number has the previous one's year", () => {
  expect(referenceTexts("INV-2026-000123 0124")).toEqual(
    expect.arrayContaining(["INV-2026-000123 none", "INV-2026-000124 short"]),
  )
  expect(referenceTexts("GP-2026-000007 + GP-2026-000009")).toEqual(
    expect.arrayContaining(["GP-2026-000007 none", "GP-2026-000009 none"]),
  )
})

test("days, amounts and account numbers are not references", () => {
  expect(referenceTexts("ACB CREDIT 20261105 62000000001 R1,234.50")).toEqual([])
  expect(referenceTexts("PAYMENT 2026 11")).toEqual([])
})

test.each([
  ["FNB APP PAYMENT FROM SOWETO RETAIL (PTY) LTD INV-2026-000123", "SOWETO RETAIL"],
  ["MAGTAPE CREDIT SOWETO RETAIL OCT 2026", "SOWETO RETAIL"],
  ["ACB CREDIT SOWETO RETAIL 2 GP-2026-000001", "SOWETO RETAIL 2"],
  ["CREDIT TRANSFER INV-2026-000123", ""],
])("reads the payer of %s as “%s”", (text, payer) => {
  expect(payerOf(text)).toBe(payer)
})

test.each([
  ["SOWETO RETAIL PTY LTD", "Soweto Retail (Pty) Ltd", "whole"],
  ["SOWETORETAILINV2026000123", "Soweto Retail (Pty) Ltd", "whole"],
  ["ACB CREDIT SOWETO RETA", "Soweto Retail CC", "begun"],
  ["KAROO RETAIL", "Karoo Retail Co-operative Ltd", "whole"],
  ["EFT SOWETO BAKERY", "Soweto Retail CC", null],
  ["EFT ABCD TRADING", "ABC CC", null],
  ["EFT ABC TRADING", "ABC CC", "whole"],
])("the text %s names %s: %s", (text, name, named) => {
  const names = new NameIndex([{ name, value: "it" }])
  expect(names.find(lineWordsOf({ text, reference: "", day }))[0]?.named ?? null).toBe(named)
})

test("prefers the longest of similar names and ignores a shared beginning", () => {
  const some = ["Soweto Retail CC", "Soweto Retail 2 (Pty) Ltd", "Cape Citrus"]
  const among = (names: string[]) => {
    const index = new NameIndex(names.map((name) => ({ name, value: name })))
    return (text: string) => index.find(lineWordsOf({ text, reference: "", day })).map(({ value }) => value)
  }
  const found = among(some)
  expect(found("EFT SOWETO RETAIL INV-2026-000123")).toEqual(["Soweto Retail CC"])
  expect(found("EFT SOWETO RETAIL 2 INV-2026-000123")).toEqual(["Soweto Retail 2 (Pty) Ltd"])
  expect(found("CAPECITRUS AND SOWETO RETAIL")).toEqual(["Cape Citrus", "Soweto Retail CC"])
  expect(found("EFT SOWETO RETA")).toEqual(["Soweto Retail CC", "Soweto Retail 2 (Pty) Ltd"])
  const more = [3, 4, 5, 6, 7, 8].map((nth) => `Soweto Retail ${nth}`)
  expect(among([...some, ...more])("EFT SOWETO RETA")).toEqual([])
})

test("matches a name written surname first only if the text has all of it", () => {
  const index = new NameIndex(
    ["Nomsa Radebe", "Zuma Holdings", "Soweto Retail (Pty) Ltd"].map((name) => ({ name, value: name })),
  )
  const find = (text: string) => index.find(lineWordsOf({ text, reference: "", day: "2026-11-05" }))
  expect(find("EFT RADEBE NOMSA PREMIUM")).toEqual([{ value: "Nomsa Radebe", named: "whole" }])
  expect(find("EFT NOMSA RADEBE")).toEqual([{ value: "Nomsa Radebe", named: "whole" }])
  expect(find("EFT ACACIA HOLDINGS")).toEqual([])
  expect(find("EFT RETAIL SOWETO")).toEqual([])
  expect(moveSurnameFirst("Jan van der Merwe")).toBe("van der Merwe Jan")
})
