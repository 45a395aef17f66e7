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

test("a missing amount reads as the row says, or as the column does where the row says nothing", () => {
  const column = money("Premium", { of: "cents", none: "No premium", noneOf: "why" })
  const { value } = fileColumn(column, ({ cents }: { cents: number | null; why: string | null }) => cents, {
    timezone: "Africa/Johannesburg",
    currency: "ZAR",
  })
  expect(value({ cents: null, why: "No salary" })).toBe("No salary")
  expect(value({ cents: null, why: null })).toBe("No premium")
  expect(value({ cents: 5_00, why: null })).toBe(5)
})

test("a month is written by its year and number, none by the word that the list has for it", () => {
  const { kind, value } = fileColumn(calendarMonth("Month", { none: "None" }), (month: string | null) => month, {
    timezone: "Africa/Johannesburg",
    currency: "ZAR",
  })
  expect([kind, value("2026-03-01"), value(null)]).toEqual(["month", "2026-03", "None"])
})
