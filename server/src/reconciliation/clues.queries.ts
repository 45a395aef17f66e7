import { standardVatPercent } from "@milkwood/domain/benefits/vat"
import { type Day, formatMonth } from "@milkwood/domain/kernel/calendar"
import type { Clue, Evidence, OpenPolicy, Part } from "@milkwood/domain/reconciliation/explain"
import { sql } from "drizzle-orm"
import { isOpen, openCents, writtenOffCents } from "../billing/invoice-money.ts"
import { standingsSql } from "../collection/promises.queries.ts"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { lastRemittance } from "./remittances.queries.ts"

const memberCountText = (count: number) => `${count} ${count === 1 ? "member" : "members"}`

const invoicesOfMonth = (groupId: string, month: Day) => sql`
  i.group_id = ${groupId} and i.status = 'sent' and i.period_start_on >= ${month}::date
    and i.period_start_on < (${month}::date + interval '1 month')`

/** Possible reasons of a month's difference. Member amounts include VAT, before discount. */
export async function loadDifferenceEvidence(cx: Cx, groupId: string, month: Day): Promise<Evidence> {
  const { tx } = cx
  const lists = await readListsOf(tx, groupId, month)
  const facts = [
    ...(await readListedParts(tx, lists, standardVatPercent)),
    ...(await readWrittenOffParts(tx, groupId, month)),
  ]
  const guessed: Clue[] =
    lists.length > 0
      ? lists.map(({ number, otherInvoiceCents }) => ({ kind: "besides", cents: -otherInvoiceCents, words: number }))
      : await guessClues(tx, groupId, month)
  return {
    facts,
    policies: await readOpenPolicies(cx, groupId, month),
    clues: [...guessed, ...(await readMoneyClues(tx, groupId, month))],
  }
}

async function readMoneyClues(tx: Tx, groupId: string, month: Day): Promise<Clue[]> {
  const arrears = await tx.rows<{ month: Day; cents: number }>(sql`
    select date_trunc('month', i.period_start_on)::date as month, sum(${openCents})::bigint as cents
    from invoices i where i.group_id = ${groupId} and ${isOpen} and i.period_start_on < ${month}::date
    group by 1 order by 1 limit 4`)
  const twice = await tx.rows<{ cents: number; on: Day }>(sql`
    select r.amount_cents as cents, max(r.received_on) as on from receipts r
    where r.group_id = ${groupId} and r.reversed_at is null and r.received_on >= ${month}::date
      and r.received_on < (${month}::date + interval '1 month')
    group by r.policy_id, r.amount_cents having count(*) > 1 order by 1 desc limit 2`)
  return [
    ...arrears.map(({ month: open, cents }) => ({
      kind: "arrears" as const,
      cents,
      words: `Unpaid for ${formatMonth(open)}`,
    })),
    ...twice.map(({ cents, on }) => ({
      kind: "paid_twice" as const,
      cents,
      words: `The same amount was received twice, last on ${on}`,
    })),
  ]
}

interface RemittanceList {
  id: string
  invoiceId: string
  number: string
  /** Not from member lines: discount, credit notes, manual lines. */
  otherInvoiceCents: number
}

const readListsOf = (tx: Tx, groupId: string, month: Day): Promise<RemittanceList[]> =>
  tx.rows<RemittanceList>(sql`
    select r.id, i.id as "invoiceId", i.number, i.total_cents - i.credited_cents - r.billed_cents as "otherInvoiceCents"
    from invoices i join remittances r on r.id = ${lastRemittance}
    where ${invoicesOfMonth(groupId, month)} order by i.due_on, i.number`)

/** Maximum members listed by name per kind; the others form one part. */
const maxNamedMembers = 20

/**
 * Differing rows by member name. VAT is a separate part: for missing members, credits, lists without VAT, and VAT that
 * was not billed.
 */
async function readListedParts(tx: Tx, lists: readonly RemittanceList[], vatPercent: number): Promise<Part[]> {
  const parts: Part[] = []
  for (const { id, invoiceId, number } of lists) {
    const rows = await tx.rows<{ kind: Part["kind"]; name: string | null; cents: number; count: number }>(sql`
      with differing as (
        select l.outcome, coalesce(m.first_name || ' ' || m.last_name || ', ' || m.number, l.who) as name,
          coalesce(l.paid_cents, 0) as paid, coalesce(l.billed_cents, 0) as billed,
          coalesce(n.net, l.billed_cents, 0) as net
        from remittance_rows l
        left join members m on m.id = l.member_id
        left join (select member_id, sum(total_cents) as net from invoice_lines
          where invoice_id = ${invoiceId} and member_id is not null group by 1) n on n.member_id = l.member_id
        where l.remittance_id = ${id} and l.outcome <> 'agrees'
      ), parts as (
        select case when outcome = 'not_billed' then 'not_billed' when outcome = 'other_amount' then
            case when paid = net or (net = billed and paid = round(billed * (100 + ${vatPercent}::int) / 100.0)) then 'vat' else 'other_amount' end
            when billed < 0 then 'credit_not_taken' else 'not_listed' end as kind,
          name, case when outcome = 'not_paid' then -net else paid - billed end as cents
        from differing
        union all
        select 'vat', case when billed < 0 then 'credits' else 'missing' end, net - billed from differing
        where outcome = 'not_paid' and net <> billed
      ), ranked as (
        select *, row_number() over (partition by kind order by abs(cents) desc, name) as nth from parts
      )
      select kind, case when kind <> 'vat' and nth <= ${maxNamedMembers} then name
          when kind = 'vat' and name in ('missing', 'credits') then name end as name,
        sum(cents)::bigint as cents, count(*)::int as count
      from ranked group by 1, 2 order by kind, abs(sum(cents)) desc, name`)
    parts.push(
      ...rows.map(({ kind, name, cents, count }) => ({
        kind,
        cents,
        words:
          kind === "vat"
            ? name === "missing"
              ? `For ${memberCountText(count)} missing from the list`
              : name === "credits"
                ? `For ${count === 1 ? "the credit" : `${count} credits`} not used`
                : `${memberCountText(count)} with VAT on the list or the invoice, but not both`
            : (name ?? `${memberCountText(count)} more, ${number}`),
      })),
    )
  }
  return parts
}

