import { fieldOf, type ListWords } from "@milkwood/domain/kernel/list"
import { listInput } from "@milkwood/domain/kernel/list-shape"
import { sql } from "drizzle-orm"
import { download } from "../../http/download.ts"
import type { HttpRoute } from "../../http/file-route.ts"
import { type CsvColumn, cellOf, csvHead, csvRows } from "./csv.ts"
import type { List } from "./list.ts"
import { batchRows, choice, parsed, readFlag, streamed } from "./list-export.ts"

/**
 * A list as CSV: what is filtered, or the rows that were selected of it, in the columns asked for. Read through a
 * cursor and sent as it comes, so that a long list is never held. Who took it with them is on record.
 *
 *     GET /api/members.csv?search=nkosi&status=Active&sort=name&dir=asc&columns=name,number,status
 */
export function listFile<D extends ListWords, Row>(list: List<D, Row>): HttpRoute {
  const { key, noun, permission, columns, tabs } = list.declared
  const input = listInput(list.declared)
  const path = `/api/${key}.csv`
  const summary = `${noun.many.charAt(0).toUpperCase()}${noun.many.slice(1)} as CSV`
  return download({ path, permission, summary }, async (cx) => {
    const { page: _page, pageSize: _size, columns: keys, ids, ...filters } = cx.query
    const asked = parsed(input, Object.fromEntries(Object.entries(filters).map(readFlag)))
    const chosen = parsed(choice, { columns: keys, ids })
    const named = chosen.columns.split(",").filter((name) => Object.hasOwn(columns, name))
    const shown = (named.length > 0 ? named : Object.keys(columns)).map((name) => [name, columns[name]!] as const)
    // Whether something of a row is hidden may depend on where it stands.
    const read = new Set([...shown.map(([name, { of = name }]) => of.split(".")[0]!), ...(tabs ? [tabs.by] : [])])
    const timezone = await cx.app.timezone()
    const written: CsvColumn<object>[] = shown.map(([name, column]) => ({
      title: column.title,
      value: (row) => cellOf(column, fieldOf(row, name, column), timezone),
    }))

    const { today, stream } = await streamed(cx, key, async function* (inner) {
      const scope = { actor: inner.actor, today: inner.today, timezone }
      let head = csvHead(written)
      await inner.tx.run(
        sql`declare listed no scroll cursor for ${list.whole(asked as object, scope, [...read], chosen.ids)}`,
      )
      for (;;) {
        const rows = await inner.tx.rows<object>(sql.raw(`fetch ${batchRows} from listed`))
        yield head +
          csvRows(
            written,
            rows.map((row) => list.hidden(row, scope)),
          )
        head = ""
        if (rows.length < batchRows) return
      }
    })
    return { name: `${key}-${today}.csv`, mime: "text/csv; charset=utf-8", stream }
  })
}
