import { useCallback, useSyncExternalStore } from "react"

const rememberedListeners = new Set<() => void>()
/** Values parsed once per text. Also the storage if the browser has none. */
const cachedValues = new Map<string, { text: string | null; value: unknown }>()

function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function readRemembered<T>(key: string, start: T): T {
  const text = readStoredText(key)
  const before = cachedValues.get(key)
  if (before?.text === text) return before.value as T
  let value: unknown = start
  try {
    if (text !== null) value = JSON.parse(text)
  } catch {
    // Invalid stored text counts as absent.
  }
  cachedValues.set(key, { text, value })
  return value as T
}

/**
 * A user's choice on this device (open groups, columns), kept in local storage and shared by name. Not for business
 * data.
 *
 *     const [open, setOpen] = useRememberedState<string[]>("open-groups", ["policies"])
 */
export function useRememberedState<T>(name: string, start: T): [T, (next: T) => void] {
  const key = `milkwood-${name}`
  const value = useSyncExternalStore(subscribe, () => readRemembered(key, start))
  const set = useCallback(
    (next: T) => {
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {}
      cachedValues.set(key, { text: readStoredText(key), value: next })
      for (const listener of rememberedListeners) listener()
    },
    [key],
  )
  return [value, set]
}

function subscribe(listener: () => void) {
  rememberedListeners.add(listener)
  return () => rememberedListeners.delete(listener)
}
