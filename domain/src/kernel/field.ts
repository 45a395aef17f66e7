import type { Column } from "./list.ts"

/**
 * Something that people may put into a report of their own: a column as lists have it (kind, title, the words of a closed
 * list), and what may be done with it. Its expression stands on the server.
 */
export interface Field extends Column {
  /** Only those see it who may see what is medical, or numbers of identity in full. */
  guarded?: "medical" | "identity"
  /** Rows that share its value can be put together; of a day, those of a month. */
  groups?: true
  /** A number that means nothing added up: an age, a day of the month. */
  adds?: false
}

/** The fields of a kind of record, by their names. */
export type Fields = Readonly<Record<string, Field>>
