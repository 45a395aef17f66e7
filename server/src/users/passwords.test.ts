import { expect, test } from "vitest"
import { hashPassword, scryptParameters, verifyPassword } from "./passwords.ts"

test("a password stored with an older cost still verifies", async () => {
  const stored =
    "scrypt:1024:16:BwcHBwcHBwcHBwcHBwcHBw==:KIReQtlH5qw79vx8zCGjJkgZgtGaEEXSLmvPjjUwZ1XkUZiToLRlnS+G5iMlgP92eklnF5NFp8qzG8xUjnDSUw=="
  expect(await verifyPassword(stored, "Jacaranda-77-avenue")).toBe(true)
  expect(await verifyPassword(stored, "Jacaranda-77-avenuf")).toBe(false)
})

test("a hash records its cost, and two hashes of one password differ", async () => {
  scryptParameters.cost = 16
  const [first, second] = await Promise.all([hashPassword("é"), hashPassword("é")])
  expect(first).not.toBe(second)
  expect(first).toMatch(/^scrypt:16:16:/)
  // The same letter in decomposed form, as another keyboard may send it.
  expect(await verifyPassword(first, "e\u0301")).toBe(true)
})
