import type { LinkProps } from "@tanstack/react-router"

interface Trail {
  /** The list in words: "claims". */
  many: string
  /** Where the list was, filters and all. */
  href: string
  rows: { id: string; link: LinkProps }[]
  /** When a row of it was opened, in milliseconds. */
  at: number
}

const key = (list: string) => `milkwood-trail-${list}`

/** Keeps which rows a list showed when one of them was opened, so that its record page knows the next. */
export function rememberTrail(list: string, many: string, rows: Trail["rows"]) {
  try {
    const href = window.location.pathname + window.location.search
    sessionStorage.setItem(key(list), JSON.stringify({ many, href, rows, at: Date.now() } satisfies Trail))
  } catch {
    // Without storage there is no next and previous; nothing else is lost.
  }
}

/** The neighbours of a record within the list that one came from: of several, the one that was last used. */
export function readTrail(lists: readonly string[], id: string) {
  try {
    const trails = lists
      .map((list) => sessionStorage.getItem(key(list)))
      .filter((kept) => kept !== null)
      .map((kept) => JSON.parse(kept) as Trail)
      .filter((trail) => trail.rows.some((row) => row.id === id))
      .sort((a, b) => b.at - a.at)
    const trail = trails[0]
    if (!trail) return undefined
    const at = trail.rows.findIndex((row) => row.id === id)
    return {
      href: trail.href,
      many: trail.many,
      position: at + 1,
      count: trail.rows.length,
      previous: trail.rows[at - 1]?.link,
      next: trail.rows[at + 1]?.link,
    }
  } catch {
    return undefined
  }
}
