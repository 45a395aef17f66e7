import { describe, expect, it } from "vitest"
import { z } from "zod"
import { choice, list, money, reference, text } from "./list.ts"
import { listInput, listOutput } from "./list-shape.ts"

const declared = list({
  key: "tested",
  noun: { one: "thing", many: "things" },
  permission: "members.read",
  order: "name",
  filters: { status: choice("Status", ["on", "off"], { on: "On", off: "Off" }) },
  columns: {
    name: text("Name", { sort: true }),
    number: reference("Number", { sort: true }),
    sum: money("Sum", { of: "sumCents" }),
  },
  sums: ["sumCents"],
})
const input = listInput(declared)

describe("a list", () => {
  it("a list has default parameters", () =>
    expect(input.parse({})).toEqual({ page: 1, pageSize: 25, sort: "name", dir: "asc", search: "" }))
  it("a list accepts page, size, sort, direction, a trimmed search and its own filters", () =>
    expect(
      input.parse({ page: 3, pageSize: 100, sort: "number", dir: "desc", search: "  Müller ", status: "on" }),
    ).toEqual({ page: 3, pageSize: 100, sort: "number", dir: "desc", search: "Müller", status: "on" }))
  it.each([
    { page: 0 },
    { page: 1.5 },
    { pageSize: 30 },
    { pageSize: 1_000_000 },
    { sort: "password" },
    { dir: "up" },
    { search: "x".repeat(201) },
    { status: "maybe" },
  ])("refuses %j", (asked) => expect(input.safeParse(asked).success).toBe(false))
  it("a list's output has rows, their total, sums and extra fields", () => {
    const output = listOutput(declared, z.object({ name: z.string() }), { asOf: z.string() })
    const answer = {
      rows: [{ name: "a" }],
      ends: null,
      total: 1,
      totalIsCapped: false,
      counts: {},
      cappedTabs: [],
      sums: { sumCents: 5 },
      filteredBy: {},
      asOf: "2026-11-02",
    }
    expect(output.parse(answer)).toEqual(answer)
    expect(output.safeParse({ ...answer, asOf: undefined }).success).toBe(false)
    expect(output.safeParse({ ...answer, sums: {} }).success).toBe(false)
  })
})
