import { useEffect } from "react"

const unsavedHolders = new Set<symbol>()

/** Registers unsaved input while `holding` is true. */
export function useUnsavedInput(holding: boolean): void {
  useEffect(() => {
    if (!holding) return
    const holder = Symbol("holder")
    unsavedHolders.add(holder)
    return () => {
      unsavedHolders.delete(holder)
    }
  }, [holding])
}

export const hasUnsavedInput = (): boolean => unsavedHolders.size > 0

export const discardUnsaved = (): void => unsavedHolders.clear()
