import { MantineProvider } from "@mantine/core"
import { render, screen } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { expect, it, vi } from "vitest"
import { TableFooter } from "./table-footer.tsx"

const pageCursors = { first: "first", last: "last" }
const rows = Array.from({ length: 25 }, (_, id) => ({ id }))
const search = { pageSize: 25 as const, sort: "name", dir: "asc" as const, search: "" }

function renderFooter(page: number, total: number, capped: boolean) {
  const onGo = vi.fn()
  render(
    <MantineProvider>
      <TableFooter
        search={{ ...search, page }}
        noun={{ one: "member", many: "members" }}
        rows={rows}
        total={total}
        capped={capped}
        ends={pageCursors}
        onGo={onGo}
      />
    </MantineProvider>,
  )
  return { onGo, user: userEvent.setup(), words: () => document.body.textContent?.replace(/\s/g, " ") }
}

it("the footer shows where counting stopped and pages beyond it by cursor", async () => {
  const { onGo, user, words } = renderFooter(400, 10_000, true)
  expect(words()).toContain("9 976–10 000 of 10 000+ members")
  expect(words()).toContain("Page 400 of 400+")
  expect(screen.queryByRole("button", { name: "Last page" })).toBeNull()
  await user.click(screen.getByRole("button", { name: "Next page" }))
  expect(onGo).toHaveBeenLastCalledWith({ page: 401, after: "last", before: undefined })
})

it("the footer of a full count offers the first and last page", async () => {
  const { onGo, user, words } = renderFooter(5000, 200_000, false)
  expect(words()).toContain("of 200 000 members")
  await user.click(screen.getByRole("button", { name: "Previous page" }))
  expect(onGo).toHaveBeenLastCalledWith({ page: 4999, after: undefined, before: "first" })
  await user.click(screen.getByRole("button", { name: "Last page" }))
  expect(onGo).toHaveBeenLastCalledWith({ page: 8000, after: undefined, before: undefined })
  await user.click(screen.getByRole("button", { name: "First page" }))
  expect(onGo).toHaveBeenLastCalledWith({ page: 1, after: undefined, before: undefined })
})
