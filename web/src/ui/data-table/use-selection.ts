import { useState } from "react"

export function useSelection<Row>(rows: Row[], rowId: (row: Row) => string) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [everyMatch, setEveryMatch] = useState(false)
  const choose = (next: ReadonlySet<string>) => {
    setEveryMatch(false)
    setSelected(next)
  }
  return {
    selected,
    everyMatch,
    choose,
    none: () => (selected.size > 0 || everyMatch) && choose(new Set()),
    chooseEveryMatch: () => setEveryMatch(true),
    toggle(id: string) {
      const next = new Set(selected)
      if (!next.delete(id)) next.add(id)
      choose(next)
    },
    toggleAll: () => choose(selected.size === rows.length ? new Set() : new Set(rows.map(rowId))),
  }
}
