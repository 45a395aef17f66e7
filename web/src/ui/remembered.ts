import { useCallback, useSyncExternalStore } from "react"

const listeners = new Set<() => void>()
/** Parsed once per text; also the store if the browser has no storage. */
const known = new Map<string, { text: string | null; value: unknown }>()

function textOf(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function read<T>(key: string, start: T): T {
  const text = textOf(key)
  const before = known.get(key)
  if (before?.text === text) return before.value as T
  let value: unknown = start
  try {
    if (text !== null) value = JSON.parse(text)
  } catch {
    // Invalid stored text counts as absent.
  }
  known.set(key, { text, value })
  return value as T
}

/**
 * A user's choice on this device (open groups, columns), kept in local storage and shared by name. Not for business
 * data.
 *
 *     const [open, setOpen] = useRemembered<string[]>("open-groups", ["policies"])
 */
export function useRemembered<T>(name: string, start: T): [T, (next: T) => void] {
  const key = `milkwood-${name}`
  const value = useSyncExternalStore(subscribe, () => read(key, start))
  const set = useCallback(
    (next: T) => {
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {}
      known.set(key, { text: textOf(key), value: next })
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
