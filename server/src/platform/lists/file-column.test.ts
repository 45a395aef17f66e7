import { calendarMonth, money } from "@milkwood/domain/kernel/list"
import { expect, test } from "vitest"
import { fileColumn } from "./file-column.ts"

test("a missing amount exports as empty or the column's word; zero exports as an amount", () => {
  const read = ({ cents }: { cents: number | null }) => cents
  const values = (column: ReturnType<typeof money>) =>
    [{ cents: null }, { cents: 0 }, { cents: 412_50 }].map(
      fileColumn(column, read, { timezone: "Africa/Johannesburg", currency: "ZAR" }).value,
    )
  expect(values(money("Premium"))).toEqual([null, 0, 412.5])
  expect(values(money("Premium", { none: "By rates" }))).toEqual(["By rates", 0, 412.5])
})

test("a missing amount exports the row's word, or otherwise the column's word", () => {
  const column = money("Premium", { of: "cents", none: "No premium", noneOf: "why" })
  const { value } = fileColumn(column, ({ cents }: { cents: number | null; why: string | null }) => cents, {
    timezone: "Africa/Johannesburg",
    currency: "ZAR",
  })
  expect(value({ cents: null, why: "No salary" })).toBe("No salary")
  expect(value({ cents: null, why: null })).toBe("No premium")
  expect(value({ cents: 5_00, why: null })).toBe(5)
})

test("a month exports as year and number; a missing one as the column's word", () => {
  const { kind, value } = fileColumn(calendarMonth("Month", { none: "None" }), (month: string | null) => month, {
    timezone: "Africa/Johannesburg",
    currency: "ZAR",
  })
  expect([kind, value("2026-03-01"), value(null)]).toEqual(["month", "2026-03", "None"])
})
