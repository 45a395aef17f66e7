import { Database } from "../server/src/platform/database/database.ts"
import { containing, searchPattern } from "../server/src/platform/database/like.ts"
import { beside } from "./beside.ts"
import { type Book, type Reader, readers } from "./book.ts"
import type { Person } from "./lists.ts"
import { type Measured, must } from "./measure.ts"

/** What finds very many members. */
const searches = {
  "two letters": "nk",
  "a common name": "nkosi",
  "one letter": "n",
  "the name of an employer": "protea",
}
const rounds = 12

/**
 * Searches of members that find very many, over HTTP, by turns with one hand-written statement that answers the same
 * page (25 rows with policy, group and tier, sorted by name) and counts as far.
 */
export async function searchesByHand(
  book: Book,
  pid: number,
  people: readonly (readonly [Reader, Person])[],
): Promise<Measured[]> {
  const database = new Database(book.url)
  const staff = database.pool("staff")
  const measured: Measured[] = []
  try {
    for (const [reader, person] of people) {
      const groups = await groupsOf(database, readers[reader])
      for (const [kind, text] of Object.entries(searches)) {
        const statement = byHand(text, groups)
        const bare = () => staff.query(statement)
        const found = (await bare()).rows.map(({ id }) => id)
        const shown = await person.read("members.list", { search: text })
        must(shown.rows.map(({ id }) => id).join() === found.join(), `both find the same by ${kind}`)
        measured.push({
          ...(await beside({
            what: `members by ${kind}, ${reader}`,
            rounds,
            call: () => person.call("members.list", { search: text }),
            bare,
            against: "one hand-written statement",
            pids: [pid, book.postmaster()],
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

/** The groups whose members somebody sees; none where they see all. */
async function groupsOf(database: Database, email: string): Promise<string[]> {
  const { rows } = await database
    .direct("owner")
    .client.query("select g.group_id as id from user_groups g join users u on u.id = g.user_id where u.email = $1", [
      email,
    ])
  return rows.map(({ id }: { id: string }) => id)
}

function byHand(text: string, groups: string[]): { text: string; values: unknown[] } {
  const pattern = searchPattern(text)
  const has = pattern === containing(text) ? "like" : "~"
  const matches = `(m.search_key ${has} $1
    or m.group_id = any (array(select id from employer_groups where lower(name) ${has} $1)))
    ${groups.length > 0 ? "and m.group_id = any ($2)" : ""}`
  return {
    text: `
    with hits as materialized (select m.status from members m where ${matches} limit 2501)
    select m.id, m.number, m.first_name, m.last_name, m.id_number, m.email, m.job_title, m.group_id, g.name as group_name,
      m.policy_id, p.number as policy_number, p.status as policy_status, p.premium_cents, t.name as tier_name, m.status,
      m.start_on, m.end_on, m.to_complete, m.version, (select count(*) from dependents d where d.member_id = m.id) as dependents,
      (select jsonb_object_agg(status, n) from (select status, count(*) as n from hits group by 1) s) as counts
    from (select * from members m where ${matches} order by m.last_name_key, m.name_key, m.id limit 25) m
    join policies p on p.id = m.policy_id join employer_groups g on g.id = m.group_id join benefit_tiers t on t.id = m.tier_id
    order by m.last_name_key, m.name_key, m.id`,
    values: groups.length > 0 ? [pattern, groups] : [pattern],
  }
}
