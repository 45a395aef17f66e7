import { type RefObject, useState } from "react"
import { useKeys } from "../../platform/keyboard.ts"

interface RowKeys<Row> {
  rows: Row[]
  rowId: (row: Row) => string
  root: RefObject<HTMLElement | null>
  searchField: RefObject<HTMLInputElement | null> | undefined
  onOpen: (row: Row) => void
  onToggle: ((id: string) => void) | undefined
}

/** Keys: j k move, Enter open, Space peek, x select, / search, . actions. */
export function useRowKeys<Row>({ rows, rowId, root, searchField, onOpen, onToggle }: RowKeys<Row>) {
  const [current, setCurrent] = useState<string>()
  const [peeking, setPeeking] = useState(false)
  const currentRow = rows.find((row) => rowId(row) === current)

  const focusRow = (id: string) => {
    setCurrent(id)
    const row = root.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
    const target = row?.querySelector<HTMLElement>("[data-row-link]") ?? row
    target?.focus()
    row?.scrollIntoView({ block: "nearest" })
  }
  const move = (by: number) => {
    if (rows.length === 0) return
    const at = rows.findIndex((row) => rowId(row) === current)
    const next = at === -1 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)
    focusRow(rowId(rows[next]!))
  }

  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: onToggle && currentRow ? () => onToggle(rowId(currentRow)) : undefined,
    "/": searchField && (() => searchField.current?.focus()),
    Space: (event) => {
      const target = event.target as HTMLElement
      if (!currentRow || target.closest("button, input, summary")) return false
      setPeeking((was) => !was)
    },
    Enter: (event) => {
      if (!currentRow || (event.target as HTMLElement).closest("a, button, input, summary")) return false
      onOpen(currentRow)
    },
    ".": () => {
      if (!current) return false
      root.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(current)}"] [data-row-menu]`)?.click()
    },
  })

  const stopPeeking = () => {
    setPeeking(false)
    if (current) focusRow(current)
  }
  return { current, setCurrent, peeked: peeking ? currentRow : undefined, stopPeeking }
}
