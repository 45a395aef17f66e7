import { useState } from "react"

/** Which rows of the page are selected, or every one that the list matches. */
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
    // What is empty already stays as it is, and nothing is drawn for it.
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
