import { Readable } from "node:stream"
import { finished } from "node:stream/promises"
import { factName } from "@milkwood/domain/platform/trail-words"
import { type SQL, sql } from "drizzle-orm"
import { ZipFile } from "yazl"
import type { Cx } from "../platform/calls/commands.ts"
import { NoSuchFile } from "../platform/files/storage.ts"
import { streamCsv } from "../platform/lists/csv.ts"
import { archiveSectionsOf, documentsOfPerson } from "./about-person.queries.ts"

const batchRows = 500

export interface ArchiveSubject {
  memberId: string
  number: string
  name: string
  organisation: string
  askedBy: string
  askedAt: string
}

export interface ArchiveContents {
  documents: number
  missing: string[]
}

/**
 * Streams everything recorded about a person as a zip of CSVs and documents. Memory use is one batch of rows and the
 * zip's buffer. Fills `contents`. If the reader stops early (`return`), it closes documents and stops using the
 * transaction.
 */
export async function* streamPersonArchive(
  cx: Cx,
  about: ArchiveSubject,
  contents: ArchiveContents,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  let reading: Readable | undefined
  let isStopped = false
  const add = async (content: Readable, name: string): Promise<void> => {
    reading = content
    if (isStopped) content.destroy()
    else zip.addReadStream(content, name)
    // The zip only pipes: an unread stream would stay open, and this would never resolve.
    await finished(content, { writable: false })
  }
  const fill = async (): Promise<void> => {
    const sections = archiveSectionsOf(about.memberId)
    for (const { name, rows } of sections) await add(Readable.from(streamRowsAsCsv(cx, rows)), `${name}.csv`)
    const names = new Set<string>()
    for (const { folder, name, fileId } of await cx.tx.rows<{ folder: string; name: string; fileId: string }>(
      documentsOfPerson(about.memberId),
    )) {
      const path = uniqueName(names, `documents/${folder}/${name.replace(/[\\/:*?"<>|\p{Cc}]|^\.+/gu, "_")}`)
      const file = await cx.app.files.read(cx.tx, fileId)
      const content = await file.open().catch((error: unknown) => {
        if (error instanceof NoSuchFile) return undefined
        throw error
      })
      if (!content) contents.missing.push(path)
      else {
        await add(content, path)
        contents.documents += 1
      }
    }
    const missing = contents.missing.map((path) => `\r\nNo longer available: ${path}`).join("")
    await add(Readable.from([readMeText(about, sections) + missing]), "read me.txt")
    zip.end()
  }
  const output = zip.outputStream as Readable
  const filled = fill().catch((error: Error) => void output.destroy(error))
  try {
    yield* output as AsyncIterable<Buffer>
  } finally {
    isStopped = true
    reading?.destroy()
    await filled
  }
}

const readMeText = (
  { name, number, organisation, askedBy, askedAt }: ArchiveSubject,
  sections: { name: string; words: string }[],
) =>
  [
    `Everything that ${organisation} has recorded about ${name} (${number}).`,
    `Created on ${askedAt} for ${askedBy}. Times are in UTC, amounts in cents.`,
    "",
    ...sections.map(({ name, words }) => `${name}.csv: ${words}.`),
    "documents: every document of the person's claims and nominations, in a folder for each.",
    "",
  ].join("\r\n")

function uniqueName(taken: Set<string>, wanted: string): string {
  let name = wanted
  for (let nth = 2; taken.has(name); nth++) name = wanted.replace(/(\.[^./]*)?$/, ` (${nth})$1`)
  taken.add(name)
  return name
}

async function* streamRowsAsCsv({ tx }: Cx, rows: SQL): AsyncGenerator<string> {
  const read = async function* () {
    for (;;) {
      const some = await tx.rows<Record<string, unknown>>(sql.raw(`fetch ${batchRows} from about_person`))
      yield some
      if (some.length < batchRows) return
    }
  }
  await tx.run(sql`declare about_person no scroll cursor for ${rows}`)
  const batches = read()
  const first = (await batches.next()).value ?? []
  const names = Object.keys(first[0] ?? {})
  if (names.length === 0) yield "Nothing is recorded.\r\n"
  else {
    const columns = names.map((name) => ({
      title: factName(name.replaceAll("_", " ")),
      value: (row: Record<string, unknown>) => cellOf(row[name]),
    }))
    yield* streamCsv(
      columns,
      (async function* () {
        yield first
        yield* batches
      })(),
    )
  }
  await tx.run(sql`close about_person`)
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  if (typeof value === "number" || typeof value === "string") return value
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
