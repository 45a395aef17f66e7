import { MantineProvider } from "@mantine/core"
import { ORPCError } from "@orpc/client"
import { act, fireEvent, render, renderHook, screen } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { type ReactNode, useState } from "react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { errorTextOf, invalidFieldsOf } from "../platform/errors.ts"
import { singleKeys, useKeys } from "../platform/keyboard.ts"
import { ConfirmProvider, useConfirm } from "./confirm.tsx"
import ConfirmDialog from "./confirm-dialog.tsx"
import { DayInput } from "./day-input.tsx"
import { DisplayProvider } from "./display.tsx"
import { showRefusedFields } from "./form.ts"
import { MoneyInput } from "./money-input.tsx"
import { conflictsOf } from "./stale-choice.tsx"
import { StatusBadge, statusText, toneOf } from "./status-badge.tsx"
import { Timeline } from "./timeline.tsx"
import { Toaster, toast } from "./toast.tsx"
import { useAutosave } from "./use-autosave.ts"

const display = {
  dayFormat: "YYYY-MM-DD",
  currency: "ZAR",
  timezone: "Africa/Johannesburg",
  today: "2026-11-20",
  hasBankAccount: true,
} as const

function TestProviders({ children }: { children: ReactNode }) {
  return (
    <MantineProvider>
      <DisplayProvider value={display}>
        <ConfirmProvider>{children}</ConfirmProvider>
      </DisplayProvider>
    </MantineProvider>
  )
}

function renderField<T>(
  Input: (props: { label: string; value: T; onChange: (value: T) => void }) => ReactNode,
  start: T,
) {
  const handed: T[] = []
  function ControlledField() {
    const [value, setValue] = useState<T>(start)
    const onChange = (next: T) => {
      handed.push(next)
      setValue(next)
    }
    return <Input label="Field" value={value} onChange={onChange} />
  }
  render(<ControlledField />, { wrapper: TestProviders })
  return { handed, input: screen.getByRole<HTMLInputElement>("textbox", { name: "Field" }) }
}

describe("a money field", () => {
  it("a money field passes on cents and formats the amount on blur", async () => {
    const { handed, input } = renderField<number | null>(MoneyInput, null)
    await userEvent.type(input, "1234.5")
    await userEvent.tab()
    expect(handed.at(-1)).toBe(123450)
    expect(input.value).toBe("1\u00a0234,50")
  })

  it("a money field keeps invalid text and shows an error", async () => {
    const { handed, input } = renderField<number | null>(MoneyInput, 100)
    await userEvent.clear(input)
    await userEvent.type(input, "12,345,6")
    await userEvent.tab()
    expect(handed.at(-1)).toBeNull()
    expect(input.value).toBe("12,345,6")
    expect(screen.getByText("Enter an amount in rand, such as 1 234,50")).toBeTruthy()
  })
})

describe("a day field", () => {
  it("a day field accepts the local ways of writing a date", async () => {
    const { handed, input } = renderField<string | null>(DayInput, null)
    await userEvent.type(input, "28/02/2026")
    await userEvent.tab()
    expect(handed.at(-1)).toBe("2026-02-28")
    expect(input.value).toBe("2026-02-28")
  })

  it("a day field keeps a typed date that does not exist and shows an error", async () => {
    const { handed, input } = renderField<string | null>(DayInput, "2026-01-01")
    await userEvent.clear(input)
    await userEvent.type(input, "2026-02-29")
    await userEvent.tab()
    expect(handed.at(-1)).toBeNull()
    expect(input.value).toBe("2026-02-29")
    expect(screen.getByText("Enter a valid date as YYYY-MM-DD")).toBeTruthy()
  })

  it("a day field is left with one Tab and opens its calendar with Alt ↓", async () => {
    const { input } = renderField<string | null>(DayInput, null)
    input.focus()
    await userEvent.tab()
    expect(document.activeElement).toBe(document.body)
    await userEvent.type(input, "{Alt>}{ArrowDown}{/Alt}")
    expect(await screen.findByText("November 2026")).toBeTruthy()
  })
})

