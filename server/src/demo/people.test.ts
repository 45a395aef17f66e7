import { expect, test } from "vitest"
import { demoGroups } from "./people.ts"

test("every employer of the demo has its own HR users and signatory", () => {
  const names = demoGroups.flatMap(({ office }) => Object.values(office))
  expect(new Set(names).size).toBe(3 * demoGroups.length)
})
