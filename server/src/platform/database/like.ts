/** LIKE patterns for comparison with lower-case columns; the text's own wildcards are taken literally. */
const literal = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, "\\$&")

/** Finds the text anywhere. */
export const containing = (text: string): string => `%${literal(text)}%`

/** Finds the text at the beginning: also for those under row-level security, since it can use a plain index. */
export const startingWith = (text: string): string => `${literal(text)}%`
