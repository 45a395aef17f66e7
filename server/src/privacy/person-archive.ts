import { Readable } from "node:stream"
import { finished } from "node:stream/promises"
import { factName } from "@milkwood/domain/platform/trail-words"
import { type SQL, sql } from "drizzle-orm"
import { ZipFile } from "yazl"
import type { Cx } from "../platform/calls/commands.ts"
import { NoSuchFile } from "../platform/files/storage.ts"
import { csvOf } from "../platform/lists/csv.ts"
import { documentsAbout, sectionsAbout } from "./about-person.queries.ts"

const batchRows = 500

export interface About {
  memberId: string
  number: string
  name: string
  organisation: string
  askedBy: string
  askedAt: string
}

/** What went into an archive. */
export interface Contents {
  documents: number
  /** Documents whose file is not where it was. */
  missing: string[]
}

/**
 * Everything recorded about a person as a zip, in pieces as they come: a table as CSV for each kind of record, and every
 * document. What is held is one batch of rows and the zip's buffer. `contents` is filled in as it goes. A reader who stops
 * early ends it (`return`): from then on no document is open, and nothing more is asked of the transaction.
 */
export async function* personArchive(cx: Cx, about: About, contents: Contents): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  /** What is being read into it. */
  let reading: Readable | undefined
  let isStopped = false
  const add = async (content: Readable, name: string): Promise<void> => {
    reading = content
    if (isStopped) content.destroy()
    else zip.addReadStream(content, name)
    // The zip only pipes: what nobody reads any more would stay open, and this wait for ever.
    await finished(content, { writable: false })
  }
  const fill = async (): Promise<void> => {
    const sections = sectionsAbout(about.memberId)
    for (const { name, rows } of sections) await add(Readable.from(csvOfRows(cx, rows)), `${name}.csv`)
    const names = new Set<string>()
    for (const { claim, name, fileId } of await cx.tx.rows<{ claim: string; name: string; fileId: string }>(
      documentsAbout(about.memberId),
    )) {
      const path = freeName(names, `documents/${claim}/${name.replace(/[\\/:*?"<>|\p{Cc}]|^\.+/gu, "_")}`)
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
    const missing = contents.missing.map((path) => `\r\nNot there any more: ${path}`).join("")
    await add(Readable.from([readMe(about, sections) + missing]), "read me.txt")
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

const readMe = ({ name, number, organisation, askedBy, askedAt }: About, sections: { name: string; words: string }[]) =>
  [
    `Everything that ${organisation} has recorded about ${name} (${number}).`,
    `Made on ${askedAt} for ${askedBy}. Moments are in UTC, amounts in cents.`,
    "",
    ...sections.map(({ name, words }) => `${name}.csv: ${words}.`),
    "documents: every document of the person's claims, in a folder for each claim.",
    "",
  ].join("\r\n")

/** A name that no other entry of the archive has. */
function freeName(taken: Set<string>, wanted: string): string {
  let name = wanted
  for (let nth = 2; taken.has(name); nth++) name = wanted.replace(/(\.[^./]*)?$/, ` (${nth})$1`)
  taken.add(name)
  return name
}

/** The rows of a select as CSV, by the names of its columns. */
async function* csvOfRows({ tx }: Cx, rows: SQL): AsyncGenerator<string> {
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
    yield* csvOf(
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
