import { expect, test } from "vitest"
import { countedOpenings, openerCount } from "./document-openings.ts"

const opening = (minute: number, byId: string, documentId = "scan") => ({
  documentId,
  byId,
  by: byId.toUpperCase(),
  at: new Date(Date.UTC(2026, 10, 2, 8, minute)).toISOString(),
})

test("another opening by the same account within ten minutes does not count; other accounts and documents do", () => {
  const openings = [
    opening(0, "ada"),
    opening(4, "ada"),
    opening(5, "ben"),
    opening(6, "ada", "bill"),
    opening(9, "ada"),
    opening(10, "ada"),
    opening(19, "ada"),
  ]
  const counted = countedOpenings(openings)
  expect(counted.map((one) => openings.indexOf(one))).toEqual([0, 2, 3, 5])
  expect(openerCount(counted)).toBe(2)
})
