import { screen, within } from "@testing-library/react"
import { useState } from "react"
import { afterEach, expect, it, vi } from "vitest"
import { openComponent } from "../../test/part.tsx"
import { type Column, DataTable } from "../data-table.tsx"
import type { ListPlace, ListSearch } from "../list-address.ts"

interface Row {
  id: string
  name: string
}

const list: ListPlace<ListSearch> = {
  search: { page: 1, pageSize: 25, sort: "name", dir: "asc", search: "" },
  go: () => {},
  clear: () => {},
  filtered: [],
}
const nameColumns: Column<Row>[] = [{ key: "name", header: "Name", cell: ({ name }) => name }]
const rows: Row[] = ["Ayesha", "Johan", "Lerato"].map((name) => ({ id: name, name }))
const people = {
  name: "people",
  noun: { one: "person", many: "people" },
  list,
  query: () => ({ queryKey: ["people"], queryFn: async () => ({ rows, total: rows.length }) }),
  rowId: ({ id }: Row) => id,
  rowName: ({ name }: Row) => name,
  empty: { title: "Nobody" },
}

afterEach(() => {
  vi.restoreAllMocks()
})

it("a row's menu offers current actions even if the row did not render again", async () => {
  function PeopleTable() {
    const [greeting, setGreeting] = useState("Greet")
    return (
      <>
        <button type="button" onClick={() => setGreeting("Say goodbye")}>
          Later
        </button>
        <DataTable
          {...people}
          columns={nameColumns}
          rowActions={(row) => (row.id === "Johan" ? [] : [{ label: greeting, onClick: () => {} }])}
        />
      </>
    )
  }
  const { user } = await openComponent(() => <PeopleTable />)
  await screen.findByRole("row", { name: /Johan/ })
  expect(screen.queryByRole("button", { name: "Actions for Johan" })).toBeNull()
  await user.click(screen.getByRole("button", { name: "Later" }))
  await user.click(screen.getByRole("button", { name: "Actions for Lerato" }))
  expect(await screen.findByRole("menuitem", { name: "Say goodbye" })).toBeTruthy()
})

it("the header checkbox is checked, mixed or empty", async () => {
  const { user } = await openComponent(() => (
    <DataTable {...people} columns={nameColumns} bulkActions={[{ label: "Greet", run: () => {} }]} />
  ))
  const all = await screen.findByRole<HTMLInputElement>("checkbox", { name: "Select all people on this page" })
  await user.click(screen.getByRole("checkbox", { name: "Select Johan" }))
  expect([all.checked, all.indeterminate]).toEqual([false, true])
  await user.click(all)
  expect([all.checked, all.indeterminate]).toEqual([true, false])
  expect(await screen.findByText("3 people selected")).toBeTruthy()
  await user.click(all)
  expect([all.checked, all.indeterminate]).toEqual([false, false])
})

it("selecting a row does not render the cells of other rows", async () => {
  let drawn = 0
  const columns: Column<Row>[] = [
    {
      key: "name",
      header: "Name",
      cell: ({ name }) => {
        drawn++
        return name
      },
    },
  ]
  const { user } = await openComponent(() => (
    <DataTable
      {...people}
      columns={columns}
      rowLink={({ id }) => ({ to: "/", search: { id } as never })}
      bulkActions={[{ label: "Greet", run: () => {} }]}
    />
  ))
  await screen.findByRole("row", { name: /Johan/ })
  const before = drawn
  await user.click(screen.getByRole("checkbox", { name: "Select Johan" }))
  expect(await screen.findByText("1 person selected")).toBeTruthy()
  expect(drawn).toBe(before)
  expect(within(screen.getByRole("row", { name: /Johan/ })).getByRole("checkbox")).toHaveProperty("checked", true)
})

it("a list whose rows have no link is shown on a phone", async () => {
  const desk = window.matchMedia
  vi.spyOn(window, "matchMedia").mockImplementation((query) =>
    Object.assign(desk(query), { matches: query.includes("max-width") }),
  )
  await openComponent(() => (
    <DataTable
      {...people}
      columns={nameColumns}
      rowLink={({ id }) => (id === "Johan" ? { to: "/", search: { id } as never } : undefined)}
    />
  ))
  const cards = within(await screen.findByRole("list", { name: "people" }))
  expect(cards.getByText("Ayesha").closest("a")).toBeNull()
  expect(cards.getByRole("link").textContent).toBe("Johan")
})