describe("autosave", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("autosave saves once, one second after the last change", async () => {
    const save = vi.fn(async () => {})
    const { result, rerender } = renderHook(({ values }) => useAutosave({ values, save }), {
      initialProps: { values: { name: "" } },
    })
    rerender({ values: { name: "T" } })
    await act(() => vi.advanceTimersByTimeAsync(900))
    rerender({ values: { name: "Th" } })
    await act(() => vi.advanceTimersByTimeAsync(900))
    expect(save).not.toHaveBeenCalled()
    expect(result.current.unsaved).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(100))
    expect(save.mock.calls).toEqual([[{ name: "Th" }]])
    expect(result.current.state).toBe("saved")
    expect(result.current.unsaved).toBe(false)
  })

  it("autosave shows a failure and retries on request", async () => {
    const save = vi.fn(async () => {})
    save.mockRejectedValueOnce(new TypeError("no answer"))
    const { result, rerender } = renderHook(({ values }) => useAutosave({ values, save }), {
      initialProps: { values: { name: "" } },
    })
    rerender({ values: { name: "Thandi" } })
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(result.current.state).toBe("failed")
    expect(result.current.unsaved).toBe(true)
    await act(() => result.current.saveNow())
    expect(result.current.state).toBe("saved")
    expect(save).toHaveBeenCalledTimes(2)
  })
})

describe("a confirmation", () => {
  function AskingButton({ action, onAnswer }: { action: () => Promise<unknown>; onAnswer: (yes: boolean) => void }) {
    const confirm = useConfirm()
    const question = { title: "Delete Dental?", body: "It is removed.", confirm: "Delete benefit", action }
    return (
      <button type="button" onClick={() => void confirm(question).then(onAnswer)}>
        Ask
      </button>
    )
  }

  it("a confirmation runs once on a double click and resolves when done", async () => {
    let finish = () => {}
    const action = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
    const onAnswer = vi.fn()
    render(<AskingButton action={action} onAnswer={onAnswer} />, { wrapper: TestProviders })
    fireEvent.click(screen.getByRole("button", { name: "Ask" }))
    const yes = await screen.findByRole("button", { name: "Delete benefit" })
    fireEvent.click(yes)
    fireEvent.click(yes)
    expect(action).toHaveBeenCalledTimes(1)
    // A disabled button would lose the focus to the page behind the dialog.
    expect(yes).toMatchObject({ disabled: false, ariaDisabled: "true" })
    expect(onAnswer).not.toHaveBeenCalled()
    await act(async () => finish())
    expect(onAnswer).toHaveBeenCalledWith(true)
  })

  it("a refused confirmation stays open with the reason; Cancel resolves to false", async () => {
    const refusal = new ORPCError("IN_USE", {
      status: 409,
      message: "It is used by 2 product benefits.",
      defined: true,
    })
    const onAnswer = vi.fn()
    render(<AskingButton action={() => Promise.reject(refusal)} onAnswer={onAnswer} />, { wrapper: TestProviders })
    fireEvent.click(screen.getByRole("button", { name: "Ask" }))
    await userEvent.click(await screen.findByRole("button", { name: "Delete benefit" }))
    expect(await screen.findByText("It is used by 2 product benefits.")).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Delete benefit" }))
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }))
    await vi.waitFor(() => expect(onAnswer).toHaveBeenCalledWith(false))
  })
})

it("a dialog that cancels a record has only one button named Cancel", async () => {
  const user = userEvent.setup()
  const question = {
    title: "Cancel BAT-1?",
    body: "Its payments wait.",
    confirm: "Cancel batch",
    action: async () => {},
  }
  render(<ConfirmDialog opened question={question} onAnswer={() => {}} />, { wrapper: TestProviders })
  expect((await screen.findAllByRole("button", { name: /Cancel/ })).map(({ textContent }) => textContent)).toEqual([
    "Cancel batch",
  ])
  await user.click(screen.getByRole("button", { name: "Back" }))
})

