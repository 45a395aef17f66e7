import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Migration, migrate, migrations } from "./migrate.ts"
import { startTestPostgres, type TestPostgres } from "./postgres.ts"

/** Migrations that move what people have: a database as it was before each, with rows in it, is brought up to date. */

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startTestPostgres()
  const client = await connect(postgres.url)
  await client.query("create database roles")
  await client.end()
  // Roles belong to the server: with them the first migrations run on any database of it.
  await migrate(address("roles"))
})
afterAll(() => postgres.close())

const address = (name: string) => Object.assign(new URL(postgres.url), { pathname: name }).href

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

/**
 * A database as it was before the migration of this name, brought up to date; its rows refer to nobody and set off nothing.
 * `alone` runs this one and none after it: one of those wants more of the rows than a book of that time can do without.
 */
async function before(
  name: string,
  fill: (client: pg.Client) => Promise<void>,
  { alone = false } = {},
): Promise<pg.Client> {
  const database = `before_${name.replace(/\W/g, "_")}`
  const onServer = await connect(postgres.url)
  await onServer.query(`create database ${database}`)
  await onServer.end()
  const client = await connect(address(database))
  await client.query(
    "create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())",
  )
  const run = async ({ name: ran, text, checksum }: Migration) => {
    await client.query("begin")
    await client.query("set local row_security = off")
    await client.query(text)
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [ran, checksum])
    await client.query("commit")
  }
  for (const older of migrations().filter((file) => file.name < name)) await run(older)
  await client.query("set session_replication_role = replica")
  await fill(client)
  await client.query("set session_replication_role = origin")
  if (alone) await run(migrations().find((file) => file.name === name)!)
  else expect((await migrate(address(database)))[0]).toBe(name)
  return client
}

test("links to sign in leave the text of mails that were sent, and wait beside those that were not", async () => {
  const link = (page: string) => `https://house.example/${page}#token-${page}`
  const mail = (client: pg.Client, state: string, text: string) =>
    client.query(
      `insert into mails (id, to_address, subject, text_body, state, next_attempt_at, created_at, sent_at)
      values ($1, 'a@example.test', $2, $3, $2, now(), now(), case when $2 = 'sent' then now() end)`,
      [randomUUID(), state, text],
    )
  const client = await before("0040_mail_links.sql", async (client) => {
    await mail(client, "sent", `Dear A\n\n${link("reset-password")}\n\nKind regards`)
    await mail(client, "queued", `Follow ${link("accept-invitation")}`)
    await mail(client, "kept", `Follow ${link("confirm-email")}`)
    await mail(client, "failed", "See https://house.example/invoices/1#lines")
  })
  const { rows } = await client.query("select state, text_body as text, secret from mails order by state")
  const placeholder = "[a link that only the mail itself holds]"
  expect(rows).toEqual([
    { state: "failed", text: "See https://house.example/invoices/1#lines", secret: null },
    { state: "kept", text: `Follow ${placeholder}`, secret: link("confirm-email") },
    { state: "queued", text: `Follow ${placeholder}`, secret: link("accept-invitation") },
    { state: "sent", text: `Dear A\n\n${placeholder}\n\nKind regards`, secret: null },
  ])
  const kept = await client.query("select relforcerowsecurity as forced from pg_class where relname = 'mails'")
  expect(kept.rows).toEqual([{ forced: true }])
  await client.end()
})

