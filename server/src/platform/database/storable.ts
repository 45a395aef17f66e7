import type { FieldError } from "@milkwood/domain/kernel/procedure"

const maxJsonDepth = 50

/**
 * Paths of texts that PostgreSQL cannot store: NUL and lone surrogates. Checked first, so that they are refused as
 * wrong fields and not as a database failure.
 */
export function findUnstorableValues(value: unknown): FieldError[] {
  const wrong: FieldError[] = []
  const found: { value: unknown; path: string[] }[] = [{ value, path: [] }]
  for (let next = found.pop(); next; next = found.pop()) {
    const { value, path } = next
    const refuse = (message: string) => wrong.push({ path: path.join("."), message })
    if (typeof value === "string") {
      if (!value.isWellFormed() || value.includes("\0")) refuse("This text contains characters that cannot be stored.")
    } else if (typeof value === "object" && value !== null) {
      if (path.length >= maxJsonDepth) refuse("This is nested too deeply.")
      else for (const [key, inner] of Object.entries(value)) found.push({ value: inner, path: [...path, key] })
    }
  }
  return wrong.reverse()
}
