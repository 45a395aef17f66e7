interface Opening {
  documentId: string
  /** Id of the account. */
  byId: string | null
  by: string
  /** ISO 8601. */
  at: string
}

/** Another opening by the same account within this time counts as the same one: viewers load a page at a time. */
export const repeatedOpeningMinutes = 10

/** The openings that count, in the given order: earliest first. */
export function countedOpenings<T extends Opening>(openings: readonly T[]): T[] {
  const last = new Map<string, number>()
  return openings.filter(({ documentId, byId, by, at }) => {
    const key = JSON.stringify([documentId, byId ?? by])
    const time = Temporal.Instant.from(at).epochMilliseconds
    if (time - (last.get(key) ?? Number.NEGATIVE_INFINITY) < repeatedOpeningMinutes * 60_000) return false
    last.set(key, time)
    return true
  })
}

/** Accounts that opened a document. */
export const openerCount = (openings: readonly Opening[]): number =>
  new Set(openings.map(({ byId, by }) => byId ?? by)).size
