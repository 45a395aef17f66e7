import { sql } from "drizzle-orm"
import { figuresSql } from "../server/src/collection/owed.queries.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { compareWithStatement } from "./beside.ts"
import { openBook, readers } from "./book.ts"
import type { Bench, Measured } from "./measure.ts"
import { signIn, startServer } from "./server.ts"

const rounds = 40

export const collection: Bench = {
  name: "collection",
  async run(say, flags) {
    const book = await openBook(say, "debtors", { anew: flags.has("anew") })
    const database = new Database(book.url, { maxConnections: 2 })
    const server = await startServer(book, "product")
    try {
      const manager = await signIn(server.url, readers.manager)
      const today = Temporal.Now.plainDateISO("UTC").toString()
      const month = Temporal.PlainDate.from(today).subtract({ months: 1 }).toString().slice(0, 7)
      const staff = database.direct("staff")
      const calls: [what: string, input: object, of?: string][] = [
        ["as it is opened", {}, `${today.slice(0, 7)}-01`],
        ["of a month", { month }, `${month}-01`],
        ["of all months", { month: "all" }],
        ["overdue", { month: "all", tab: "Overdue" }],
        ["sorted by group", { month: "all", sort: "groupName", dir: "asc" }],
        ["sorted by rate", { month: "all", sort: "rate", dir: "asc" }],
        ["page 100", { month: "all", page: 100 }],
        ["searched by group", { month: "all", search: "baobab" }],
        ["promised", { month: "all", standing: "promised" }],
      ]
      const measured: Measured[] = []
      for (const [what, input, of] of calls) {
        measured.push(
          await compareWithStatement({
            what: `collection over 5,000 policies, ${what}`,
            rounds,
            call: () => manager.call("collection.list", input),
            bare: () =>
              staff.rows(sql`
                select p.number, f.* from (${figuresSql(of ?? "all", today)}) f join policies p on p.id = f.policy_id
                order by f."outstandingCents" desc limit 25`),
            against: "its figures and a page in one statement",
            pids: [server.pid, book.postmaster()],
          }),
        )
      }
      return measured
    } finally {
      await server.stop()
      await database.close()
      await book.close()
    }
  },
}
