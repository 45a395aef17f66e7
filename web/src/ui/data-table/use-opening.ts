import { type LinkProps, useLocation, useNavigate } from "@tanstack/react-router"
import { useEffect, useEffectEvent } from "react"
import { storeTrail, type Trail } from "../trail.ts"

/** Also remembers the list for "next" and "back" on the record's page. */
export function useOpenRecord<Row>(
  name: string,
  rows: Row[],
  rowLink: ((row: Row) => LinkProps | undefined) | undefined,
  isHere: boolean,
  trail: () => Omit<Trail, "path" | "at">,
) {
  const navigate = useNavigate()
  const { pathname: path, state } = useLocation()
  const remember = () => rowLink && storeTrail(name, { ...trail(), path })
  const open = (row: Row, replace = false) => {
    const link = rowLink?.(row)
    if (!link) return
    remember()
    void navigate({ ...link, replace } as Parameters<typeof navigate>[0])
  }
  // "Next" on the last record of a page opens the first of the next page.
  const { openRow } = state
  const openNeighbour = useEffectEvent((end: "first" | "last") => {
    const row = rows.at(end === "first" ? 0 : -1)
    if (row) open(row, true)
  })
  useEffect(() => {
    if (openRow && isHere) openNeighbour(openRow)
  }, [openRow, isHere])
  return { open, remember }
}
