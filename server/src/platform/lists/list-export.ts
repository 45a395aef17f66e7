import { PassThrough } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Permission } from "@milkwood/domain/users/permission"
import { type SQL, sql } from "drizzle-orm"
import { z } from "zod"
import { download } from "../../http/download.ts"
import type { HttpRoute, RouteCx } from "../../http/file-route.ts"
import { actorUserId } from "../calls/actor.ts"
import { type Cx, invalid } from "../calls/commands.ts"
import { record } from "../trail/facts.ts"
import { type CsvColumn, csvHead, csvRows } from "./csv.ts"

/** How many rows are held at once. */
export const batchRows = 1_000
/** So long may the next rows of a list take, whose first ones may need all to be sorted. */
const patience = "5min"

interface ListExport<Input, Row> {
  path: string
  permission: Permission
  summary: string
  /** "members": what the trail calls the list, and its file. */
  list: string
  /** The input of the list's own contract; its page is not asked for. */
  input: z.ZodType<Input>
  /** By the keys that the screen gives its columns. */
  columns: Record<string, CsvColumn<Row>>
  /** The statement of the ids (`id`) that the input matches, in its order; `only` narrows it to some rows. */
  ids: (cx: Cx, input: Input, only: (column: SQL) => SQL) => SQL | Promise<SQL>
  /** The rows of these ids, in their order, as this reader may see them. */
  rows: (cx: Cx, ids: string[]) => Promise<Row[]>
}

export const choice = z.object({
  columns: z.string().max(2_000).default(""),
  ids: z
    .string()
    .max(10_000)
    .transform((text) => text.split(","))
    .pipe(z.array(z.uuid()))
    .optional(),
})

/**
 * A list as CSV: what is filtered, or the rows that were selected of it, in the columns asked for. Read through a
 * cursor and sent as it comes, so that a long list is never held. Who took it with them is on record.
 *
 *     GET /api/members.csv?search=nkosi&status=Active&sort=name&dir=asc&columns=name,number,status
 */
export function exportList<Input, Row>(options: ListExport<Input, Row>): HttpRoute {
  const { path, permission, summary, list, columns } = options
  return download({ path, permission, summary }, async (cx) => {
    const { page: _page, pageSize: _size, columns: keys, ids, ...filters } = cx.query
    const asked = parsed(options.input, Object.fromEntries(Object.entries(filters).map(readFlag)))
    const chosen = parsed(choice, { columns: keys, ids })
    const named = chosen.columns.split(",").flatMap((key) => (Object.hasOwn(columns, key) ? columns[key]! : []))
    const shown = named.length > 0 ? named : Object.values(columns)
    const only = (column: SQL): SQL =>
      chosen.ids ? sql`${column} = any (${sql.param(chosen.ids)}::uuid[])` : sql`true`

    const { today, stream } = await streamed(cx, list, async function* (inner) {
      let head = csvHead(shown)
      await inner.tx.run(sql`declare listed no scroll cursor for ${await options.ids(inner, asked, only)}`)
      for (;;) {
        const found = await inner.tx.rows<{ id: string }>(sql.raw(`fetch ${batchRows} from listed`))
        const rows = found.map(({ id }) => id)
        yield head + csvRows(shown, rows.length > 0 ? await options.rows(inner, rows) : [])
        head = ""
        if (rows.length < batchRows) return
      }
    })
    return { name: `${list}-${today}.csv`, mime: "text/csv; charset=utf-8", stream }
  })
}

/** These ids with their places, as the table `asked (id, place)`: rows that join it come back in their order. */
export const inPlace = (ids: string[]): SQL =>
  sql`unnest(${sql.param(ids)}::uuid[]) with ordinality as asked (id, place)`

/**
 * The lines as a stream, of one transaction that lasts until the reader has them all or goes away; it takes one place
 * among the exports, and is on record.
 */
export function streamed(
  cx: RouteCx,
  list: string,
  lines: (inner: Cx) => AsyncGenerator<string>,
): Promise<{ today: Day; stream: PassThrough }> {
  return new Promise((resolve, reject) => {
    const stream = new PassThrough()
    // Before it has a reader nobody else listens, and an error that nobody listens to ends the process.
    stream.on("error", () => {})
    const send = async (inner: Cx): Promise<void> => {
      await inner.tx.run(sql.raw(`set local statement_timeout = '${patience}'`))
      const chunks = lines(inner)
      // What fails at once is still answered with a refusal, not with a file that breaks off.
      const first = await chunks.next()
      resolve({ today: inner.today, stream })
      stream.write(first.value)
      await pipeline(chunks, stream)
    }
    const taken = { type: "ListExported", record: { kind: "list", id: null, label: list }, groupId: null } as const
    cx.app.limits.exports
      .hold(
        async () => {
          await cx.transaction((inner) => record(inner, [taken]))
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

/** On and off, as an address has them. */
export const readFlag = ([name, text]: [string, string | undefined]): [string, unknown] => [
  name,
  text === "true" ? true : text === "false" ? false : text,
]

export function parsed<Output>(schema: z.ZodType<Output>, values: unknown): Output {
  const read = schema.safeParse(values)
  if (read.success) return read.data
  throw invalid(read.error.issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message })))
}
