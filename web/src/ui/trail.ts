import type { LinkProps } from "@tanstack/react-router"
import { type Ends, pageAt } from "./list-address.ts"

export interface Trail {
  /** The list in words: "claims". */
  many: string
  /** Where the list is. */
  path: string
  /** What stood in its address: page, order, filters. */
  search: { page: number }
  /** How many pages it has. */
  pages: number
  ends: Ends
  rows: { id: string; link: LinkProps }[]
  /** When a row of it was opened, in milliseconds. */
  at: number
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The page of a list that a record page turns to: the row that is opened instead of it. */
    openRow?: "first" | "last"
  }
}

const key = (list: string) => `milkwood-trail-${list}`

/** Keeps which rows a list showed when one of them was opened, so that its record page knows the next. */
export function rememberTrail(list: string, trail: Omit<Trail, "at">) {
  try {
    sessionStorage.setItem(key(list), JSON.stringify({ ...trail, at: Date.now() } satisfies Trail))
  } catch {
    // Without storage there is no next and previous; nothing else is lost.
  }
}

/**
 * The list that one came from, as it was left, and the neighbours of a record in it: of several lists, the one that
 * was last used. Beyond the rows of a page they lead through the page before or after it.
 */
export function readTrail(
  lists: readonly string[],
  id: string,
): { many: string; list: LinkProps; previous: LinkProps | undefined; next: LinkProps | undefined } | undefined {
  try {
    const trails = lists
      .map((list) => sessionStorage.getItem(key(list)))
      .filter((kept) => kept !== null)
      .map((kept) => JSON.parse(kept) as Trail)
      .filter((trail) => trail.rows.some((row) => row.id === id))
      .sort((a, b) => b.at - a.at)
    const trail = trails[0]
    if (!trail) return undefined
    const { path, search, rows } = trail
    const list = { to: path, search } as LinkProps
    const rowOfPage = (page: number, openRow: "first" | "last") =>
      page < 1 || page > trail.pages
        ? undefined
        : ({ ...list, search: { ...search, ...pageAt(search, page, trail.ends) }, state: { openRow } } as LinkProps)
    const at = rows.findIndex((row) => row.id === id)
    return {
      many: trail.many,
      list,
      previous: rows[at - 1]?.link ?? rowOfPage(search.page - 1, "last"),
      next: rows[at + 1]?.link ?? rowOfPage(search.page + 1, "first"),
    }
  } catch {
    return undefined
  }
}
