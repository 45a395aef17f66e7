import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react"

/** The section that is being edited at the moment, for the head of the page. */
export interface Editing {
  name: string
  busy: boolean
  save: () => void
  cancel: () => void
}

interface EditingState {
  current: Editing | undefined
  /** Begins, keeps up to date, or (undefined) ends the editing of a section. */
  set: (name: string, editing: Editing | undefined) => void
}

const EditingContext = createContext<EditingState | undefined>(undefined)

/** One section is edited at a time. `RecordPage` gives this; pages without it put it round their sections. */
export function EditingProvider({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<Editing>()
  const set = useCallback((name: string, editing: Editing | undefined) => {
    setCurrent((before) => editing ?? (before?.name === name ? undefined : before))
  }, [])
  const state = useMemo(() => ({ current, set }), [current, set])
  return <EditingContext value={state}>{children}</EditingContext>
}

/** Who is editing; undefined outside a provider, where a section shows its own buttons. */
export const useEditing = () => useContext(EditingContext)
