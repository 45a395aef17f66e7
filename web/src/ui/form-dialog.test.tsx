import { TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { ORPCError } from "@orpc/client"
import { act, screen, waitFor } from "@testing-library/react"
import { useState } from "react"
import { describe, expect, it, vi } from "vitest"
import { coverPage } from "../platform/keyboard.ts"
import { focusedElement, openComponent } from "../test/part.tsx"
import { DayInput } from "./day-input.tsx"
import { FormDialog } from "./form-dialog.tsx"
import { useCommand } from "./use-command.ts"

async function openDialog({
  save = async () => {},
  onClose,
  submit = "Suspend",
}: {
  save?: () => Promise<unknown>
  onClose?: () => void
  submit?: string
} = {}) {
  const page = await openComponent(function Part() {
    const [opened, setOpened] = useState(true)
    const form = useForm({ initialValues: { reason: "", on: null as string | null } })
    return (
      opened && (
        <FormDialog
          opened
          title="Suspend policy"
          submit={submit}
          form={form}
          save={save}
          onClose={onClose ?? (() => setOpened(false))}
        >
          <TextInput label="Reason" {...form.getInputProps("reason")} />
          <DayInput label="Last day" {...form.getInputProps("on")} />
        </FormDialog>
      )
    )
  })
  const dialog = await screen.findByRole("dialog", { name: "Suspend policy" })
  const reason = screen.getByRole<HTMLInputElement>("textbox", { name: "Reason" })
  await waitFor(() => expect(focusedElement()).toBe(reason))
  return { ...page, dialog, reason }
}

const queryLeaveQuestion = () => screen.queryByRole("dialog", { name: "Leave without saving?" })
const clickOverlay = (user: Awaited<ReturnType<typeof openDialog>>["user"]) =>
  user.click(document.querySelector(".mantine-Modal-overlay")!)

describe("a form dialog without changes", () => {
  it.each([
    ["Escape", (user) => user.keyboard("{Escape}")],
    ["Cancel", (user) => user.click(screen.getByRole("button", { name: "Cancel" }))],
    ["a click beside it", clickOverlay],
  ] satisfies [string, typeof clickOverlay][])("a form dialog without changes is closed by %s", async (_, close) => {
    const { user, dialog } = await openDialog()
    await close(user)
    await waitFor(() => expect(dialog.isConnected).toBe(false))
    expect(queryLeaveQuestion()).toBeNull()
  })
})

describe("a form dialog with changes", () => {
  it.each([
    ["Escape", (user) => user.keyboard("{Escape}")],
    ["Cancel", (user) => user.click(screen.getByRole("button", { name: "Cancel" }))],
    ["the cross", (user) => user.click(screen.getByRole("button", { name: "Close" }))],
  ] satisfies [
    string,
    typeof clickOverlay,
  ][])("a form dialog with changes asks before %s closes it", async (_, close) => {
    const { user, dialog, reason } = await openDialog()
    await user.type(reason, "Unpaid")
    await close(user)
    await user.click(await screen.findByRole("button", { name: "Stay" }))
    await waitFor(() => expect(queryLeaveQuestion()).toBeNull())
    expect(reason.value).toBe("Unpaid")

    await close(user)
    await user.click(await screen.findByRole("button", { name: "Leave without saving" }))
    await waitFor(() => expect(dialog.isConnected).toBe(false))
  })

  it("a form dialog with changes ignores outside clicks; Escape closes only its confirmation", async () => {
    const { user, dialog, reason } = await openDialog()
    await user.type(reason, "Unpaid")
    await clickOverlay(user)
    expect(queryLeaveQuestion()).toBeNull()
    await user.keyboard("{Escape}")
    const stay = await screen.findByRole("button", { name: "Stay" })
    await waitFor(() => expect(focusedElement()).toBe(stay))
    await user.keyboard("{Escape}")
    await waitFor(() => expect(queryLeaveQuestion()).toBeNull())
    expect(dialog.isConnected).toBe(true)
    await waitFor(() => expect(focusedElement()).toBe(reason))
  })

  it("a form dialog asks before discarding an invalid date", async () => {
    const { user } = await openDialog()
    await user.type(screen.getByRole("textbox", { name: "Last day" }), "31/02/2026")
    await user.keyboard("{Escape}")
    await screen.findByRole("button", { name: "Stay" })
  })

  it("a form dialog with changes asks before another page opens", async () => {
    const { user, router, reason } = await openDialog()
    await user.type(reason, "Unpaid")
    await act(async () => void router.history.push("/elsewhere"))
    await user.click(await screen.findByRole("button", { name: "Stay" }))
    expect(router.history.location.pathname).toBe("/")
  })

  it("a form dialog does not ask while the page is covered", async () => {
    const { user, router, reason } = await openDialog()
    await user.type(reason, "Unpaid")
    const lift = coverPage()
    await act(async () => void router.history.push("/elsewhere"))
    lift()
    expect(router.history.location.pathname).toBe("/elsewhere")
    expect(queryLeaveQuestion()).toBeNull()
  })

  it("a form dialog does not ask after saving, even if that opens another page", async () => {
    const goOn = vi.fn()
    const { user, router, reason } = await openDialog({ onClose: goOn })
    await user.type(reason, "Unpaid{Enter}")
    await waitFor(() => expect(goOn).toHaveBeenCalled())
    // The dialog stays until the next page has loaded.
    await screen.findByRole("button", { name: "Suspend" })
    await act(async () => void router.history.push("/elsewhere"))
    expect(router.history.location.pathname).toBe("/elsewhere")
    expect(queryLeaveQuestion()).toBeNull()
  })

  it.each([
    ["Suspend", "Please wait..."],
    ["Save", "Saving..."],
  ])("a form dialog keeps focus on %s while busy (%s) and after a refusal", async (words, busy) => {
    let refuse = (_: unknown) => {}
    const save = () => new Promise((_, reject) => (refuse = reject))
    const { user, reason } = await openDialog({ save, submit: words })
    await user.type(reason, "Unpaid")
    const submit = screen.getByRole("button", { name: words })
    await user.click(submit)
    expect(submit.textContent).toBe(busy)
    expect(submit).toMatchObject({ disabled: false, ariaDisabled: "true" })
    await act(async () => refuse(new TypeError("Failed to fetch")))
    await screen.findByText(/Your changes are still here\./)
    expect(submit.textContent).toBe(words)
    expect(focusedElement()).toBe(submit)
  })
})

describe("a server refusal", () => {
  const invalid = (...paths: string[]) =>
    new ORPCError("INVALID", {
      status: 422,
      message: "Some fields are missing or invalid.",
      data: { fields: paths.map((path) => ({ path, message: `No such ${path}` })) },
    })
  const others = () =>
    screen
      .queryAllByRole("alert")
      .map(({ textContent }) => textContent)
      .filter(Boolean)

  async function openRefusedDialog(error: unknown) {
    const command = {
      mutationOptions: () => ({ mutationKey: [["policies", "suspend"]], mutationFn: () => Promise.reject(error) }),
    }
    const { user } = await openComponent(function Part() {
      const suspend = useCommand(command as never, { failure: "Failed to suspend policy" })
      const form = useForm({ initialValues: { reason: "Unpaid" } })
      return (
        <>
          <input data-path="reason" aria-label="Behind" />
          <FormDialog
            opened
            title="Suspend policy"
            submit="Suspend"
            form={form}
            save={(values) => suspend.mutateAsync(values as never)}
            onClose={() => {}}
          >
            <TextInput label="Reason" {...form.getInputProps("reason")} />
          </FormDialog>
        </>
      )
    })
    await user.click(await screen.findByRole("button", { name: "Suspend" }))
    const reason = screen.getByRole("textbox", { name: "Reason" })
    return { user, reason }
  }

  it("a server refusal is shown only at its field, which gets the focus", async () => {
    const { reason } = await openRefusedDialog(invalid("reason"))
    expect((await screen.findAllByText("No such reason")).length).toBe(1)
    expect(reason.getAttribute("aria-invalid")).toBe("true")
    expect(focusedElement()).toBe(reason)
    await act(() => new Promise((done) => setTimeout(done, 20)))
    expect(others()).toEqual([])
  })

  it("a refusal of a missing field is shown above the buttons and as a toast", async () => {
    await openRefusedDialog(invalid("reason", "amount"))
    await waitFor(() =>
      expect(others()).toEqual([
        "Some fields are missing or invalid.",
        "ErrorFailed to suspend policySome fields are missing or invalid.",
      ]),
    )
    expect(screen.getByText("No such reason")).toBeTruthy()
  })
})

describe("a calendar in a dialog", () => {
  it("a calendar in a dialog opens at the chosen day; Escape closes only the calendar", async () => {
    const { user, dialog } = await openDialog()
    const day = screen.getByRole<HTMLInputElement>("textbox", { name: "Last day" })
    const onDay = (name: string) => waitFor(() => expect(focusedElement()?.getAttribute("aria-label")).toBe(name))
    await user.click(day)
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}")
    await onDay("20 November 2026")
    await user.keyboard("{ArrowLeft}{Enter}")
    expect(day.value).toBe("2026-11-19")
    await waitFor(() => expect(focusedElement()).toBe(day))

    await user.keyboard("{Alt>}{ArrowDown}{/Alt}")
    await onDay("19 November 2026")
    await user.keyboard("{Escape}")
    await waitFor(() => expect(focusedElement()).toBe(day))

    await user.click(screen.getByRole("button", { name: "Calendar: Last day" }))
    await onDay("19 November 2026")
    await user.keyboard("{Escape}")
    await waitFor(() => expect(screen.queryByText("November 2026")).toBeNull())
    expect(focusedElement()).toBe(day)
    expect(dialog.isConnected).toBe(true)
    expect(queryLeaveQuestion()).toBeNull()
  })
})

it("a calendar opens at the last allowed day if that is before today", async () => {
  const { user } = await openComponent(() => <DayInput label="Born on" latest="2026-10-15" />)
  await user.type(screen.getByRole("textbox", { name: "Born on" }), "{Alt>}{ArrowDown}{/Alt}")
  await waitFor(() => expect(focusedElement()?.getAttribute("aria-label")).toBe("15 October 2026"))
})
