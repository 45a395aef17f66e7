import type { z } from "zod"

export interface RouteDescription {
  query?: z.ZodType
  /** An upload's text fields (sent before the file): name → description. */
  fields?: Record<string, string>
  optionalFields?: Record<string, string>
  /** The response's media type; default from the path's extension. */
  mediaType?: string
  /** Names of the ids that an upload returns; without them it returns the record. */
  answers?: readonly string[]
}
