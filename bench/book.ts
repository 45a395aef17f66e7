import { createHash } from "node:crypto"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { groupRoles, type Role } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import pino from "pino"
import { createSampleBenefits } from "../server/src/benefits/benefits.samples.ts"
import { clientOf, createUser, setUpInsurer } from "../server/src/demo/cast.ts"
import { jobs } from "../server/src/jobs.ts"
import { storeMonthEnd } from "../server/src/members/member-counts.ts"
import { App } from "../server/src/platform/app.ts"
import { systemClock } from "../server/src/platform/clock.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { withClient } from "../server/src/platform/database/with-client.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { reactions } from "../server/src/reactions.ts"
import { storeMonthEnds } from "../server/src/reports/dashboard.queries.ts"
import { verifyLedger } from "../server/src/reports/verify-ledger.ts"
import { migrate } from "../server/src/runtime/migrate.ts"
import { openEmbeddedPostgres } from "../server/src/runtime/postgres.ts"
import { requireTrue } from "./measure.ts"

export const readers = {
  admin: "admin@milkwood.example",
  manager: "manager@milkwood.example",
  underwriter: "underwriter@milkwood.example",
  /** User of the largest group. */
  groupAdmin: "group.admin@milkwood.example",
  /** User of the largest group. */
  policyHolder: "policy.holder@milkwood.example",
  /** User of a hundred groups. */
  brokerage: "brokerage@milkwood.example",
} as const
export type Reader = keyof typeof readers

export interface Book {
  url: string
  folder: string
  postmaster(): number
  close(): Promise<void>
}

interface Size {
  groups: number
  people: number
  claims?: number
  months?: number
}

const readScript = (name: string) =>
  readFileSync(join(import.meta.dirname, "book-ground.sql"), "utf8") +
  readFileSync(join(import.meta.dirname, name), "utf8")

const books = {
  large: { script: readScript("book.sql"), size: { groups: 1_000, people: 1_000_000, claims: 200_000 } },
  small: { script: readScript("book.sql"), size: { groups: 300, people: 100_000, claims: 20_000 } },
  premiums: { script: readScript("premium-book.sql"), size: { groups: 1_000, people: 100, months: 24 } },
  "premiums-small": { script: readScript("premium-book.sql"), size: { groups: 100, people: 100, months: 24 } },
  documents: { script: readScript("documents-book.sql"), size: { groups: 1_000, people: 210_000 } },
  "documents-small": { script: readScript("documents-book.sql"), size: { groups: 100, people: 21_000 } },
  debtors: { script: readScript("premium-book.sql"), size: { groups: 5_000, people: 4, months: 12 } },
} satisfies Record<string, { script: string; size: Size }>
export type BookName = keyof typeof books

const largeTables = [
  "members",
  "member_covers",
  "dependents",
  "invoices",
  "invoice_lines",
  "receipts",
  "receipt_allocations",
  "claims",
  "claim_approvals",
  "claim_reserve_movements",
  "payouts",
  "ledger_entries",
  "ledger_postings",
  "audit_log",
  "mails",
  "staff_list_rows",
]

/** The script bypasses triggers, so this computes what they maintain. */
const triggerMaintainedData = `
  begin; set local session_replication_role = replica;
  update claims c set member_last_name_key = m.last_name_key, member_name_key = m.name_key,
    member_start_on = m.start_on, member_end_on = m.end_on
  from members m where m.id = c.member_id;
  update invoices i set line_count = l.line_count, member_count = l.member_count, earlier_cents = l.earlier_cents
  from (
    select l.invoice_id, count(*) as line_count, count(distinct l.member_id) as member_count,
      coalesce(sum(l.total_cents) filter (where l.billed_month < date_trunc('month', i.period_start_on)), 0) as earlier_cents
    from invoice_lines l join invoices i on i.id = l.invoice_id where i.status = 'sent' group by l.invoice_id
  ) l where l.invoice_id = i.id;
  insert into invoice_vat (invoice_id, group_id, vat_class, vat_percent, net_cents, position)
  select l.invoice_id, l.group_id, l.vat_class, l.vat_percent, sum(l.total_cents), min(l.position)
  from invoice_lines l join invoices i on i.id = l.invoice_id where i.status = 'sent' group by 1, 2, 3, 4;
  insert into premium_parts (id, group_id, policy_id, invoice_id, credit_note_id, number, month, net_cents, posted_on, earned_on)
  select gen_random_uuid(), p.group_id, p.policy_id, p.invoice_id, p.credit_note_id, p.number, p.month, p.net_cents,
    e.effective_on, e.effective_on
  from premium_of_lines p
  join ledger_entries e on e.source = case when p.credit_note_id is null then 'invoice:' || p.invoice_id || ':sent'
    else 'credit-note:' || p.credit_note_id end
  where p.net_cents <> 0;
  commit`

/**
 * Opens the benchmark's database in its own data folder under `bench/data`. It is reused between runs, with newer
 * migrations applied. It is rebuilt if its script or an applied migration has changed, or on request.
 */
