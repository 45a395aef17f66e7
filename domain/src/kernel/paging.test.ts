import { describe, expect, it } from "vitest"
import { z } from "zod"
import { listInput, listOutput } from "./paging-shape.ts"

const input = listInput({
  sorts: ["name", "number"],
  defaultSort: "name",
  extra: { status: z.enum(["on", "off"]).optional() },
})

describe("a list", () => {
  it("is asked with defaults", () =>
    expect(input.parse({})).toEqual({ page: 1, pageSize: 25, sort: "name", dir: "asc", search: "" }))
  it("takes page, size, sort, direction, a trimmed search and its own filters", () =>
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
  it("answers rows, their number, and what it adds", () => {
    const output = listOutput(z.object({ name: z.string() }), { sumCents: z.int() })
    expect(output.parse({ rows: [{ name: "a" }], total: 1, sumCents: 5 })).toEqual({
      rows: [{ name: "a" }],
      total: 1,
      sumCents: 5,
    })
    expect(output.safeParse({ rows: [], total: 0 }).success).toBe(false)
  })
})
