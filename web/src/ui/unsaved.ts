import { useEffect } from "react"

const holders = new Set<symbol>()

/** Registers unsaved input while `holding` is true. */
export function useUnsavedInput(holding: boolean): void {
  useEffect(() => {
    if (!holding) return
    const holder = Symbol("holder")
    holders.add(holder)
    return () => {
      holders.delete(holder)
    }
  }, [holding])
}

export const hasUnsavedInput = (): boolean => holders.size > 0

export const discardUnsaved = (): void => holders.clear()
