import { formatMoney } from "@milkwood/domain/kernel/money"
import { expect, it } from "vitest"
import { fieldLabel, valueText } from "./trail-values.ts"

it.each([
  ["totalCents", 5_030_100, "Total", formatMoney(5_030_100, "ZAR")],
  ["totalCents", null, "Total", "–"],
  ["dayFormat", "DD/MM/YYYY", "Day format", "DD/MM/YYYY"],
  ["isOpen", false, "Is open", "No"],
  ["months", 12, "Months", "12"],
  ["lines", [1, 2], "Lines", "[1,2]"],
])("the audit trail shows %s of %j in readable form", (field, value, name, words) => {
  expect([fieldLabel(field), valueText(field, value, "ZAR")]).toEqual([name, words])
})
