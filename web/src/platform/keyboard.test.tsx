import { render, screen, waitFor } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { expect, it } from "vitest"
import { useRestoredFocus } from "./focus.ts"
import { useKeys } from "./keyboard.ts"

function Page({ field, note }: { field: boolean; note: () => void }) {
  useKeys({ i: note, "mod+s": note })
  useRestoredFocus()
  return (
    <main id="page" tabIndex={-1}>
      {field && <textarea aria-label="Comment" />}
      <button type="button">Next</button>
    </main>
  )
}

async function pressAfterFocusLoss(last: string, then: string, click = false) {
  let acted = 0
  const note = () => {
    acted++
  }
  const { rerender, unmount } = render(<Page field note={note} />)
  const user = userEvent.setup()
  await user.type(screen.getByRole("textbox"), `pa${last}`)
  rerender(<Page field={false} note={note} />)
  await waitFor(() => expect(document.activeElement?.id).toBe("page"))
  acted = 0
  if (click) await user.click(document.body)
  await user.keyboard(then)
  unmount()
  return acted
}

it("after a field is removed mid-word, the remaining letters trigger no shortcut", async () => {
  expect(await pressAfterFocusLoss("", "id in{Control>}s{/Control}")).toBe(1)
  expect(await pressAfterFocusLoss("{Enter}", "id in")).toBe(0)
})

it("single-key shortcuts work again after the user leaves the field", async () => {
  expect(await pressAfterFocusLoss("", "i{Tab}i")).toBe(1)
  expect(await pressAfterFocusLoss("", "{Escape}i")).toBe(1)
  expect(await pressAfterFocusLoss("", "i", true)).toBe(1)
  expect(await pressAfterFocusLoss("{Escape}", "i")).toBe(1)
  expect(await pressAfterFocusLoss("{Control>}s{/Control}", "i")).toBe(1)
})
