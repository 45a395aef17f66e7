import { useBlocker } from "@tanstack/react-router"
import { useConfirm } from "./confirm.tsx"
import { useHolding } from "./unsaved.ts"

/**
 * Asks before unsaved changes are left, by a link, by back, or by closing the window; they also outlast the session.
 *
 *     useUnsavedGuard(form.isDirty())
 */
export function useUnsavedGuard(unsaved: boolean, what = "What you typed on this page") {
  const confirm = useConfirm()
  useHolding(unsaved)
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async ({ current, next }) => {
      // Another tab or step of the same page loses nothing.
      if (current.pathname === next.pathname) return false
      const leave = await confirm({
        title: "Leave without saving?",
        body: `${what} has not been saved and would be lost.`,
        confirm: "Leave without saving",
        cancel: "Stay",
        danger: true,
      })
      return !leave
    },
  })
}