const readWrittenOffParts = (tx: Tx, groupId: string, month: Day): Promise<Part[]> =>
  tx.rows<Part>(sql`
    select 'written_off' as kind, -${writtenOffCents} as cents, i.number as words
    from invoices i where ${invoicesOfMonth(groupId, month)} and ${writtenOffCents} > 0 order by i.number`)

async function readOpenPolicies({ tx, today, timezone }: Cx, groupId: string, month: Day): Promise<OpenPolicy[]> {
  const found = await tx.rows<
    Pick<OpenPolicy, "policyNumber" | "openCents" | "notDueCents" | "dueOn"> & {
      standing: string | null
      promisedCents: number | null
      promisedOn: Day | null
      note: string | null
      madeOn: Day | null
    }
  >(sql`
    select p.number as "policyNumber", o.*, c.standing, c.promised_cents as "promisedCents", c.promised_on as "promisedOn",
      d.note, (d.made_at at time zone ${timezone})::date as "madeOn"
    from (
      select i.policy_id, sum(${openCents})::bigint as "openCents",
        coalesce(sum(${openCents}) filter (where i.due_on >= ${today}::date), 0)::bigint as "notDueCents",
        min(i.due_on) filter (where i.due_on >= ${today}::date) as "dueOn"
      from invoices i where ${invoicesOfMonth(groupId, month)} and ${isOpen} group by i.policy_id
    ) o
    join policies p on p.id = o.policy_id
    left join (${standingsSql(today, timezone)}) c on c.policy_id = o.policy_id
    left join lateral (select l.note, l.made_at from premium_contacts l
      where l.policy_id = o.policy_id and l.outcome = 'dispute' order by l.made_at desc, l.id desc limit 1) d on true
    order by p.number`)
  return found.map(({ policyNumber, openCents, notDueCents, dueOn, standing, ...last }) => ({
    ...{ policyNumber, openCents, notDueCents, dueOn },
    promise:
      standing === "promised" || standing === "broken"
        ? { cents: last.promisedCents!, on: last.promisedOn!, isBroken: standing === "broken" }
        : null,
    dispute: standing === "disputed" ? { note: last.note!, madeOn: last.madeOn! } : null,
  }))
}

/** Up to this many members of a kind are separate clues; beyond it they are one clue. */
const alone = 4

/**
 * Clues without a remittance list: members whose premium changed since last month, and earlier months that this month's
 * invoices bill or credit.
 */
async function guessClues(tx: Tx, groupId: string, month: Day): Promise<Clue[]> {
  const withVat = sql`sum(round(l.total_cents * (100 + l.vat_percent) / 100.0))::bigint`
  const billed = (first: ReturnType<typeof sql>) => sql`
    select l.member_id, ${withVat} as cents
    from invoices i join invoice_lines l on l.invoice_id = i.id
    where i.group_id = ${groupId} and i.status = 'sent' and l.billed_month = ${first} and l.member_id is not null
    group by l.member_id`
  const before = billed(sql`(${month}::date - interval '1 month')`)
  const found = await tx.rows<Omit<Clue, "words"> & { name: string; of: number; all: number; unit: number | null }>(sql`
    with changes as (
      select coalesce(now.member_id, before.member_id) as member_id,
        case when before.member_id is null then 'joiners' when now.member_id is null then 'leavers' else 'old_premium' end as kind,
        coalesce(before.cents, 0) - coalesce(now.cents, 0) as cents
      from (${billed(sql`${month}::date`)}) now full join (${before}) before on before.member_id = now.member_id
      -- Nobody joins in the first month of all.
      where now.cents is distinct from before.cents and exists (select from (${before}) earlier)
      union all
      select l.member_id, case when ${withVat} < 0 then 'credit_not_taken' else 'earlier_months' end, -${withVat}
      from invoices i join invoice_lines l on l.invoice_id = i.id
      where ${invoicesOfMonth(groupId, month)} and l.billed_month < ${month}::date and l.member_id is not null
      group by l.member_id
    ), ranked as (
      select *, count(*) over kind as of, sum(cents) over kind as "all", row_number() over (kind order by abs(cents) desc) as nth,
        case when min(cents) over kind = max(cents) over kind then cents end as unit
      from changes where cents <> 0 window kind as (partition by kind)
    )
    select r.kind, r.cents, r.of::int, r."all"::bigint, r.unit, m.first_name || ' ' || m.last_name || ', ' || m.number as name
    from ranked r join members m on m.id = r.member_id
    where nth = 1 or (r.of <= ${alone} and nth <= ${alone}) order by r.kind, nth`)
  return found.map(({ kind, cents, name, of, all, unit }) => ({
    kind,
    ...(of <= alone
      ? { cents, words: name }
      : { cents: all, words: memberCountText(of), ...(unit !== null && { each: { cents: unit, count: of } }) }),
  }))
}
