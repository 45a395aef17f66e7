import { sql } from "drizzle-orm"
import { Database } from "../server/src/platform/database/database.ts"
import { type Book, type Reader, readers } from "./book.ts"
import type { Samples } from "./list-calls.ts"

/** Typical records first; those of the largest group last. */
export async function loadSamples(book: Book): Promise<Samples> {
  const database = new Database(book.url)
  try {
    const owner = database.direct("owner")
    const one = async (query: ReturnType<typeof sql>) => (await owner.row<{ id: string }>(query))!.id
    const { usual, largest } = (await owner.row<{ usual: string; largest: string }>(sql`
      with sized as (select policy_id, count(*) as size from members where status <> 'Pending' group by policy_id order by size desc)
      select (select policy_id from sized offset 100 limit 1) as usual, (select policy_id from sized limit 1) as largest`))!
    const ofBoth = async (query: (policyId: string) => ReturnType<typeof sql>) => [
      await one(query(usual)),
      await one(query(largest)),
    ]
    const person = (await owner.row<{ name: string; number: string; idNumber: string; email: string }>(sql`
      select lower(first_name || ' ' || last_name) as name, number, id_number as "idNumber", email
      from members where policy_id = ${largest} and status = 'Active' order by id limit 1`))!
    return {
      today: Temporal.Now.plainDateISO("UTC").toString(),
      ids: {
        policyId: [usual, largest],
        groupId: await ofBoth((id) => sql`select group_id as id from policies where id = ${id}`),
        memberId: await ofBoth((id) => sql`select id from members where policy_id = ${id} order by number limit 1`),
        claimId: await ofBoth((id) => sql`select id from claims where policy_id = ${id} and status = 'paid' limit 1`),
        invoiceId: await ofBoth(
          (id) =>
            sql`select id from invoices where policy_id = ${id} and status = 'sent' order by invoice_on desc limit 1`,
        ),
        receiptId: await ofBoth((id) => sql`select id from receipts where policy_id = ${id} limit 1`),
        payoutId: await ofBoth((id) => sql`select id from payouts where policy_id = ${id} limit 1`),
        importId: [await one(sql`select id from staff_lists where policy_id = ${largest}`)],
        mailId: [await one(sql`select id from mails limit 1`)],
        entryId: [await one(sql`select id from ledger_entries limit 1`)],
        tierId: [await one(sql`select id from benefit_tiers limit 1`)],
        account: ["bank", "premium_debtors"],
        jobId: [],
      },
      searches: {
        name: person.name,
        "one letter": "n",
        "two letters": "nk",
        "first letters": person.name.slice(0, 4),
        "common name": "nkosi",
        "member number": person.number,
        "part of an ID number": person.idNumber.slice(2, 10),
        "ID number": person.idNumber,
        "e-mail": person.email,
        group: "protea",
        "number of a claim": `clm-${new Date().getFullYear()}-0012`,
        nothing: "no such thing",
      },
    }
  } finally {
    await database.close()
  }
}

export async function loadReaderSamples(book: Book, samples: Samples, reader: Reader): Promise<Samples> {
  if (reader !== "brokerage") return samples
  const database = new Database(book.url)
  try {
    const owner = database.direct("owner")
    const groups = (
      await owner.rows<{ id: string }>(sql`
        select g.group_id as id from user_groups g join users u on u.id = g.user_id
        where u.email = ${readers.brokerage} order by (select count(*) from members m where m.group_id = g.group_id)`)
    ).map(({ id }) => id)
    const usual = groups[Math.floor(groups.length / 2)]!
    const largest = groups.at(-1)!
    const policy = async (groupId: string) =>
      (await owner.row<{ id: string }>(sql`select id from policies where group_id = ${groupId} limit 1`))!.id
    return {
      ...samples,
      ids: { ...samples.ids, groupId: [usual, largest], policyId: [await policy(usual), await policy(largest)] },
    }
  } finally {
    await database.close()
  }
}
