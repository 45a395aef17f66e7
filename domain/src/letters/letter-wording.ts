import type { FieldError } from "../kernel/procedure.ts"
import {
  fillTemplate,
  missingFieldMessage,
  missingFields,
  unknownFieldMessage,
  unknownFields,
} from "../platform/mail-template.ts"
import type { LetterBlock, LetterWording } from "./letter.ts"
import type { LetterText } from "./letter-shape.ts"
import type { LetterTemplate, LetterValues } from "./letter-templates.ts"

/** Unknown placeholders of title and text, and required ones that the text lacks, by path. */
export function letterTemplateErrors(template: LetterTemplate, words: LetterText): FieldError[] {
  return [
    ...(["title", "text"] as const).flatMap((path) =>
      unknownFields(template.fields, words[path]).map((name) => ({ path, message: unknownFieldMessage(name) })),
    ),
    ...missingFields(template, words.text).map((name) => ({ path: "text", message: missingFieldMessage(name) })),
  ]
}

const tableField = /^\{([^{}]+)\}$/

/**
 * The wording of a letter: placeholders are replaced once, so braces in values remain. A paragraph that is only the
 * placeholder of a table becomes the table; elsewhere a table is printed as lines. Empty paragraphs are left out.
 */
export function fillLetter(
  words: LetterText,
  values: LetterValues,
  { addressee, reference }: Pick<LetterWording, "addressee" | "reference">,
): LetterWording {
  const texts = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string"
        ? value
        : value.map((row) => (row.value ? `${row.label}: ${row.value}` : row.label)).join("\n"),
    ]),
  )
  const blocks = words.text.split(/\n\s*\n/).flatMap((paragraph): LetterBlock[] => {
    const name = tableField.exec(paragraph.trim())?.[1]
    const table = name === undefined ? undefined : values[name]
    if (Array.isArray(table)) return table.length > 0 ? [{ rows: table }] : []
    return fillTemplate(paragraph, texts)
      .split(/\n\s*\n/)
      .map((text) => text.trim())
      .filter((text) => text !== "")
      .map((text) => ({ text }))
  })
  const title = fillTemplate(words.title, texts).replace(/\s+/g, " ").trim()
  return { title, addressee, reference, blocks }
}
