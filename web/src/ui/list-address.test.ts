import { describe, expect, it } from "vitest"
import { addressChoice } from "./address-choice.ts"
import { aDay, addressOf, flag, oneOf, text } from "./list-address.ts"

const { validateSearch } = addressOf({
  sorts: ["number", "member"],
  defaultSort: "number",
  defaultDir: "desc",
  tabs: ["all", "pending"],
  filters: { type: oneOf(["death", "medical"]), policyId: text, from: aDay, urgent: flag },
})
/** An address is typed by hand, too: anything may stand in it. */
const read = (raw: Record<string, unknown>): Record<string, unknown> => validateSearch(raw as never)

const start = { page: 1, pageSize: 25, sort: "number", dir: "desc", search: "", tab: "all" }

describe("the address of a list", () => {
  it("starts at the first page of the first tab, unfiltered", () => {
    expect(read({})).toEqual(start)
  })

  it("keeps what makes sense", () => {
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
    expect(read(given)).toEqual(given)
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
  ])("drops nonsense: %j", (given) => {
    expect(read(given)).toEqual(start)
  })

  it("reads a search for a number as text", () => {
    expect(read({ search: 8001015009087 })).toMatchObject({ search: "8001015009087" })
  })
})

describe("a tab in the address", () => {
  const { validateSearch } = addressChoice("tab", ["details", "documents"])
  const choice = (raw: Record<string, unknown>) => validateSearch(raw as never)

  it("is the first one unless another one exists by that name", () => {
    expect(choice({})).toEqual({ tab: "details" })
    expect(choice({ tab: "documents" })).toEqual({ tab: "documents" })
    expect(choice({ tab: "secrets" })).toEqual({ tab: "details" })
  })
})
