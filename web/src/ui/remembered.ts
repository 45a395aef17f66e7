import { useCallback, useState } from "react"

/** A choice of one person on one device (open groups, columns), kept in the browser. Never data. */
export function useRemembered<T>(name: string, start: T): [T, (next: T) => void] {
  const key = `milkwood-${name}`
  const [value, setValue] = useState<T>(() => {
    try {
      const kept = localStorage.getItem(key)
      return kept === null ? start : (JSON.parse(kept) as T)
    } catch {
      return start
    }
  })
  const set = useCallback(
    (next: T) => {
      setValue(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Without storage the choice lasts until the page is closed.
      }
    },
    [key],
  )
  return [value, set]
}
