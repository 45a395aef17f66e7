import { useCallback, useEffect, useRef, useState } from "react"

export interface Autosave {
  state: "clean" | "waiting" | "saving" | "saved" | "failed"
  /** When it was last saved, for "Saved 14:02". */
  savedAt: Temporal.Instant | undefined
  error: unknown
  /** Whether a change is saved without a click. Off until there is enough to make a record of. */
  isOn: boolean
  /** There is something that is not saved yet, be it that it cannot be saved by itself so far. */
  unsaved: boolean
  /** Saves what there is now (Ctrl S, Save Draft, before a step that needs it). False when that failed. */
  saveNow: () => Promise<boolean>
}

interface AutosaveOptions<Values> {
  values: Values
  /** Stores a draft; the first time it makes the record, and the page takes its address. */
  save: (values: Values) => Promise<unknown>
  /** Off until there is enough to make a record of, say before a member is chosen. */
  enabled?: boolean
  /** Milliseconds of quiet before it saves. */
  after?: number
}

/**
 * Saves a draft by itself one second after a change. One save at a time; what changes meanwhile is saved next. A
 * failure is said and tried again with the next change, or by `saveNow`.
 *
 *     const autosave = useAutosave({ values: form.values, enabled: form.values.memberId !== null, save: saveDraft })
 *     <Wizard autosave={autosave} … />
 */
export function useAutosave<Values>(options: AutosaveOptions<Values>): Autosave {
  const { values, enabled = true, after = 1_000 } = options
  const written = JSON.stringify(values)
  const [saved, setSaved] = useState(written)
  const [state, setState] = useState<"clean" | "saving" | "saved" | "failed">("clean")
  const [savedAt, setSavedAt] = useState<Temporal.Instant>()
  const [error, setError] = useState<unknown>()
  const running = useRef<Promise<boolean>>(undefined)
  const latest = useRef({ options, saved, written })
  latest.current = { options, saved, written }

  const once = useCallback(async (): Promise<boolean> => {
    const { options, written } = latest.current
    setState("saving")
    try {
      await options.save(options.values)
      latest.current.saved = written
      setSaved(written)
      setSavedAt(Temporal.Now.instant())
      setError(undefined)
      setState("saved")
      return true
    } catch (failure) {
      setError(failure)
      setState("failed")
      return false
    }
  }, [])

  const saveNow = useCallback(async (): Promise<boolean> => {
    // Waits for the save in progress, then saves what has changed since.
    if (running.current) await running.current
    if (latest.current.saved === latest.current.written && savedAt !== undefined) return true
    const run = once()
    running.current = run
    try {
      return await run
    } finally {
      if (running.current === run) running.current = undefined
    }
  }, [once, savedAt])

  const unsaved = written !== saved
  useEffect(() => {
    if (!enabled || written === saved) return
    const timer = setTimeout(() => void saveNow(), after)
    return () => clearTimeout(timer)
    // A change starts the second anew.
  }, [enabled, written, saved, after, saveNow])

  return {
    state: state === "saving" || state === "failed" ? state : unsaved ? "waiting" : state,
    savedAt,
    error,
    isOn: enabled,
    unsaved: unsaved || state === "saving",
    saveNow,
  }
}
