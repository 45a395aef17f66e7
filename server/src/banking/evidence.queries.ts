import type { NotOursReason } from "@milkwood/domain/banking/bank-placement"
import { type Named, nameStart, type Reference } from "@milkwood/domain/banking/line-words"
import type { PolicyEvidence, ScoredLine } from "@milkwood/domain/banking/match-score"
import type { RecordEvidence } from "@milkwood/domain/banking/match-score-records"
import { NameIndex } from "@milkwood/domain/banking/name-index"
import { addDays } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { OpenInvoice } from "@milkwood/domain/receipts/receipt"
import { sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import type { Tx } from "../platform/database/database.ts"
import { recordsOf } from "./records.queries.ts"

export interface EvidenceLine extends ScoredLine {
  id: string
  accountId: string
  isMain: boolean
}

/** All that may speak for a line. */
export interface Evidence {
  policies: PolicyEvidence[]
  /** Those of the same groups, which the line may pay as well. */
  siblings: PolicyEvidence[]
  records: RecordEvidence[]
  notOurs: { reason: NotOursReason; confirmed: number; declined: number }[]
  /** It names another account of the organisation. */
  isOwnAccount: boolean
}

/** What somebody looks for, whatever speaks for it. */
export interface Asked {
  policyIds: readonly string[]
  recordIds: readonly string[]
}

/** Where so many have the same amount open, the amount alone finds nobody. */
const mostOfAnAmount = 5
/** What was paid within so many days before a line is usual. */
const daysUsual = 400

interface Hit {
  kind: "invoice" | "policy"
  number: string
  /** The policy that it is of. */
  id: string
  isOpen: boolean
  openCents: Cents
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
export async function evidenceOf(
  tx: Tx,
  lines: readonly EvidenceLine[],
  asked: Asked = { policyIds: [], recordIds: [] },
): Promise<Map<string, Evidence>> {
  // Receipts are booked to the main account.
  const came = lines.filter(({ amountCents, isMain }) => amountCents > 0 && isMain)
  const hits = await referenceHits(tx, came)
  const payers = await payersOf(tx, lines)
  const named = await namedGroups(tx, came)
  const byAmount = await amountHits(tx, came)
  const records = await recordsOf(tx, lines, asked.recordIds)
  const own = await tx.rows<{ id: string; accountNumber: string }>(
    sql`select id, account_number as "accountNumber" from bank_accounts`,
  )

  const names = new Map(came.map((line) => [line.id, named(line)]))
  const finds = new Map<string, Set<string>>()
  for (const line of came) {
    const found = new Set(asked.policyIds)
    for (const { number, slip } of line.words.references) {
      // Where numbers lie close, most that two digits changed round make are somebody's: the amount says which is meant.
      for (const { id, openCents: cents } of hits.get(number) ?? [])
        if (slip !== "swapped" || cents === line.amountCents) found.add(id)
    }
    for (const { policyId } of payers.get(squeezed(line.words.payer)) ?? []) if (policyId) found.add(policyId)
    for (const { policyIds } of names.get(line.id)!) for (const id of policyIds) found.add(id)
    for (const policyId of byAmount.get(line.amountCents) ?? []) found.add(policyId)
    finds.set(line.id, found)
  }
  const known = await policiesOf(tx, new Set([...finds.values()].flatMap((found) => [...found])), came)

  return new Map(
    lines.map((line) => {
      const learnt = payers.get(squeezed(line.words.payer)) ?? []
      const groups = names.get(line.id) ?? []
      const evidenceFor = (policy: KnownPolicy): PolicyEvidence => {
        const { policyId, groupId } = policy
        const isNamed = groups.find((group) => group.groupId === groupId)?.named ?? null
        const another = isNamed === "whole" ? undefined : groups.find(({ named }) => named === "whole")
        return {
          ...policy,
          references: line.words.references.flatMap(({ number, slip }) =>
            (hits.get(number) ?? []).flatMap(({ id, kind, isOpen }) =>
              id === policyId ? [{ kind, number, slip, isOpen }] : [],
            ),
          ),
          named: isNamed,
          namesAnother: another?.name ?? null,
          learnt: learnt.find((payer) => payer.policyId === policyId) ?? null,
          isOnlyAmount: byAmount.get(line.amountCents)?.size === 1,
        }
      }
      const found = [...(finds.get(line.id) ?? [])].flatMap((id) => known.byId.get(id) ?? [])
      const ofGroups = new Set(found.map(({ groupId }) => groupId))
      const siblings = [...ofGroups].flatMap((groupId) =>
        (known.byGroup.get(groupId) ?? []).filter(({ policyId }) => !finds.get(line.id)!.has(policyId)),
      )
      return [
        line.id,
        {
          policies: found.map(evidenceFor),
          siblings: siblings.map(evidenceFor),
          records: records(line),
          notOurs: learnt.flatMap(({ reason, ...said }) => (reason ? [{ reason, ...said }] : [])),
          isOwnAccount: own.some(
            ({ id, accountNumber }) => id !== line.accountId && line.words.letters.includes(accountNumber),
          ),
        },
      ]
    }),
  )
}

const squeezed = (payer: string): string => payer.replaceAll(" ", "")

/** The numbers that stand in lines and are there, by number. */
async function referenceHits(tx: Tx, lines: readonly EvidenceLine[]): Promise<Map<string, Hit[]>> {
  const said = (kind: Reference["kind"]) =>
    texts(lines.flatMap(({ words }) => words.references.flatMap((one) => (one.kind === kind ? [one.number] : []))))
  const hits = await tx.rows<Hit>(sql`
    select 'invoice' as kind, i.number, i.policy_id as id, ${isOpen} as "isOpen", (${openCents})::bigint as "openCents"
    from invoices i where i.number = any (${said("invoice")}) and i.status = 'sent'
    union all
    select 'policy', p.number, p.id, true, 0 from policies p where p.number = any (${said("policy")}) and p.status <> 'Draft'`)
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
  name: string
  named: NonNullable<Named>
  policyIds: string[]
}

/** The groups that lines name: looked for by their first letters wherever these stand, then read to the end. */
async function namedGroups(tx: Tx, lines: readonly EvidenceLine[]): Promise<(line: EvidenceLine) => NamedGroup[]> {
  const starts = new Set<string>()
  for (const { words } of lines) {
    for (let at = 0; at + nameStart <= words.letters.length; at++) starts.add(words.letters.slice(at, at + nameStart))
    for (const word of words.words) if (word.length > 2 && word.length < nameStart) starts.add(word)
  }
  const groups = await tx.rows<{ groupId: string; name: string; policyIds: string[] }>(sql`
    select g.id as "groupId", g.name, array_agg(p.id) as "policyIds"
    from employer_groups g join policies p on p.group_id = g.id and p.status <> 'Draft'
    where left(regexp_replace(upper(g.name), '[^A-Z0-9]', '', 'g'), ${nameStart}) = any (${texts(starts)})
    group by g.id`)
  const names = new NameIndex<(typeof groups)[number]>()
  for (const group of groups) names.add(group.name, group)
  return ({ words }) => names.find(words).map(({ value, named }) => ({ ...value, named }))
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

type KnownPolicy = Omit<PolicyEvidence, "references" | "named" | "namesAnother" | "learnt" | "isOnlyAmount">

/** Policies, and all others of their groups, with what is open on them and what they paid before. */
async function policiesOf(tx: Tx, ids: ReadonlySet<string>, lines: readonly EvidenceLine[]) {
  const rows = await tx.rows<FoundPolicy>(sql`
    select p.id, p.number, p.group_id as "groupId", g.name as "groupName"
    from policies p join employer_groups g on g.id = p.group_id
    where p.status <> 'Draft' and p.group_id in (select group_id from policies where id = any (${uuids(ids)}))`)
  const open = grouped(
    await tx.rows<OpenInvoice & { policyId: string }>(sql`
      select i.id, i.number, i.due_on as "dueOn", ${openCents} as "outstandingCents", i.policy_id as "policyId"
      from invoices i where i.policy_id = any (${uuids(rows.map(({ id }) => id))}) and ${isOpen} order by i.due_on, i.number`),
    ({ policyId }) => policyId,
  )
  const usual = grouped(
    await tx.rows<{ policyId: string; amountCents: Cents; times: number }>(sql`
      select policy_id as "policyId", amount_cents as "amountCents", count(*)::int as times from receipts
      where policy_id = any (${uuids(ids)}) and reversed_at is null and amount_cents = any (${amounts(lines.map(({ amountCents }) => amountCents))})
      group by policy_id, amount_cents`),
    ({ policyId }) => policyId,
  )
  const known = rows.map(({ id, number, groupId, groupName }): KnownPolicy => {
    const of = { policyId: id, policyNumber: number, groupId, groupName }
    return { ...of, open: open.get(id) ?? [], usual: usual.get(id) ?? [] }
  })
  const byId = new Map(known.map((policy) => [policy.policyId, policy]))
  return { byId, byGroup: grouped(known, ({ groupId }) => groupId) }
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