test("who reviewed a claim or brought its evidence has a hand in it, as long as it is not decided", async () => {
  const [group, capturer, reviewer, uploader] = Array.from({ length: 4 }, () => randomUUID())
  const claim = async (client: pg.Client, status: string) => {
    const id = randomUUID()
    await client.query(
      `insert into claims (id, group_id, policy_id, member_id, number, status, captured_by, benefit_id, claim_type,
        incident_on, requested_amount_cents, approved_amount_cents, description, submitted_by, submitted_at, reviewed_by,
        reviewed_at, routed_at, group_admin_approval_at, underwriter_approval_at, policy_holder_approval_at,
        final_approval_at, created_at, updated_at)
      values ($1, $2, gen_random_uuid(), gen_random_uuid(), $3, $3, array[$4::uuid], gen_random_uuid(), 'medical',
        '2026-01-02', 100, case when $3 = 'approved' then 100 end, 'A fall', $4, now(), $5, now(), now(),
        case when $3 = 'approved' then now() end, case when $3 = 'approved' then now() end,
        case when $3 = 'approved' then now() end, case when $3 = 'approved' then now() end, now(), now())`,
      [id, group, status, capturer, reviewer],
    )
    for (const by of [uploader, capturer]) {
      await client.query(
        `insert into claim_documents (id, group_id, claim_id, document_type, name, file_id, uploaded_by, uploaded_at)
        values (gen_random_uuid(), $1, $2, 'other', 'a.pdf', gen_random_uuid(), $3, now())`,
        [group, id, by],
      )
    }
  }
  const client = await before(
    "0041_money_is_kept.sql",
    async (client) => {
      for (const status of ["pending_group_admin", "approved"]) await claim(client, status)
    },
    { alone: true },
  )
  const { rows } = await client.query("select status, captured_by as hands from claims order by status")
  expect(rows.map(({ status }) => status)).toEqual(["approved", "pending_group_admin"])
  expect(rows[0].hands).toEqual([capturer])
  expect(rows[1].hands[0]).toBe(capturer)
  expect(new Set(rows[1].hands)).toEqual(new Set([capturer, reviewer, uploader]))
  expect(rows[1].hands).toHaveLength(3)
  await client.end()
})

test("passwords go over to their accounts, and sessions stay", async () => {
  const [known, invited] = [randomUUID(), randomUUID()]
  const client = await before("0042_passwords.sql", async (client) => {
    for (const id of [known, invited]) {
      await client.query(
        `insert into users (id, name, email, created_at, updated_at) values ($1::uuid, 'A', $1::text || '@example.test', now(), now())`,
        [id],
      )
    }
    const account = (userId: string, provider: string, password: string | null) =>
      client.query(
        `insert into accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
        values (gen_random_uuid(), $1::uuid, $1::text, $2, $3, '2026-01-01', '2026-02-03')`,
        [userId, provider, password],
      )
    await account(known, "credential", "scrypt:1:2:salt:key")
    await account(known, "another", "not a password of ours")
    await account(invited, "credential", null)
    await client.query(
      `insert into sessions (id, user_id, token, epoch, started_at, last_active_at, expires_at, created_at, updated_at)
      values (gen_random_uuid(), $1, 'a', 1, now(), now(), now(), now(), now())`,
      [known],
    )
  })
  const passwords = await client.query(
    `select user_id as "userId", hash, changed_at::date::text as "changedOn" from passwords`,
  )
  expect(passwords.rows).toEqual([{ userId: known, hash: "scrypt:1:2:salt:key", changedOn: "2026-02-03" }])
  expect((await client.query("select user_id, token, epoch from sessions")).rows).toEqual([
    { user_id: known, token: "a", epoch: 1 },
  ])
  await client.end()
})

