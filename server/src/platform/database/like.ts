import { type SQL, sql } from "drizzle-orm"

/** LIKE patterns for comparison with lower-case columns; the text's own wildcards are taken literally. */
const literal = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, "\\$&")

/**
 * What is looked for: a number that was typed or pasted in groups, 800101 5009 08 7 or (082) 555 0100, is the number;
 * a phone number is looked for as it is dialled here, +27 82 555 0100 as 0825550100.
 */
export const soughtOf = (text: string): string =>
  /^[+(]?\d[\d\s()]*$/.test(text.trim()) ? text.replace(/[\s()]/g, "").replace(/^\+27/, "0") : text

/** Finds the text anywhere. */
export const containing = (text: string): string => `%${literal(text)}%`

/** Finds the text at the beginning. */
export const startingWith = (text: string): string => `${literal(text)}%`

/**
 * What a search compares with (`has`): the text anywhere, as a LIKE pattern, or one or two letters where a word begins
 * with them, since the trigram indexes know no shorter text inside one. That is a regular expression: an index is gone
 * through once for it, where LIKE takes a pattern each for the first word, the next ones and those of another line.
 */
export const searchPattern = (text: string): string =>
  text.length < 3 ? `(^|[ \n])${text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}` : containing(text)

/**
 * The patterns of the words of a text, which match in any order: the longest word first, as `searchPattern`, then the
 * others as LIKE patterns.
 */
export function wordPatterns(text: string): [first: string, ...others: string[]] {
  const words = [...new Set(text.toLowerCase().trim().split(/\s+/))].sort((a, b) => b.length - a.length)
  const [first = "", ...others] = words
  return [searchPattern(first), ...others.map(containing)]
}

/** Whether a lower-case column has every word of a text (`wordPatterns`). */
export function hasWords(column: SQL, [first, ...others]: readonly [string, ...string[]]): SQL {
  if (others.length === 0) return has(column, first)
  return sql`(${sql.join([has(column, first), ...others.map((word) => sql`${column} like ${word}`)], sql` and `)})`
}

/** Whether a lower-case column has what the pattern looks for. */
export const has = (column: SQL, pattern: string): SQL =>
  pattern.startsWith("%") ? sql`${column} like ${pattern}` : sql`${column} ~ ${pattern}`
