import { Button, Menu } from "@mantine/core"
import { useForm } from "@mantine/form"
import { act, screen, waitFor } from "@testing-library/react"
import { useState } from "react"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"
import { focusedElement, openComponent } from "../test/part.tsx"
import { useConfirm } from "../ui/confirm.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

describe("the focus", () => {
  it.each([
    ["the map of the keys", "?", "Keyboard map"],
    ["the palette", "{Control>}k{/Control}", "Search records and pages"],
  ])("the focus returns to its previous element after %s, also the first time", async (_, key, name) => {
    const { user } = await openPage(app, app.people.manager, "/benefits")
    const columns = await screen.findByRole("button", { name: "Choose columns" })
    columns.focus()
    for (const _time of ["first", "second"]) {
      await user.keyboard(key)
      await screen.findByRole("dialog", { name })
      await waitFor(() => expect(focusedElement()).not.toBe(columns))
      await user.keyboard("{Escape}")
      await waitFor(() => expect(screen.queryByRole("dialog", { name })).toBeNull())
      await waitFor(() => expect(focusedElement()).toBe(columns))
    }
  })

  it("the focus moves to the page after closing a layer opened without a focused element", async () => {
    const { user } = await openPage(app, app.people.manager, "/benefits")
    const search = await screen.findByRole("searchbox")
    search.focus()
    await act(async () => search.blur())
    await user.keyboard("?")
    await screen.findByRole("dialog", { name: "Keyboard map" })
    await user.keyboard("{Escape}")
    await waitFor(() => expect(focusedElement()).toBe(screen.getByRole("main")))
  })

  it("the focus returns to the menu's button after a dialog opened from a menu item", async () => {
    const { user } = await openComponent(function Part() {
      const [opened, setOpened] = useState(false)
      const form = useForm({ initialValues: {} })
      return (
        <>
          <Menu>
            <Menu.Target>
              <Button>More</Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setOpened(true)}>Suspend</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          {opened && (
            <FormDialog
              opened
              title="Suspend"
              submit="Suspend policy"
              form={form}
              onClose={() => setOpened(false)}
              save={async () => {}}
            >
              <input aria-label="Reason" />
            </FormDialog>
          )}
        </>
      )
    })
    const more = screen.getByRole("button", { name: "More" })
    await user.click(more)
    await user.click(await screen.findByRole("menuitem", { name: "Suspend" }))
    await waitFor(() => expect(focusedElement()).toBe(screen.getByLabelText("Reason")))
    await user.keyboard("{Escape}")
    await waitFor(() => expect(focusedElement()).toBe(more))
  })

  it("the focus moves to the page if the pressed button disappears, also after confirming", async () => {
    const { user } = await openComponent(function Part() {
      const confirm = useConfirm()
      const [rows, setRows] = useState(["One", "Two"])
      const remove = (row: string) => setRows((before) => before.filter((other) => other !== row))
      return rows.map((row) => (
        <div key={row}>
          <button type="button" onClick={() => remove(row)}>
            Remove {row}
          </button>
          <button
            type="button"
            onClick={() =>
              void confirm({ title: "Sure?", body: "", confirm: "Remove", action: async () => remove(row) })
            }
          >
            Ask to remove {row}
          </button>
        </div>
      ))
    })
    await user.click(screen.getByRole("button", { name: "Remove One" }))
    await waitFor(() => expect(focusedElement()).toBe(screen.getByRole("main")))
    const ask = screen.getByRole("button", { name: "Ask to remove Two" })
    await user.click(ask)
    await user.click(await screen.findByRole("button", { name: "Cancel" }))
    await waitFor(() => expect(focusedElement()).toBe(ask))
    await user.click(ask)
    await user.click(await screen.findByRole("button", { name: "Remove" }))
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
    await waitFor(() => expect(focusedElement()).toBe(screen.getByRole("main")))
  })

  it("the focus returns to a button that was disabled while busy", async () => {
    let finish = () => {}
    let tell = () => {}
    const { user } = await openComponent(function Part() {
      const [busy, setBusy] = useState(false)
      const [news, setNews] = useState<string>()
      finish = () => setBusy(false)
      tell = () => setNews("Somebody else did something.")
      return (
        <>
          <button type="button" disabled={busy} onClick={() => setBusy(true)}>
            Approve
          </button>
          {news && <p>{news}</p>}
        </>
      )
    })
    const approve = screen.getByRole("button", { name: "Approve" })
    await user.click(approve)
    await act(async () => approve.blur())
    await act(async () => tell())
    expect(focusedElement()).toBe(document.body)
    await act(async () => finish())
    await waitFor(() => expect(focusedElement()).toBe(approve))
  })
})
