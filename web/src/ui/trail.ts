import type { LinkProps } from "@tanstack/react-router"
import { type PageCursors, pageParametersOf } from "./list-address.ts"

export interface Trail {
  many: string
  path: string
  search: { page: number }
  pages: number
  ends: PageCursors
  rows: { id: string; link: LinkProps }[]
  /** When a row was opened, in milliseconds. */
  at: number
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    openRow?: "first" | "last"
  }
}

const storageKeyOf = (list: string) => `milkwood-trail-${list}`

export function storeTrail(list: string, trail: Omit<Trail, "at">) {
  try {
    sessionStorage.setItem(storageKeyOf(list), JSON.stringify({ ...trail, at: Date.now() } satisfies Trail))
  } catch {
    // Without storage, the product works except for previous and next.
  }
}

/**
 * The most recent of the given lists, and the record's neighbours in it. At the ends of its page they lead to the
 * adjacent page.
 */
export function readTrail(
  lists: readonly string[],
  id: string,
): { many: string; list: LinkProps; previous: LinkProps | undefined; next: LinkProps | undefined } | undefined {
  try {
    const trails = lists
      .map((list) => sessionStorage.getItem(storageKeyOf(list)))
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
        : ({
            ...list,
            search: { ...search, ...pageParametersOf(search, page, trail.ends) },
            state: { openRow },
          } as LinkProps)
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
