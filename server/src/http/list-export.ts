import { PassThrough } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { fieldOf, type ListWords } from "@milkwood/domain/kernel/list"
import { listInput } from "@milkwood/domain/kernel/list-shape"
import { sql } from "drizzle-orm"
import { z } from "zod"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, invalidInput } from "../platform/calls/commands.ts"
import { CallerDisconnected } from "../platform/database/database.ts"
import { streamCsv } from "../platform/lists/csv.ts"
import { type FileColumn, fileColumn } from "../platform/lists/file-column.ts"
import type { List } from "../platform/lists/list.ts"
import { streamXlsx } from "../platform/lists/xlsx.ts"
import { record } from "../platform/trail/facts.ts"
import { download } from "./download.ts"
import type { HttpRoute, RouteCx } from "./file-route.ts"

const rowsPerBatch = 500
const exportTimeout = "5min"
const stallCheckMs = 3_000

const exportQuery = z.object({
  columns: z.string().max(2_000).default(""),
  ids: z
    .string()
    .max(10_000)
    .transform((text) => text.split(","))
    .pipe(z.array(z.uuid()))
    .optional(),
})

const mimeTypes = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

/**
 * Exports the filtered or selected rows of a list as CSV or Excel, in the requested columns. Rows are streamed from a
 * cursor. Each export is recorded with its user.
 *
 *     GET /api/members.csv?search=nkosi&status=Active&sort=name&dir=asc&columns=name,number,status
 *     GET /api/members.xlsx?…
 *
 * `more`: further fields of the list's contract. `inWords`: turns a row's codes into words.
 */
export const exportList = <D extends ListWords, Row>(
  list: List<D, Row>,
  more: z.ZodRawShape = {},
  inWords?: RowFormatter,
): HttpRoute[] => [
  exportListAs("csv", "CSV", list, more, inWords),
  exportListAs("xlsx", "an Excel workbook", list, more, inWords),
]

type RowFormatter = (row: object, cx: Cx) => object

function exportListAs<D extends ListWords, Row>(
  format: keyof typeof mimeTypes,
  as: string,
  list: List<D, Row>,
  more: z.ZodRawShape,
  inWords: RowFormatter | undefined,
): HttpRoute {
  const { key, noun, permission, columns, tabs } = list.declared
  const input = listInput(list.declared, more)
  const path = `/api/${key}.${format}`
  const title = `${noun.many.charAt(0).toUpperCase()}${noun.many.slice(1)}`
  const words = { query: exportInputOf(input) }
  return download({ path, permission, summary: `Export ${noun.many} as ${as}`, words }, async (cx) => {
    const { asked, ...chosen } = readExport(input, cx.query)
    const named = chosen.columns.split(",").filter((name) => Object.hasOwn(columns, name))
    const shown = (named.length > 0 ? named : Object.keys(columns)).map((name) => [name, columns[name]!] as const)
    const read = new Set([
      ...shown.flatMap(([name, { of = name }]) => (of === "." ? ["firstName", "lastName"] : of.split(".")[0]!)),
      ...shown.flatMap(([, { noneOf = [] }]) => noneOf),
      ...(tabs ? [tabs.by] : []),
    ])
    const wording = await cx.app.moment()
    const written: FileColumn<object>[] = shown.map(([name, column]) =>
      fileColumn(column, (row) => fieldOf(row, name, column), wording),
    )

    async function* readBatches(inner: Cx): AsyncGenerator<object[]> {
      await inner.tx.run(
        sql`declare listed no scroll cursor for ${list.export(asked as object, inner, [...read], { only: chosen.ids })}`,
      )
      for (;;) {
        const rows = await inner.tx.rows<object>(sql.raw(`fetch ${rowsPerBatch} from listed`))
        yield inWords ? rows.map((row) => inWords(row, inner)) : rows
        if (rows.length < rowsPerBatch) return
      }
    }
    const { today, stream } = await streamFile(cx, key, (inner) =>
      format === "csv" ? streamCsv(written, readBatches(inner)) : streamXlsx(title, written, readBatches(inner)),
    )
    return { name: `${exportFileName(key, asked as object, today)}.${format}`, mime: mimeTypes[format], stream }
  })
}

export const exportInputOf = (input: z.ZodType): z.ZodType =>
  (input as z.ZodObject<z.ZodRawShape>).omit({ page: true, pageSize: true, after: true, before: true }).extend({
    columns: z.string().optional().meta({ description: "Column names, separated by commas; default: all columns" }),
    ids: z.string().optional().meta({ description: "Ids of the rows to export, separated by commas" }),
  })

export function readExport<Input>(input: z.ZodType<Input>, query: Record<string, string | undefined>) {
  const { page: _page, pageSize: _size, columns, ids, ...filters } = query
  const asked = parseOrRefuse(input, Object.fromEntries(Object.entries(filters).map(parseFlag)))
  return { asked, ...parseOrRefuse(exportQuery, { columns, ids }) }
}

export const listExportedFact = (list: string) =>
  ({ type: "ListExported", record: { kind: "list", id: null, label: list }, groupId: null }) as const

/**
 * Streams a file from one transaction, which lasts until the reader finishes or disconnects. Occupies one export slot
 * and is audited.
 */
function streamFile(
  cx: RouteCx,
  list: string,
  pieces: (inner: Cx) => AsyncGenerator<string | Buffer>,
): Promise<{ today: Day; stream: PassThrough }> {
  return new Promise((resolve, reject) => {
    const stream = new PassThrough()
    // An error on a stream without a listener would end the process.
    stream.on("error", () => {})
    const send = async (inner: Cx): Promise<void> => {
      await inner.tx.run(sql.raw(`set local statement_timeout = '${exportTimeout}'`))
      const chunks = pieces(inner)
      // The first chunk is read before the response, so that an early failure is a refusal, not a truncated file.
      const first = await chunks.next()
      resolve({ today: inner.today, stream })
      stream.write(first.value)
      await streamUntilStalled(cx, chunks, stream)
    }
    cx.app.limits.exports
      .hold(
        async () => {
          await cx.transaction((inner) => record(inner, [listExportedFact(list)]))
          await cx.transaction(send, cx.signal)
        },
        cx.signal,
        { owner: actorUserId(cx.actor) ?? "" },
      )
      .catch((error: Error) => {
        stream.destroy(error)
        reject(error)
      })
  })
}

async function streamUntilStalled(
  cx: RouteCx,
  chunks: AsyncGenerator<string | Buffer>,
  stream: PassThrough,
): Promise<void> {
  let stood = false
  stream.on("drain", () => {
    stood = false
  })
  const look = setInterval(() => {
    if (stood && cx.app.limits.exports.isWanted) stream.destroy(new CallerDisconnected())
    stood = stream.writableNeedDrain
  }, stallCheckMs)
  try {
    await pipeline(chunks, stream)
  } finally {
    clearInterval(look)
  }
}

export function exportFileName(key: string, asked: { account?: string; asOf?: Day }, today: Day): string {
  return [key, ...(asked.account ? [asked.account] : []), asked.asOf ?? today].join("-")
}

const parseFlag = ([name, text]: [string, string | undefined]): [string, unknown] => [
  name,
  text === "true" ? true : text === "false" ? false : text,
]

function parseOrRefuse<Output>(schema: z.ZodType<Output>, values: unknown): Output {
  const read = schema.safeParse(values)
  if (read.success) return read.data
  throw invalidInput(read.error.issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message })))
}
