import { useEffect } from "react"

const holders = new Set<symbol>()

/** Says that something typed would be lost with this part of the screen, as long as `holding`. */
export function useHolding(holding: boolean): void {
  useEffect(() => {
    if (!holding) return
    const holder = Symbol("holder")
    holders.add(holder)
    return () => {
      holders.delete(holder)
    }
  }, [holding])
}

/** Whether anything typed on screen has not been saved. */
export const holdsSomething = (): boolean => holders.size > 0

/** Gives up what was typed: somebody said to leave without it. */
export const letGo = (): void => holders.clear()
