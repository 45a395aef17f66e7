import { render, screen, waitFor } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { expect, it } from "vitest"
import { useFocusKept } from "./focus.ts"
import { useKeys } from "./keyboard.ts"

/** A page with a shortcut, a way on, and perhaps a field; it takes the focus when that has gone. */
function Page({ field, note }: { field: boolean; note: () => void }) {
  useKeys({ i: note, "mod+s": note })
  useFocusKept()
  return (
    <main id="page" tabIndex={-1}>
      {field && <textarea aria-label="Comment" />}
      <button type="button">Next</button>
    </main>
  )
}

/** Types into a field that then goes, ending with `last`; answers how often the shortcut acts for what is pressed then. */
async function afterLosing(last: string, then: string, click = false) {
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

it("the rest of a word is no shortcut when the field it was typed in has gone", async () => {
  expect(await afterLosing("", "id in{Control>}s{/Control}")).toBe(1)
  expect(await afterLosing("{Enter}", "id in")).toBe(0)
})

it("single keys act again once one goes on oneself, and where one left the field oneself", async () => {
  expect(await afterLosing("", "i{Tab}i")).toBe(1)
  expect(await afterLosing("", "{Escape}i")).toBe(1)
  expect(await afterLosing("", "i", true)).toBe(1)
  expect(await afterLosing("{Escape}", "i")).toBe(1)
  expect(await afterLosing("{Control>}s{/Control}", "i")).toBe(1)
})