test("what the trail says of people is put under their keys, and its chain is made anew, on record", async () => {
  const [group, member, claim] = Array.from({ length: 3 }, () => randomUUID())
  let text = ""
  const client = await before("0357_keys_of_people.sql", async (client) => {
    await client.query(
      `insert into members (id, group_id, policy_id, number, first_name, last_name, tier_id, start_on, created_at, updated_at)
      values ($1, $2, $2, 'M-1', 'Planted', 'Person', $2, '2026-01-01', now(), now())`,
      [member, group],
    )
    await client.query(
      `insert into claims (id, group_id, policy_id, member_id, number, captured_by, created_at, updated_at)
      values ($1, $2, $2, $3, 'CLM-1', array[$2::uuid], now(), now())`,
      [claim, group, member],
    )
    const row = (fact: string, kind: string, id: string | undefined, detail: object) =>
      client.query(
        `insert into audit_log (at, actor_name, fact, record_kind, record_id, record_label, group_id, detail)
        values ('2026-01-01T00:00:00Z', 'Ada', $1, $2, $3, 'x', $4, $5)`,
        [fact, kind, id, group, JSON.stringify(detail)],
      )
    await row("MemberUpdated", "member", member, { after: { firstName: "Planted" } })
    await row("ClaimEdited", "claim", claim, { after: { diagnosis: "Planted" } })
    await row("MembersAdded", "policy", group, { count: 1, names: ["Planted Person"] })
    await row("PolicyCreated", "policy", group, { note: "stays" })
    await client.query(`
      insert into audit_seals (seq, audit_id, hash, sealed_at)
      select 1, a.id, encode(sha256(convert_to(E'\\n' || jsonb_build_array(a.id, extract(epoch from a.at)::text, a.actor_id, a.actor_name,
        a.actor_role, a.request_id, a.fact, a.record_kind, a.record_id, a.record_label, a.group_id, a.detail)::text, 'UTF8')), 'hex'), now()
      from audit_log a order by a.id limit 1`)
    text = (await client.query("select hash from audit_seals")).rows[0].hash
  })
  const stored = await client.query("select detail::text as text from audit_log order by id")
  expect(stored.rows.map((row) => row.text).join()).not.toContain("Planted")
  const opened = await client.query("select opened_detail(detail) as detail from audit_log order by id")
  expect(opened.rows.map((row) => row.detail)).toEqual([
    { after: { firstName: "Planted" } },
    { after: { diagnosis: "Planted" } },
    { count: 1, names: [] },
    { note: "stays" },
    { rows: 1, faults: 0 },
  ])
  expect((await client.query("select person_id as id from person_keys")).rows).toEqual([{ id: member }])
  expect((await client.query("select count(*)::int as n from audit_seals")).rows).toEqual([{ n: 0 }])
  expect((await client.query("select count(*)::int as n from audit_unsealed")).rows).toEqual([{ n: 5 }])
  const reseals = await client.query(
    "select rows::int, last_seq::int as seq, last_hash as hash, faults::int from audit_reseals",
  )
  expect(reseals.rows).toEqual([{ rows: 1, seq: 1, hash: text, faults: 0 }])
  await client.end()
})

test("who made the key of a program has a hand in what the program did before, whatever became of it", async () => {
  const [one, program, maker, payout, claim] = Array.from({ length: 5 }, () => randomUUID())
  const client = await before("0406_whose_hands_a_program_is.sql", async (client) => {
    await client.query(
      `insert into service_keys (id, name, role, hash, hint, made_by, made_at, expires_at)
      values ($1, 'Payroll', 'manager', repeat('0', 64), 'x', $2, '2026-01-01', '2027-01-01')`,
      [program, maker],
    )
    await client.query(
      `insert into payouts (id, group_id, policy_id, member_id, number, subject_kind, subject_id, subject_label, amount_cents, method,
        reference, payee_name, prepared_by, created_by, created_at, status, payee_changed_by, payee_changed_at,
        released_by, released_at)
      values ($1, $2, $2, $2, 'PAY-1', 'refund', $2, 'REF', 100, 'cash', 'x', 'S Dlamini', array[$3::uuid], $3, now(), 'processing', $3, now(), $2, now())`,
      [payout, one, program],
    )
    await client.query(
      `insert into claims (id, group_id, policy_id, member_id, number, captured_by, created_at, updated_at)
      values ($1, $2, $2, $2, 'CLM-1', array[$2::uuid, $3], now(), now())`,
      [claim, one, program],
    )
  })
  expect((await client.query("select prepared_by from payouts")).rows[0].prepared_by).toEqual([program, maker])
  expect((await client.query("select captured_by from claims")).rows[0].captured_by).toEqual([one, program, maker])
  // What a program gave once is not asked about again when the payment goes on.
  await client.query("update payouts set payee_changed_by = payee_changed_by, released_by = released_by")
  await client.end()
})
