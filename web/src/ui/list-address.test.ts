import { list, reference, text as words } from "@milkwood/domain/kernel/list"
import { describe, expect, it } from "vitest"
import { addressChoice } from "./address-choice.ts"
import {
  addressParameters,
  dayReader,
  flagReader,
  listAddress,
  monthReader,
  oneOfReader,
  pageParametersOf,
  textReader,
} from "./list-address.ts"

const declared = list({
  key: "tested",
  noun: { one: "claim", many: "claims" },
  permission: "claims.read",
  order: "-number",
  columns: { number: reference("Claim", { sort: true }), member: words("Member", { sort: true }) },
})
const { validateSearch } = listAddress(
  declared,
  { type: oneOfReader(["death", "medical"]), policyId: textReader, from: dayReader, urgent: flagReader },
  ["all", "pending"],
)
const readAddress = (raw: Record<string, unknown>): Record<string, unknown> => validateSearch(raw as never)

const start = { page: 1, pageSize: 25, sort: "number", dir: "desc", search: "", tab: "all" }

describe("the address of a list", () => {
  it("a list's address defaults to the first page of the first tab, unfiltered", () => {
    expect(readAddress({})).toEqual(start)
  })

  it("a list's address keeps valid parameters", () => {
    const given = {
      page: 3,
      pageSize: 50,
      sort: "member",
      dir: "asc",
      search: "nkosi",
      tab: "pending",
      type: "death",
      policyId: "p1",
      from: "2026-11-01",
      urgent: true,
    }
    expect(readAddress(given)).toEqual(given)
  })

  it.each([
    [{ page: -1 }],
    [{ page: "2; drop" }],
    [{ pageSize: 26 }],
    [{ sort: "password" }],
    [{ dir: "up" }],
    [{ tab: "secret" }],
    [{ type: "flood" }],
    [{ from: "tomorrow" }],
    [{ from: "2026-13-01" }],
    [{ from: "0026-01-01" }],
    [{ urgent: "yes" }],
    [{ unknown: "x" }],
  ])("a list's address drops invalid parameters: %j", (given) => {
    expect(readAddress(given)).toEqual(start)
  })

  it("a list's address reads a numeric search as text", () => {
    expect(readAddress({ search: 8001015009087 })).toMatchObject({ search: "8001015009087" })
  })
})

describe("the address of a page without a list", () => {
  const { validateSearch } = addressParameters({ month: monthReader, asOf: dayReader })
  const read = (raw: Record<string, unknown>) => validateSearch(raw as never)

  it("a page's address keeps valid parameters", () => {
    expect(read({ month: "2026-11", asOf: "2026-11-30" })).toStrictEqual({ month: "2026-11", asOf: "2026-11-30" })
  })

  it.each(["2026-13", "2026-00", "3000-01", 2026, "abc"])("a page's address clears the invalid month %s", (month) => {
    expect(read({ month })).toStrictEqual({ month: undefined, asOf: undefined })
  })
})

describe("a tab in the address", () => {
  const { validateSearch } = addressChoice("tab", ["details", "documents"])
  const choice = (raw: Record<string, unknown>) => validateSearch(raw as never)

  it("an unknown tab in the address defaults to the first tab", () => {
    expect(choice({})).toEqual({ tab: "details" })
    expect(choice({ tab: "documents" })).toEqual({ tab: "documents" })
    expect(choice({ tab: "secrets" })).toEqual({ tab: "details" })
  })
})

describe("the address of another page", () => {
  const ends = { first: "a", last: "b" }
  it("a page's address has a number up to the limit, and a cursor beyond it", () => {
    expect(pageParametersOf({ page: 3 }, 4, ends)).toEqual({ page: 4, after: undefined, before: undefined })
    expect(pageParametersOf({ page: 400 }, 401, ends)).toEqual({ page: 401, after: "b", before: undefined })
    expect(pageParametersOf({ page: 9000 }, 8999, ends)).toEqual({ page: 8999, after: undefined, before: "a" })
    expect(pageParametersOf({ page: 401 }, 400, ends)).toEqual({ page: 400, after: undefined, before: undefined })
  })
  it("the last page's address has a number and no cursor", () =>
    expect(pageParametersOf({ page: 1 }, 8000, undefined)).toEqual({ page: 8000, after: undefined, before: undefined }))
})