describe("two users saving one section", () => {
  it("two users conflict only if both changed a field to different values", () => {
    const base = { name: "Nomsa", phone: "1", email: "a" }
    const mine = { name: "Nomsa K", phone: "2", email: "a" }
    const theirs = { name: "Nomsa Dube", phone: "2", email: "b" }
    expect(conflictsOf(["name", "phone", "email"], base, mine, theirs)).toEqual([{ field: "name", mine: "Nomsa K" }])
  })
})

describe("a refusal", () => {
  const invalid = new ORPCError("INVALID", {
    status: 422,
    message: "Some fields are missing or invalid.",
    defined: true,
    data: { fields: [{ path: "contact.email", message: "Enter a valid e-mail address" }] },
  })

  it("a refusal marks the fields that it names", () => {
    const setErrors = vi.fn()
    expect(showRefusedFields({ setErrors }, invalid, { "contact.email": "contactEmail" })).toBe(true)
    expect(setErrors).toHaveBeenCalledWith({ contactEmail: "Enter a valid e-mail address" })
    expect(invalidFieldsOf(invalid)).toHaveLength(1)
  })

  it("a refusal does not show internal details", () => {
    const surprise = new ORPCError("INTERNAL_SERVER_ERROR", { message: "select * from members" })
    expect(errorTextOf(surprise)).not.toContain("select")
    expect(errorTextOf(new TypeError("Failed to fetch"))).toContain("Your changes are still here.")
  })
})

describe("keyboard shortcuts", () => {
  afterEach(() => singleKeys.set(true))

  it("shortcuts work outside fields, also as two-key sequences, and can be switched off", async () => {
    const pressed: string[] = []
    const note = (key: string) => () => void pressed.push(key)
    function Page() {
      useKeys({ j: note("j"), "g c": note("g c"), c: note("c"), "mod+s": note("mod+s") })
      return <input aria-label="Typing" />
    }
    render(<Page />)
    await userEvent.keyboard("j")
    await userEvent.keyboard("gc")
    await userEvent.type(screen.getByLabelText("Typing"), "j")
    await userEvent.keyboard("{Control>}s{/Control}")
    expect(pressed).toEqual(["j", "g c", "mod+s"])
    act(() => (document.activeElement as HTMLElement).blur())
    singleKeys.set(false)
    await userEvent.keyboard("j{Control>}s{/Control}")
    expect(pressed).toEqual(["j", "g c", "mod+s", "mod+s"])
  })
})

describe("a status", () => {
  it.each([
    ["draft", "grey", "Draft"],
    ["under_review", "blue", "Under review"],
    ["Pending", "amber", "Pending"],
    ["Active", "green", "Active"],
    ["overdue", "red", "Overdue"],
    ["completed", "green", "Completed"],
    ["processing", "blue", "Processing"],
    ["Scheduled", "blue", "Scheduled"],
    ["failed", "red", "Failed"],
    ["cancelled", "grey", "Cancelled"],
    ["credited", "grey", "Credited"],
    ["never_heard_of", "grey", "Never heard of"],
  ])("status %s is %s and reads %s", (status, tone, word) => {
    expect(toneOf(status)).toBe(tone)
    expect(statusText(status)).toBe(word)
  })

  it("a status is a coloured icon and word, but plain text if normal", () => {
    const shown = (badge: ReactNode) => render(badge).container.firstElementChild!
    const failed = shown(<StatusBadge status="failed" />)
    expect([failed.getAttribute("data-tone"), failed.textContent, failed.querySelectorAll("svg").length]).toEqual([
      ...["red", "Failed", 1],
    ])
    const completed = shown(<StatusBadge status="completed" />)
    expect(completed.outerHTML).toBe("<span>Completed</span>")
    const onItsPage = shown(<StatusBadge status="completed" size="md" upperCase />)
    expect([onItsPage.getAttribute("data-tone"), onItsPage.textContent]).toEqual(["green", "COMPLETED"])
  })
})

