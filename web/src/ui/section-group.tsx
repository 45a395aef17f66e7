import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react"
import { useKeys } from "../platform/keyboard.ts"

/** The section that is being edited at the moment, for the head of the page. */
export interface Editing {
  name: string
  busy: boolean
  save: () => void
  cancel: () => void
  /** In place of the two, where everything is saved as it is done: a list of records, say. It only ends the editing. */
  done?: () => void
}

interface EditingState {
  current: Editing | undefined
  /** Begins, keeps up to date, or (undefined) ends the editing of a section. */
  set: (name: string, editing: Editing | undefined) => void
  /** Says that a section can be edited, and how that begins; answers how to take it back. */
  offer: (begin: () => void) => () => void
}

const EditingContext = createContext<EditingState | undefined>(undefined)

/** One section is edited at a time; e begins with the first. `RecordPage` gives this; pages without it put it round their sections. */
export function EditingProvider({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<Editing>()
  const set = useCallback((name: string, editing: Editing | undefined) => {
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

/** Who is editing; undefined outside a provider, where a section shows its own buttons. */
export const useEditing = () => useContext(EditingContext)
