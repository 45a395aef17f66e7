import { performance } from "node:perf_hooks"
import { sql } from "drizzle-orm"
import { figuresOf } from "../server/src/collection/owed.queries.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { openBook, readers } from "./book.ts"
import { signIn, start } from "./lists.ts"
import { type Bench, type Measured, median, must, percentile95 } from "./measure.ts"
import { processorTime } from "./processor-time.ts"

const rounds = 40

/**
 * The page of premium collection over 5,000 policies with a year of invoices, receipts, calls and promises, over HTTP:
 * as it is opened, of a month, by tab, sorted, searched. Against one hand-written statement with the same totals.
 */
export const collection: Bench = {
  name: "collection",
  async run(say, flags) {
    const book = await openBook(say, "debtors", { anew: flags.has("anew") })
    const database = new Database(book.url, { maxConnections: 2 })
    const server = await start(book, "product")
    try {
      const manager = await signIn(server.url, readers.manager)
      const today = Temporal.Now.plainDateISO("UTC").toString()
      const month = Temporal.PlainDate.from(today).subtract({ months: 1 }).toString().slice(0, 7)
      const staff = database.direct("staff")
      const calls: [what: string, input: object, of?: string][] = [
        ["as it is opened", {}],
        ["of a month", { month }, `${month}-01`],
        ["overdue", { status: "Overdue" }],
        ["sorted by group", { sort: "groupName", dir: "asc" }],
        ["sorted by rate", { sort: "rate", dir: "asc" }],
        ["page 100", { page: 100 }],
        ["searched by group", { search: "baobab" }],
        ["promised", { standing: "promised" }],
      ]
      const measured: Measured[] = []
      for (const [what, input, of] of calls) {
        const ours: number[] = []
        const bare: number[] = []
        let work = 0
        for (let round = 0; round <= rounds; round++) {
          const worked = processorTime(server.pid, book.postmaster())
          const from = performance.now()
          const { status } = await manager.call("collection.list", input)
          const between = performance.now()
          must(status === 200, `${what} is answered`)
          const spent = processorTime(server.pid, book.postmaster()) - worked
          const asked = performance.now()
          await staff.rows(sql`
            select p.number, f.* from (${figuresOf(of, today)}) f join policies p on p.id = f.policy_id
            order by f."outstandingCents" desc limit 25`)
          // The first of each warms up.
          if (round === 0) continue
          ours.push(between - from)
          bare.push(performance.now() - asked)
          work += spent / rounds
        }
        measured.push({
          what: `collection over 5,000 policies, ${what}, median`,
          ours: median(ours),
          reference: median(bare),
          unit: "ms",
          against: "its figures and a page of them by one statement",
          also: [
            { what: "95th percentile", value: percentile95(ours), unit: "ms", atMost: 100 },
            { what: "the processor's time of a call, server and database", value: work, unit: "ms" },
          ],
        })
      }
      return measured
    } finally {
      await server.stop()
      await database.close()
      await book.close()
    }
  },
}
