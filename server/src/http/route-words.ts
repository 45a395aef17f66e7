import type { z } from "zod"

/** What the description of the API says of a route beside the contract: what it takes and what it answers. */
export interface RouteWords {
  /** What its address may carry. */
  query?: z.ZodType
  /** The text fields of an upload, sent before the file, by name: what each is. */
  fields?: Record<string, string>
  /** The same, of fields that may be left out. */
  optionalFields?: Record<string, string>
  /** The media type of the file that it answers with; by default that of the end of its address. */
  mediaType?: string
  /** The ids that an upload answers with, by name; without them it answers with the record. */
  answers?: readonly string[]
}
