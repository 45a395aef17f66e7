import { useMemo, useRef, useState } from "react"

/**
 * For the button that runs it: it looks as if it could not be pressed and says so, but keeps the focus, which a disabled
 * button would lose.
 */
export const whileBusy = (busy: boolean) => ({ "aria-disabled": busy || undefined, "data-disabled": busy || undefined })

/** Runs one thing at a time: what is asked for while it is busy (a double click) is not run. */
export function useBusyAction() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const running = useRef(false)
  return useMemo(
    () => ({
      busy,
      failure,
      forget: () => setFailure(undefined),
      async run(action?: () => Promise<unknown>): Promise<boolean> {
        if (running.current) return false
        running.current = true
        setBusy(true)
        setFailure(undefined)
        try {
          await action?.()
          return true
        } catch (error) {
          setFailure(error)
          return false
        } finally {
          running.current = false
          setBusy(false)
        }
      },
    }),
    [busy, failure],
  )
}
