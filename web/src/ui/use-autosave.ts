import { useCallback, useEffect, useRef, useState } from "react"

export interface Autosave {
  state: "clean" | "waiting" | "saving" | "saved" | "failed"
  savedAt: Temporal.Instant | undefined
  error: unknown
  isOn: boolean
  unsaved: boolean
  saveNow: () => Promise<boolean>
}

interface AutosaveOptions<Values> {
  values: Values
  save: (values: Values) => Promise<unknown>
  /** False until the record can be created, for example before a member is chosen. */
  enabled?: boolean
  after?: number
}

/**
 * Saves a draft one second after a change, one save at a time. A failure is shown and retried on the next change or by
 * `saveNow`.
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
