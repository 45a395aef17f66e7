import type { LinkProps } from "@tanstack/react-router"

interface Trail {
  /** The list in words: "claims". */
  many: string
  /** Where the list was, filters and all. */
  href: string
  rows: { id: string; link: LinkProps }[]
}

const key = (list: string) => `milkwood-trail-${list}`

/** Keeps which rows a list showed when one of them was opened, so that its record page knows the next. */
export function rememberTrail(list: string, many: string, rows: Trail["rows"]) {
  try {
    const href = window.location.pathname + window.location.search
    sessionStorage.setItem(key(list), JSON.stringify({ many, href, rows } satisfies Trail))
  } catch {
    // Without storage there is no next and previous; nothing else is lost.
  }
}

/** The neighbours of a record within the list that one came from. */
export function readTrail(list: string, id: string) {
  try {
    const kept = sessionStorage.getItem(key(list))
    if (kept === null) return undefined
    const trail = JSON.parse(kept) as Trail
    const at = trail.rows.findIndex((row) => row.id === id)
    if (at === -1) return undefined
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
