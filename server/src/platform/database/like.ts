import { type SQL, sql } from "drizzle-orm"

/** LIKE patterns for lower-case columns; wildcards in the text are escaped. */
const escapeLikePattern = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, "\\$&")

/**
 * Removes the spaces of a grouped number, such as 800101 5009 08 7 or (082) 555 0100. Turns +27 82 555 0100 into
 * 0825550100.
 */
export const normalizeSearchText = (text: string): string =>
  /^[+(]?\d[\d\s()]*$/.test(text.trim()) ? text.replace(/[\s()]/g, "").replace(/^\+27/, "0") : text

export const containsPattern = (text: string): string => `%${escapeLikePattern(text)}%`

export const prefixPattern = (text: string): string => `${escapeLikePattern(text)}%`

/**
 * The pattern for `has`: a LIKE pattern, or for one or two letters a regular expression at word starts. Trigram indexes
 * cannot match shorter text. One regular expression needs one index scan; LIKE would need several patterns.
 */
export const searchPattern = (text: string): string =>
  text.length < 3 ? `(^|[ \n])${text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}` : containsPattern(text)

export function wordPatterns(text: string): [first: string, ...others: string[]] {
  const words = [...new Set(text.toLowerCase().trim().split(/\s+/))].sort((a, b) => b.length - a.length)
  const [first = "", ...others] = words
  return [searchPattern(first), ...others.map(containsPattern)]
}

export function matchesWords(column: SQL, [first, ...others]: readonly [string, ...string[]]): SQL {
  if (others.length === 0) return matchesPattern(column, first)
  return sql`(${sql.join([matchesPattern(column, first), ...others.map((word) => sql`${column} like ${word}`)], sql` and `)})`
}

export const matchesPattern = (column: SQL, pattern: string): SQL =>
  pattern.startsWith("%") ? sql`${column} like ${pattern}` : sql`${column} ~ ${pattern}`

/** Values for a SQL file: `word` or `short_word`, then `second_word`, `more_words`. */
export function wordValues(text: string) {
  const [first, second, ...more] = wordPatterns(text)
  return { ...patternValues("word", first), second_word: second, more_words: more.length > 0 ? more : undefined }
}

/** `name` is a LIKE pattern, `short_name` a regular expression. */
export const patternValues = <N extends string>(name: N, pattern: string) =>
  ({ [pattern.startsWith("%") ? name : `short_${name}`]: pattern }) as { [K in N | `short_${N}`]?: string }
