import { sql } from "drizzle-orm"
import { Database } from "../server/src/platform/database/database.ts"
import { containsPattern, searchPattern } from "../server/src/platform/database/like.ts"
import { compareWithStatement } from "./beside.ts"
import { type Book, readers } from "./book.ts"
import type { Samples } from "./list-calls.ts"
import { membersPage } from "./lists.references.ts"
import { type Measured, requireTrue } from "./measure.ts"
import { type Server, signIn } from "./server.ts"

const searches = ["two letters", "common name", "one letter", "group"]
const rounds = 12

/**
 * Member searches with many matches over HTTP, against one hand-written statement with the same page (25 rows with
 * policy, group and tier, by name) and count.
 */
export async function measureHandWrittenSearches(book: Book, server: Server, samples: Samples): Promise<Measured[]> {
  const database = new Database(book.url)
  const staff = database.pool("staff")
  const measured: Measured[] = []
  try {
    for (const reader of ["manager", "brokerage"] as const) {
      const person = await signIn(server.url, readers[reader])
      const groups = await groupsOf(database, readers[reader])
      for (const kind of searches) {
        const text = samples.searches[kind]!
        const statement = handWrittenSearch(text, groups)
        const bare = () => staff.query(statement)
        const found = (await bare()).rows.map(({ id }) => id)
        const shown = await person.read("members.list", { search: text })
        requireTrue(shown.rows.map(({ id }) => id).join() === found.join(), `both find the same by ${kind}`)
        measured.push({
          ...(await compareWithStatement({
            what: `search of members, ${kind}, as ${reader}`,
            rounds,
            call: () => person.call("members.list", { search: text }),
            bare,
            against: "one hand-written statement",
            pids: [server.pid, book.postmaster()],
          })),
          atMost: 1.5,
        })
      }
    }
  } finally {
    await database.close()
  }
  return measured
}

async function groupsOf(database: Database, email: string): Promise<string[]> {
  const groups = await database.direct("owner").rows<{ id: string }>(sql`
    select g.group_id as id from user_groups g join users u on u.id = g.user_id where u.email = ${email}`)
  return groups.map(({ id }) => id)
}

function handWrittenSearch(text: string, groups: string[]): { text: string; values: unknown[] } {
  const pattern = searchPattern(text)
  const has = pattern === containsPattern(text) ? "like" : "~"
  const matches = `(m.search_key ${has} $1
    or m.group_id = any (array(select id from employer_groups where lower(name) ${has} $1)))
    ${groups.length > 0 ? "and m.group_id = any ($2)" : ""}`
  return {
    text: `
    with hits as materialized (select m.status from members m where ${matches} limit 2501)
    ${membersPage(
      `select * from members m where ${matches} order by last_name_key, name_key, id limit 25`,
      `, p.status as "policyStatus",
      (select jsonb_object_agg(status, n) from (select status, count(*) as n from hits group by 1) s) as counts`,
    )}`,
    values: groups.length > 0 ? [pattern, groups] : [pattern],
  }
}
