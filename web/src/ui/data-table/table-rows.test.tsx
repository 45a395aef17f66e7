import { screen, within } from "@testing-library/react"
import { expect, it } from "vitest"
import { openPart } from "../../test/part.tsx"
import { type Column, DataTable } from "../data-table.tsx"
import type { ListPlace, ListSearch } from "../list-address.ts"

interface Row {
  id: string
  name: string
}

it("draws what rows say once, and not again with every row that is selected", async () => {
  let drawn = 0
  const rows: Row[] = ["Ayesha", "Johan", "Lerato"].map((name) => ({ id: name, name }))
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
  const list: ListPlace<ListSearch> = {
    search: { page: 1, pageSize: 25, sort: "name", dir: "asc", search: "" },
    go: () => {},
    clear: () => {},
    filtered: [],
  }
  const { user } = await openPart(() => (
    <DataTable
      name="people"
      noun={{ one: "person", many: "people" }}
      list={list}
      query={() => ({ queryKey: ["people"], queryFn: async () => ({ rows, total: rows.length }) })}
      columns={columns}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      rowLink={({ id }) => ({ to: "/", search: { id } as never })}
      bulkActions={[{ label: "Greet", run: () => {} }]}
      empty={{ title: "Nobody" }}
    />
  ))
  await screen.findByRole("row", { name: /Johan/ })
  const before = drawn
  await user.click(screen.getByRole("checkbox", { name: "Select Johan" }))
  expect(await screen.findByText("1 person selected")).toBeTruthy()
  expect(drawn).toBe(before)
  expect(within(screen.getByRole("row", { name: /Johan/ })).getByRole("checkbox")).toHaveProperty("checked", true)
})
