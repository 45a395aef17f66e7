import { useCallback, useSyncExternalStore } from "react"

const listeners = new Set<() => void>()
/** What is kept, read and parsed once; also where it lives while the browser has no storage. */
const known = new Map<string, unknown>()

function read<T>(key: string, start: T): T {
  if (known.has(key)) return known.get(key) as T
  try {
    const kept = localStorage.getItem(key)
    if (kept !== null) {
      known.set(key, JSON.parse(kept))
      return known.get(key) as T
    }
  } catch {
    // No storage, or nonsense in it: one starts as if nothing was kept.
  }
  known.set(key, start)
  return start
}

/**
 * A choice of one person on one device (open groups, columns), kept in the browser and shared by all parts that name
 * it. Never data.
 *
 *     const [open, setOpen] = useRemembered<string[]>("open-groups", ["policies"])
 */
export function useRemembered<T>(name: string, start: T): [T, (next: T) => void] {
  const key = `milkwood-${name}`
  const value = useSyncExternalStore(subscribe, () => read(key, start))
  const set = useCallback(
    (next: T) => {
      known.set(key, next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Without storage the choice lasts until the page is closed.
      }
      for (const listener of listeners) listener()
    },
    [key],
  )
  return [value, set]
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