export async function openBook(
  say: (line: string) => void,
  name: BookName,
  options: { anew?: boolean } = {},
): Promise<Book> {
  const { script, size } = books[name]
  const folder = join(import.meta.dirname, "data", `book-${name}`)
  const mark = join(folder, "made-by")
  const wanted = createHash("sha256")
    .update(script + JSON.stringify(size))
    .digest("hex")
  const stands = () => existsSync(mark) && readFileSync(mark, "utf8") === wanted
  if (options.anew || !stands()) rmSync(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const postgres = await openEmbeddedPostgres(folder)
  try {
    const ran = await migrate(postgres.url)
    if (!stands()) {
      const from = performance.now()
      await buildBook(postgres.url, folder, books[name], say)
      writeFileSync(mark, wanted)
      say(`created the book "${name}" in ${elapsedSeconds(from)}`)
    } else if (ran.length > 0) await withClient(postgres.url, (client) => client.query("vacuum analyze"))
    await storeMonthEndRows(postgres.url)
    return { url: postgres.url, folder, postmaster: () => postgres.pid(), close: () => postgres.close() }
  } catch (error) {
    await postgres.close()
    throw error
  }
}

async function buildBook(
  url: string,
  folder: string,
  { script, size }: { script: string; size: Size },
  say: (line: string) => void,
): Promise<void> {
  const database = new Database(url, { maxConnections: 4 })
  try {
    const people = await createReaders(database, folder)
    const settings = { ...size, ...people, today: Temporal.Now.plainDateISO("UTC").toString() }
    await withClient(url, async (client) => {
      for (const [name, value] of Object.entries(settings)) {
        await client.query("select set_config($1, $2, false)", [`book.${name}`, String(value)])
      }
      const indexes = await dropIndexes(client)
      for (const step of script.split("-- # ").slice(1)) {
        const from = performance.now()
        await client.query(`-- ${step}`)
        say(`${step.split("\n")[0]}: ${elapsedSeconds(from)}`)
      }
      const from = performance.now()
      for (const index of indexes) await client.query(index)
      say(`indexes: ${elapsedSeconds(from)}`)
      await client.query("analyze")
      await client.query(triggerMaintainedData)
    })
    await withClient(url, (client) => client.query("vacuum analyze"))
    await assignGroups(database)
    const faults = await database.transaction("owner", (tx) => verifyLedger(tx))
    requireTrue(faults.length === 0, `the ledger verifies: ${faults.slice(0, 3).join("; ")}`)
  } finally {
    await database.close()
  }
}

async function createReaders(database: Database, folder: string) {
  const app = new App({
    reactions,
    jobs,
    database,
    clock: systemClock,
    files: new FileStore(join(folder, "files")),
    log: pino({ level: "silent" }),
    publicUrl: "http://127.0.0.1:3000",
  })
  const admin = await setUpInsurer(app)
  await createSampleBenefits(clientOf(app, admin))
  const first = { groupId: crypto.randomUUID() }
  await database.direct("owner").run(sql`
    insert into employer_groups (id, name, created_at) values (${first.groupId}, 'Nobody yet', now())`)
  const hired = async (reader: Reader, role: Role, name: string) => {
    const groupIds = groupRoles.includes(role) ? [first.groupId] : []
    return (await createUser(app, admin, { name, email: readers[reader], role, groupIds })).userId
  }
  const people = {
    admin: admin.userId,
    manager: await hired("manager", "manager", "Max Manager"),
    underwriter: await hired("underwriter", "underwriter", "Uma Underwriter"),
    group_admin: await hired("groupAdmin", "group_admin", "Gert Group"),
    policy_holder: await hired("policyHolder", "policy_holder", "Pia Holder"),
  }
  await hired("brokerage", "group_admin", "Bruce Broker")
  return people
}

async function assignGroups(database: Database): Promise<void> {
  const owner = database.direct("owner")
  await owner.run(sql`delete from user_groups`)
  await owner.run(sql`
    with sized as (
      select group_id, row_number() over (order by count(*) desc, group_id) as place from members group by group_id
    )
    insert into user_groups (user_id, group_id)
    select u.id, s.group_id from users u join sized s on
      (u.email in (${readers.groupAdmin}, ${readers.policyHolder}) and s.place = 1)
      or (u.email = ${readers.brokerage} and s.place between 2 and 200 and s.place % 2 = 0)
      or (u.email = ${readers.brokerage} and s.place = 3)`)
  await owner.run(sql`delete from employer_groups where name = 'Nobody yet'`)
}

async function storeMonthEndRows(url: string): Promise<void> {
  const database = new Database(url, { maxConnections: 1 })
  const today = Temporal.Now.plainDateISO("UTC").toString()
  try {
    await database.transaction("jobs", (tx) => storeMonthEnd({ tx, today }, "UTC"))
    await database.transaction("jobs", (tx) => storeMonthEnds({ tx, today, timezone: "UTC" }))
  } finally {
    await database.close()
  }
}

async function dropIndexes(client: Parameters<Parameters<typeof withClient>[1]>[0]): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; back: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as back
      from pg_constraint where contype = 'x' and conrelid = any ($1::regclass[])
      union all
      select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
      from pg_index where indrelid = any ($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [largeTables],
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ back }) => back)
}

const elapsedSeconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`
