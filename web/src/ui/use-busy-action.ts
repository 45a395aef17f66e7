import { useMemo, useRef, useState } from "react"

/** Looks disabled but keeps the focus, which a disabled button loses. */
export const busyProps = (busy: boolean) => ({ "aria-disabled": busy || undefined, "data-disabled": busy || undefined })

/** Ignores further calls while busy (a double click). */
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
