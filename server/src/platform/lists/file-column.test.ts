import { calendarMonth, money } from "@milkwood/domain/kernel/list"
import { expect, test } from "vitest"
import { fileColumn } from "./file-column.ts"

test("no amount is an empty cell, or the word that the list has for it; nothing is an amount", () => {
  const read = ({ cents }: { cents: number | null }) => cents
  const values = (column: ReturnType<typeof money>) =>
    [{ cents: null }, { cents: 0 }, { cents: 412_50 }].map(
      fileColumn(column, read, { timezone: "Africa/Johannesburg", currency: "ZAR" }).value,
    )
  expect(values(money("Premium"))).toEqual([null, 0, 412.5])
  expect(values(money("Premium", { none: "By rates" }))).toEqual(["By rates", 0, 412.5])
})

test("a month is written by its year and number, none by the word that the list has for it", () => {
  const { kind, value } = fileColumn(calendarMonth("Month", { none: "None" }), (month: string | null) => month, {
    timezone: "Africa/Johannesburg",
    currency: "ZAR",
  })
  expect([kind, value("2026-03-01"), value(null)]).toEqual(["month", "2026-03", "None"])
})
