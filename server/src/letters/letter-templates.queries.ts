import { type LetterKind, letterKindNames, letterKinds } from "@milkwood/domain/letters/letter"
import type { LetterTemplateRow, LetterText } from "@milkwood/domain/letters/letter-shape"
import { letterTemplates } from "@milkwood/domain/letters/letter-templates"
import { lettersContract } from "@milkwood/domain/letters/letters.contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"

interface StoredTemplate {
  kind: LetterKind
  version: number
  title: string
  text: string
  savedAt: string
  savedBy: string
}

const newestTemplates = sql`
  select distinct on (t.kind) t.kind, t.version, t.title, t.text, t.saved_at as "savedAt", u.name as "savedBy"
  from letter_templates t join users u on u.id = t.saved_by`

/** The current text; version 0 is the built-in text. */
export async function readTemplate(tx: Tx, kind: LetterKind): Promise<LetterText & { version: number }> {
  const row = await templateRow(tx, kind)
  return { title: row.title, text: row.text, version: row.version }
}

export async function templateRow(tx: Tx, kind: LetterKind): Promise<LetterTemplateRow> {
  const stored = await tx.row<StoredTemplate>(sql`
    ${newestTemplates} where t.kind = ${kind} order by t.kind, t.version desc`)
  return presentTemplate(kind, stored)
}

export const listTemplates = query(lettersContract.templates.list, async ({ tx }) => {
  const stored = await tx.rows<StoredTemplate>(sql`${newestTemplates} order by t.kind, t.version desc`)
  return letterKinds.map((kind) =>
    presentTemplate(
      kind,
      stored.find((row) => row.kind === kind),
    ),
  )
})

function presentTemplate(kind: LetterKind, stored: StoredTemplate | undefined): LetterTemplateRow {
  const { when, fields, required, initial } = letterTemplates[kind]
  const { title, text, version, savedAt, savedBy } = stored ?? { ...initial, version: 0, savedAt: null, savedBy: null }
  return {
    ...{ kind, label: letterKindNames[kind], when, title, text, version, savedBy },
    savedAt: savedAt && Temporal.Instant.from(savedAt).toString(),
    fields: Object.entries(fields).map(([name, { words }]) => ({ name, words, isRequired: required.includes(name) })),
    isDefault: title === initial.title && text === initial.text,
  }
}