describe("a timeline", () => {
  const line = (id: number) => ({
    id,
    at: "2026-11-02T08:00:00Z",
    actor: "Max",
    role: "manager",
    fact: "PolicyUpdated",
    sentence: `changed it ${id}`,
    reason: null,
    changes: [],
  })
  const lines = (from: number, count: number) => Array.from({ length: count }, (_, index) => line(from - index))

  it("a timeline loads older entries without duplicates while new entries arrive", async () => {
    const asked: number[] = []
    const older = async (before: number) => {
      asked.push(before)
      return lines(before - 1, Math.min(25, before - 1))
    }
    const { rerender } = render(<Timeline entries={lines(60, 25)} older={older} />, { wrapper: TestProviders })
    await userEvent.click(screen.getByRole("button", { name: "Show more" }))
    rerender(<Timeline entries={lines(62, 25)} older={older} />)
    const shown = () => screen.getAllByText(/changed it/).map((each) => Number(each.textContent.match(/\d+/)![0]))
    expect(shown()).toEqual(lines(62, 52).map(({ id }) => id))
    await userEvent.click(screen.getByRole("button", { name: "Show more" }))
    expect(shown()).toEqual(lines(62, 62).map(({ id }) => id))
    expect(screen.queryByRole("button")).toBeNull()
    expect(asked).toEqual([36, 11])
  })

  it("a timeline lists only fields whose value changed", () => {
    const changes = [
      { field: "payeeBank", before: "FNB", after: "FNB" },
      { field: "payeeAccountNumber", before: "62757180252", after: "62757180999" },
    ]
    render(<Timeline entries={[{ ...line(1), changes }]} older={async () => []} />, { wrapper: TestProviders })
    expect(screen.queryByText(/Payee bank/)).toBeNull()
    expect(screen.getByText(/Payee account number/).textContent).toBe("Payee account number: 62757180252 → 62757180999")
  })

  it("a timeline shows a failed load of older entries and can retry", async () => {
    const older = vi.fn().mockRejectedValueOnce(new Error("lost")).mockResolvedValue(lines(35, 3))
    render(<Timeline entries={lines(60, 25)} older={older} />, { wrapper: TestProviders })
    await userEvent.click(screen.getByRole("button", { name: "Show more" }))
    expect(screen.getByRole("alert")).toBeTruthy()
    await userEvent.click(screen.getByRole("button", { name: "Show more" }))
    expect(screen.queryByRole("alert")).toBeNull()
    expect(screen.getAllByText(/changed it/)).toHaveLength(28)
  })

  it("a complete timeline offers no more entries", () => {
    render(<Timeline entries={lines(24, 24)} older={vi.fn()} />, { wrapper: TestProviders })
    expect(screen.queryByRole("button")).toBeNull()
  })
})

describe("toasts", () => {
  afterEach(() => vi.useRealTimers())

  it("toasts show one at a time, for five seconds each", () => {
    vi.useFakeTimers()
    const passes = (ms: number) => act(() => vi.advanceTimersByTime(ms))
    const shown = () => screen.queryAllByText(/^The (first|second)$/).map(({ textContent }) => textContent)
    render(<Toaster />, { wrapper: TestProviders })
    act(() => toast.success("The first"))
    passes(4_000)
    expect(shown()).toEqual(["The first"])
    act(() => toast.success("The second"))
    passes(0)
    expect(shown()).toEqual(["The second"])
    passes(4_999)
    expect(shown()).toEqual(["The second"])
    // The exit transition takes time too.
    passes(1)
    passes(1_000)
    expect(shown()).toEqual([])
  })
})
