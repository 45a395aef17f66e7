import { useBlocker } from "@tanstack/react-router"
import { isCovered } from "../platform/keyboard.ts"
import { useConfirm } from "./confirm.tsx"
import { useUnsavedInput } from "./unsaved.ts"

/**
 * Asks before unsaved changes are left by a link, back or closing the window. Returns a function that asks on other
 * exits.
 *
 *     const mayLeave = useUnsavedGuard(form.isDirty())
 *     const close = async () => (!form.isDirty() || (await mayLeave())) && onClose()
 */
export function useUnsavedGuard(unsaved: boolean, what = "Your changes on this page") {
  const confirm = useConfirm()
  useUnsavedInput(unsaved)
  const mayLeave = () =>
    confirm({
      title: "Leave without saving?",
      body: `${what} will be lost.`,
      confirm: "Leave without saving",
      cancel: "Stay",
      danger: true,
    })
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    // Another tab or step of the page loses nothing. A covered page does not ask.
    shouldBlockFn: async ({ current, next }) =>
      !isCovered() && current.pathname !== next.pathname && !(await mayLeave()),
  })
  return mayLeave
}
