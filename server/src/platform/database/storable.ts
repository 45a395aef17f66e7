import type { FieldError } from "@milkwood/domain/kernel/procedure"

/**
 * Every text in a value that PostgreSQL cannot keep, by its path: it knows no NUL, and half of a surrogate pair is no
 * character. Looked for before any work, so that it is a wrong field and not a failure of the database.
 */
export function unstorable(value: unknown, path: readonly string[] = []): FieldError[] {
  if (typeof value === "string") {
    const storable = value.isWellFormed() && !value.includes("\0")
    return storable ? [] : [{ path: path.join("."), message: "This text holds characters that cannot be stored." }]
  }
  if (value === null || typeof value !== "object") return []
  return Object.entries(value).flatMap(([key, inner]) => unstorable(inner, [...path, key]))
}
