import type { NotOursReason } from "@milkwood/domain/banking/bank-placement"
import { coreOf, namedIn, nameStart, type Reference, type Slip } from "@milkwood/domain/banking/line-words"
import type { PolicyEvidence, ReceiptEvidence, ScoredLine } from "@milkwood/domain/banking/match-score"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { OpenInvoice } from "@milkwood/domain/receipts/receipt"
import { sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import type { Tx } from "../platform/database/database.ts"

export interface EvidenceLine extends ScoredLine {
  id: string
}

/** All that may speak for a line. */
export interface Evidence {
  policies: PolicyEvidence[]
  receipts: ReceiptEvidence[]
  notOurs: { reason: NotOursReason; confirmed: number; declined: number }[]
}

/** Where so many have the same amount open, the amount alone finds nobody. */
const mostOfAnAmount = 5
/** So many days around a line a receipt that is there is looked for. */
const daysAround = 92
/** What was paid within so many days before a line is usual. */
const daysUsual = 400

interface Hit {
  kind: Reference["kind"]
  number: string
  /** The policy that it is of; of a receipt or payout itself. */
  id: string
  isOpen: boolean
}
interface Payer {
  payer: string
  policyId: string | null
  reason: NotOursReason | null
  confirmed: number
  declined: number
}
interface AmountHit {
  amountCents: Cents
  policyId: string
}
interface FoundReceipt {
  receiptId: string
  number: string
  policyId: string
  receivedOn: Day
  reference: string
  groupName: string
  leftCents: Cents
}
interface FoundPolicy {
  id: string
  number: string
  groupId: string
  groupName: string
}

const uuids = (ids: Iterable<string>) => sql`${sql.param([...new Set(ids)])}::uuid[]`
const texts = (all: Iterable<string>) => sql`${sql.param([...new Set(all)])}::text[]`
const amounts = (all: Iterable<Cents>) => sql`${sql.param([...new Set(all)])}::bigint[]`

/**
 * What speaks for each of these lines, by line: found for all of them together, in as many statements whether it is one
 * line or a whole file.
 */
export async function evidenceOf(tx: Tx, lines: readonly EvidenceLine[]): Promise<Map<string, Evidence>> {
  const came = lines.filter(({ amountCents }) => amountCents > 0)
  const hits = await referenceHits(tx, came)
  const payers = await payersOf(tx, lines)
  const named = await namedGroups(tx, came)
  const byAmount = await amountHits(tx, came)
  const receipts = await openReceipts(tx, came)

  const finds = new Map<string, Set<string>>()
  const find = (line: EvidenceLine, policyId: string) => {
    const found = finds.get(line.id) ?? new Set()
    finds.set(line.id, found.add(policyId))
  }
  for (const line of came) {
    for (const { number } of line.words.references)
      for (const hit of hits.get(number) ?? []) if (hit.kind === "invoice" || hit.kind === "policy") find(line, hit.id)
    for (const { policyId } of payers.get(squeezed(line.words.payer)) ?? []) if (policyId) find(line, policyId)
    for (const { policies } of named(line)) for (const { id } of policies) find(line, id)
    for (const policyId of byAmount.get(line.amountCents) ?? []) find(line, policyId)
  }
  const known = await policiesOf(tx, new Set([...finds.values()].flatMap((found) => [...found])), came)

  return new Map(
    lines.map((line) => {
      const learnt = payers.get(squeezed(line.words.payer)) ?? []
      const names = new Map(named(line).map((one) => [one.groupId, one.named]))
      const policies = [...(finds.get(line.id) ?? [])].flatMap((policyId): PolicyEvidence[] => {
        const policy = known.get(policyId)
        if (!policy) return []
        const said = learnt.find((payer) => payer.policyId === policyId)
        const references = line.words.references.flatMap(({ number, slip }) =>
          (hits.get(number) ?? []).flatMap((hit) =>
            (hit.kind === "invoice" || hit.kind === "policy") && hit.id === policyId
              ? [{ kind: hit.kind, number, slip, isOpen: hit.isOpen }]
              : [],
          ),
        )
        return [
          {
            ...policy,
            references,
            named: names.get(policy.groupId) ?? null,
            learnt: said ?? null,
            isOnlyAmount: byAmount.get(line.amountCents)?.size === 1,
          },
        ]
      })
      const near = receipts.filter(({ leftCents, receivedOn, number }) => {
        const slip = slipOf(line, number)
        if (slip && leftCents <= line.amountCents) return true
        return (
          leftCents === line.amountCents &&
          receivedOn >= addDays(line.day, -daysAround) &&
          receivedOn <= addDays(line.day, daysAround)
        )
      })
      return [
        line.id,
        {
          policies,
          receipts: near.map((receipt) => ({
            ...receipt,
            slip: slipOf(line, receipt.number),
            named: line.amountCents > 0 ? namedIn(line.words, coreOf(receipt.groupName)) : null,
            learnt: learnt.find(({ policyId }) => policyId === receipt.policyId) ?? null,
          })),
          notOurs: learnt.flatMap(({ reason, confirmed, declined }) =>
            reason && confirmed > 0 ? [{ reason, confirmed, declined }] : [],
          ),
        },
      ]
    }),
  )
}

const slipOf = ({ words }: EvidenceLine, number: string): Slip | null =>
  words.references.find((said) => said.number === number)?.slip ?? null

const squeezed = (payer: string): string => payer.replaceAll(" ", "")

/** The numbers that stand in lines and are there, by number. */
async function referenceHits(tx: Tx, lines: readonly EvidenceLine[]): Promise<Map<string, Hit[]>> {
  const said = (kind: Reference["kind"]) =>
    texts(lines.flatMap(({ words }) => words.references.flatMap((one) => (one.kind === kind ? [one.number] : []))))
  const hits = await tx.rows<Hit>(sql`
    select 'invoice' as kind, i.number, i.policy_id as id, ${isOpen} as "isOpen"
    from invoices i where i.number = any (${said("invoice")}) and i.status = 'sent'
    union all
    select 'policy', p.number, p.id, true from policies p where p.number = any (${said("policy")}) and p.status <> 'Draft'`)
  return grouped(hits, ({ number }) => number)
}

/** What was learnt of the lines' payers, by their letters. */
async function payersOf(tx: Tx, lines: readonly EvidenceLine[]): Promise<Map<string, Payer[]>> {
  const rows = await tx.rows<Payer>(sql`
    select payer, policy_id as "policyId", reason, confirmed, declined from bank_payers
    where forgotten_at is null and replace(payer, ' ', '') = any (${texts(lines.map(({ words }) => squeezed(words.payer)).filter(Boolean))})`)
  return grouped(rows, ({ payer }) => squeezed(payer))
}

interface NamedGroup {
  groupId: string
  named: NonNullable<ReturnType<typeof namedIn>>
  policies: { id: string }[]
}

/** The groups that lines name: looked for by their first letters wherever these stand, then read to the end. */
async function namedGroups(tx: Tx, lines: readonly EvidenceLine[]): Promise<(line: EvidenceLine) => NamedGroup[]> {
  const starts = new Set<string>()
  for (const { words } of lines) {
    for (let at = 0; at + nameStart <= words.letters.length; at++) starts.add(words.letters.slice(at, at + nameStart))
    for (const word of words.words) if (word.length > 2 && word.length < nameStart) starts.add(word)
  }
  const groups = await tx.rows<{ groupId: string; name: string; policies: { id: string }[] }>(sql`
    select g.id as "groupId", g.name, jsonb_agg(jsonb_build_object('id', p.id)) as policies
    from employer_groups g join policies p on p.group_id = g.id and p.status <> 'Draft'
    where left(regexp_replace(upper(g.name), '[^A-Z]', '', 'g'), ${nameStart}) = any (${texts(starts)})
    group by g.id`)
  const byStart = grouped(
    groups.map((group) => ({ ...group, core: coreOf(group.name) })),
    ({ core }) => core.slice(0, nameStart),
  )
  return ({ words }) => {
    const keys = new Set<string>()
    for (let at = 0; at + nameStart <= words.letters.length; at++) keys.add(words.letters.slice(at, at + nameStart))
    for (const word of words.words) if (word.length < nameStart) keys.add(word)
    const found: NamedGroup[] = []
    for (const key of keys)
      for (const { groupId, core, policies } of byStart.get(key) ?? []) {
        const named = namedIn(words, core)
        if (named) found.push({ groupId, named, policies })
      }
    return found
  }
}

/** The policies that have an amount open, in one invoice or all, or paid it before; by amount, where they are few. */
async function amountHits(tx: Tx, lines: readonly EvidenceLine[]): Promise<Map<Cents, Set<string>>> {
  if (lines.length === 0) return new Map()
  const asked = amounts(lines.map(({ amountCents }) => amountCents))
  const since = addDays(
    lines.map(({ day }) => day).reduce((a, b) => (a < b ? a : b)),
    -daysUsual,
  )
  const hits = await tx.rows<AmountHit>(sql`
    with hits as (
      select ${openCents} as "amountCents", i.policy_id as "policyId" from invoices i
      where ${isOpen} and ${openCents} = any (${asked})
      union
      select sum(${openCents})::bigint, i.policy_id from invoices i where ${isOpen}
      group by i.policy_id having count(*) > 1 and sum(${openCents}) = any (${asked})
      union
      select r.amount_cents, r.policy_id from receipts r
      where r.reversed_at is null and r.amount_cents = any (${asked}) and r.received_on >= ${since}
    )
    select "amountCents", "policyId" from (
      select *, count(*) over (partition by "amountCents") as many from hits
    ) counted where many <= ${mostOfAnAmount}`)
  return new Map(
    [...grouped(hits, (hit) => hit.amountCents)].map(([cents, all]) => [
      cents,
      new Set(all.map(({ policyId }) => policyId)),
    ]),
  )
}

/** Receipts that no line shows yet, of which a part is as much as a line or which a line names. */
async function openReceipts(tx: Tx, lines: readonly EvidenceLine[]): Promise<FoundReceipt[]> {
  if (lines.length === 0) return []
  const asked = amounts(lines.map(({ amountCents }) => amountCents))
  const said = texts(lines.flatMap(({ words }) => words.references.map(({ number }) => number)))
  return tx.rows<FoundReceipt>(sql`
    select r.id as "receiptId", r.number, r.policy_id as "policyId", r.received_on as "receivedOn", r.reference,
      g.name as "groupName", r.amount_cents - coalesce(m.cents, 0)::bigint as "leftCents"
    from receipts r join employer_groups g on g.id = r.group_id
    left join lateral (select sum(amount_cents) as cents from bank_matches
      where receipt_id = r.id and undone_at is null and kind in ('made', 'linked')) m on true
    cross join bank_accounts a
    where a.is_main and r.reversed_at is null and (r.amount_cents = any (${asked}) or r.number = any (${said}) or m.cents is not null)
      and not coalesce(r.paid_into = 'bank' and r.received_on < a.opened_on and r.created_at <= a.opened_at, false)
      and r.amount_cents > coalesce(m.cents, 0)`)
}

/** Policies with what is open on them and what they paid before. */
async function policiesOf(tx: Tx, ids: ReadonlySet<string>, lines: readonly EvidenceLine[]) {
  const found = new Map<string, Omit<PolicyEvidence, "references" | "named" | "learnt" | "isOnlyAmount">>()
  if (ids.size === 0) return found
  const rows = await tx.rows<FoundPolicy>(sql`
    select p.id, p.number, p.group_id as "groupId", g.name as "groupName"
    from policies p join employer_groups g on g.id = p.group_id where p.id = any (${uuids(ids)})`)
  const groups = uuids(rows.map(({ groupId }) => groupId))
  const open = grouped(
    await tx.rows<OpenInvoice & { policyId: string; groupId: string }>(sql`
      select i.id, i.number, i.due_on as "dueOn", ${openCents} as "outstandingCents", i.policy_id as "policyId", i.group_id as "groupId"
      from invoices i where i.group_id = any (${groups}) and ${isOpen} order by i.due_on, i.number`),
    ({ policyId }) => policyId,
  )
  const ofGroup = grouped([...open.values()].flat(), ({ groupId }) => groupId)
  const usual = grouped(
    await tx.rows<{ policyId: string; amountCents: Cents; times: number }>(sql`
      select policy_id as "policyId", amount_cents as "amountCents", count(*)::int as times from receipts
      where policy_id = any (${uuids(ids)}) and reversed_at is null and amount_cents = any (${amounts(lines.map(({ amountCents }) => amountCents))})
      group by policy_id, amount_cents`),
    ({ policyId }) => policyId,
  )
  for (const { id, number, groupId, groupName } of rows) {
    const all = ofGroup.get(groupId) ?? []
    const several = new Set(all.map(({ policyId }) => policyId)).size > 1
    found.set(id, {
      policyId: id,
      policyNumber: number,
      groupId,
      groupName,
      open: open.get(id) ?? [],
      usual: usual.get(id) ?? [],
      groupOpenCents: several ? all.reduce((sum, { outstandingCents }) => sum + outstandingCents, 0) : null,
    })
  }
  return found
}

function grouped<K, T>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}
