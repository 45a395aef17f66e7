import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react"
import { useKeys } from "../platform/keyboard.ts"

export interface SectionEditing {
  name: string
  busy: boolean
  save: () => void
  cancel: () => void
  /** For sections whose changes are saved at once: replaces both buttons and only ends editing. */
  done?: () => void
}

interface EditingState {
  current: SectionEditing | undefined
  /** Starts or updates editing of a section; undefined ends it. */
  set: (name: string, editing: SectionEditing | undefined) => void
  offer: (begin: () => void) => () => void
}

const EditingContext = createContext<EditingState | undefined>(undefined)

/**
 * One section is edited at a time; the key e starts the first. `RecordPage` includes it; other pages wrap their
 * sections.
 */
export function EditingProvider({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<SectionEditing>()
  const set = useCallback((name: string, editing: SectionEditing | undefined) => {
    setCurrent((before) => editing ?? (before?.name === name ? undefined : before))
  }, [])
  const offers = useRef<(() => void)[]>([])
  const offer = useCallback((begin: () => void) => {
    offers.current.push(begin)
    return () => {
      offers.current = offers.current.filter((other) => other !== begin)
    }
  }, [])
  useKeys(
    {
      e: () => {
        const [first] = offers.current
        return first ? first() : false
      },
    },
    current === undefined,
  )
  const state = useMemo(() => ({ current, set, offer }), [current, set, offer])
  return <EditingContext value={state}>{children}</EditingContext>
}

/** Undefined outside a provider; the section then shows its own buttons. */
export const useEditing = () => useContext(EditingContext)
