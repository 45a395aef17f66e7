import { expect, test } from "vitest"
import { countryCodes, countryName, isCountry, sortedCountries } from "./country.ts"

test("every country has a name of its own, South Africa is first", () => {
  const sorted = sortedCountries()
  expect(sorted.slice(0, 2).map(({ name }) => name)).toEqual(["South Africa", "Afghanistan"])
  expect(sorted).toHaveLength(249)
  expect(new Set(sorted.map(({ name }) => name)).size).toBe(249)
  expect(countryCodes.filter((code) => countryName(code) === code)).toEqual([])
  expect([isCountry("MZ"), isCountry("mz"), isCountry("XX"), isCountry("")]).toEqual([true, false, false, false])
})
