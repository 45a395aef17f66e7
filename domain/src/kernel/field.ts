import type { Column } from "./list.ts"

/** A field of custom reports: a list column with options. The server maps it to SQL. */
export interface Field extends Column {
  /** Visible only to roles that may see medical details or full ID numbers. */
  guarded?: "medical" | "identity"
  groups?: true
  /** A sum makes no sense: an age, a day of the month. */
  adds?: false
}

export type Fields = Readonly<Record<string, Field>>
