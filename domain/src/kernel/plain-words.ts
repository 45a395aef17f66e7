import { z } from "zod"

const typeNouns: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a set of fields",
}

const formatNouns: Record<string, string> = {
  email: "This is not an e-mail address",
  uuid: "This is not a record id",
  datetime: "Enter a time like 2026-11-20T08:00:00Z",
}

/** Replaces zod's default messages, which are written for programmers. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined || issue.input === null) return "This is missing"
      return `This must be ${typeNouns[issue.expected] ?? "of another type"}`
    case "too_big":
      return `At most ${issue.maximum}${unitText(issue.origin)}`
    case "too_small":
      return `At least ${issue.minimum}${unitText(issue.origin)}`
    case "invalid_format":
      return formatNouns[issue.format] ?? "This has the wrong format"
    case "invalid_value":
      return `This must be one of: ${issue.values.map(String).join(", ")}`
    case "unrecognized_keys":
      return `Unknown fields: ${issue.keys.slice(0, 5).join(", ").slice(0, 100)}`
    default:
      return "This value is not allowed here"
  }
}

const unitText = (origin: string): string =>
  origin === "string" ? " characters" : origin === "array" ? " entries" : ""

z.config({ customError: describeIssue })
