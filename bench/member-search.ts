import { randomUUID } from "node:crypto"
import { performance } from "node:perf_hooks"
import { createRouterClient } from "@orpc/server"
import { sql } from "drizzle-orm"
import pino from "pino"
import { jobs } from "../server/src/jobs.ts"
import { App } from "../server/src/platform/app.ts"
import type { UserActor } from "../server/src/platform/calls/actor.ts"
import { systemClock } from "../server/src/platform/clock.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { createDraftPolicy } from "../server/src/policies/policies.samples.ts"
import { reactions } from "../server/src/reactions.ts"
import { router } from "../server/src/router.ts"
import { migrate } from "../server/src/runtime/migrate.ts"
import { startTestPostgres } from "../server/src/runtime/postgres.ts"
import type { Client } from "../server/src/test/app.ts"
import { membersPage } from "./lists.references.ts"
import { type Bench, type Measured, median, percentile95, requireTrue } from "./measure.ts"

const memberCount = 1_000_000
const rounds = 5

/**
 * Narrow member searches, against one hand-written statement with the same page (25 rows with policy, group and tier,
 * by name) and count.
 */
const searches: [kind: string, text: (person: Person) => string][] = [
  ["ID number", ({ idNumber }) => idNumber],
  ["member number", ({ number }) => number],
  ["first and last name", ({ name }) => name],
  ["e-mail address", ({ email }) => email],
  ["part of an ID number", ({ idNumber }) => idNumber.slice(2, 10)],
]

interface Person {
  idNumber: string
  number: string
  name: string
  email: string
}

export const memberSearch: Bench = {
  name: "member-search",
  async run(say) {
    const postgres = await startTestPostgres({ durable: true })
    try {
      await migrate(postgres.url)
      return await measure(postgres.url, say)
    } finally {
      await postgres.close()
    }
  },
}

async function measure(url: string, say: (line: string) => void): Promise<Measured[]> {
  const actor: UserActor = {
    kind: "user",
    userId: randomUUID(),
    name: "Max Manager",
    email: "max@example.test",
    role: "manager",
    groupIds: [],
  }
  const database = new Database(url, { maxConnections: 4 })
  try {
    const app = new App({
      reactions,
      jobs,
      database,
      clock: systemClock,
      files: new FileStore("/nowhere"),
      log: pino({ level: "silent" }),
      publicUrl: "http://127.0.0.1:3000",
    })
    const client = createRouterClient(router, { context: () => ({ app, actor, requestId: randomUUID() }) }) as Client
    await populate(database, client, say)
    const owner = database.direct("owner")
    const found = await owner.rows<Person>(sql`
      select id_number as "idNumber", number, lower(first_name || ' ' || last_name) as name, email
      from members where number like '%00777'`)
    const measured: Measured[] = []
    for (const [kind, textOf] of searches) {
      const ours: number[] = []
      const reference: number[] = []
      for (let round = 0; round < rounds; round++) {
        for (const [place, person] of found.entries()) {
          const text = textOf(person)
          const answers = new Map<string, string>()
          const run = {
            ours: async () => {
              const { rows, total } = await client.members.list({ search: text })
              answers.set("ours", `${total} ${rows.map(({ id }) => id)}`)
            },
            reference: async () => {
              const rows = await findHandWritten(database, text)
              answers.set("reference", `${rows[0]?.total ?? 0} ${rows.map(({ id }) => id)}`)
            },
          }
          for (const which of place % 2 === 0 ? (["ours", "reference"] as const) : (["reference", "ours"] as const)) {
            const from = performance.now()
            await run[which]()
            const taken = performance.now() - from
            if (round > 0) (which === "ours" ? ours : reference).push(taken)
          }
          requireTrue(answers.get("ours") === answers.get("reference"), `both find the same for a search by ${kind}`)
        }
      }
      measured.push({
        what: `search of ${memberCount} members by ${kind}, median`,
        ours: median(ours),
        reference: median(reference),
        unit: "ms",
        against: "hand-written SQL",
        atMost: 1.3,
        also: [{ what: "95th percentile", value: percentile95(ours), unit: "ms", atMost: 25 }],
      })
    }
    return measured
  } finally {
    await database.close()
  }
}

async function findHandWritten(database: Database, text: string): Promise<{ id: string; total: number }[]> {
  const result = await database.pool("staff").query(
    `with hits as materialized (
       select * from members where search_key like $1 limit 10001
     )
     ${membersPage(
       "select * from hits order by last_name_key, name_key, id limit 25",
       `, p.status as "policyStatus", (select count(*) from hits) as total`,
     )}`,
    [`%${text.toLowerCase()}%`],
  )
  return result.rows
}

async function populate(database: Database, client: Client, say: (line: string) => void): Promise<void> {
  const policies: { id: string; groupId: string }[] = []
  for (let group = 0; group < 100; group++)
    policies.push(await createDraftPolicy(client, { groupName: `Employer ${group}` }))
  const from = performance.now()
  await database.direct("owner").run(sql`
    insert into members (id, group_id, policy_id, number, first_name, last_name, id_number, email, phone, date_of_birth, gender,
      tier_id, status, start_on, created_at, updated_at)
    select gen_random_uuid(), p.group_id, p.id, 'M-' || lpad(n::text, greatest(6, length(n::text)), '0'),
      first, last,
      to_char(date '1960-01-01' + (n % 16000), 'YYMMDD') || lpad((n / 100)::text, 4, '0') || '08' || n % 10,
      lower(translate(first || '.' || last, 'ü'' ', 'u')) || n || '@employer' || n % 100 || '.example', '0820000000', date '1960-01-01' + (n % 16000), 'male',
      t.id, 'Active', '2026-01-01', now(), now()
    from generate_series(1, ${memberCount}::int) n
    cross join lateral (select
      (array['Thabo','Lerato','Pieter','Ayesha','Sipho','Karin','Nomvula','Johan','Zanele','Rajesh'])[1 + n % 10] || ' ' || chr(65 + (n / 7) % 26) || chr(97 + (n / 191) % 26) || chr(97 + (n / 31) % 26) as first,
      (array['Nkosi','Botha','Müller','Naidoo','van der Merwe','Dlamini','O''Reilly','Mokoena','Smith','Khumalo','Adams'])[1 + n % 11] || ' ' || chr(65 + (n / 17) % 26) || chr(97 + (n / 53) % 26) as last) names
    join (select id, group_id, row_number() over (order by number) - 1 as place from policies) p on p.place = n % 100
    cross join (select id from benefit_tiers order by position limit 1) t`)
  await database.direct("owner").client.query("vacuum analyze members")
  say(
    `${memberCount} members in ${policies.length} groups, created in ${Math.round((performance.now() - from) / 1000)} s`,
  )
}
