import { expect, test } from "vitest"
import { assignColumn } from "./header-words.ts"

interface Columns {
  name?: number
  amount?: number
}

test.each<[string, Columns, "name" | "amount", number | null, Columns]>([
  ["a column is given to a field", {}, "amount", 1, { amount: 1 }],
  ["a column that stood for another field leaves it", { name: 0, amount: 1 }, "amount", 0, { amount: 0 }],
  ["clearing a field leaves the first column where it is", { name: 0, amount: 1 }, "amount", null, { name: 0 }],
  ["the same again changes nothing", { name: 0, amount: 1 }, "name", 0, { name: 0, amount: 1 }],
])("%s", (_what, before, field, column, after) => expect(assignColumn(before, field, column)).toEqual(after))
