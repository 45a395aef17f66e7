import type { NotOursReason } from "@milkwood/domain/banking/bank-placement"
import { firstWordsIn, isNameWithin, nameCoreOf, type Reference } from "@milkwood/domain/banking/line-words"
import type { PolicyEvidence, ScoredLine } from "@milkwood/domain/banking/match-score"
import type { RecordEvidence } from "@milkwood/domain/banking/match-score-records"
import { addDays } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import type { Tx } from "../platform/database/database.ts"
import { type AmountHit, type KnownPolicy, PolicyBook } from "./policy-book.queries.ts"
import { loadRecords, postgresArray } from "./records.queries.ts"
import { loadPolicyPairs, type ShortName, shortNamesOf, usualPayersOf } from "./usual-payers.queries.ts"

export interface EvidenceLine extends ScoredLine {
  id: string
  accountId: string
  isMain: boolean
}

export interface Evidence {
  policies: PolicyEvidence[]
  siblings: PolicyEvidence[]
  records: RecordEvidence[]
  notOurs: { reason: NotOursReason; confirmed: number; declined: number }[]
  isOwnAccount: boolean
}

export interface SearchHits {
  policyIds: readonly string[]
  recordIds: readonly string[]
}

const maxHitsPerAmount = 5
const maxHitsInspected = 200
const usualPaymentDays = 400

interface Hit {
  kind: "invoice" | "policy"
  number: string
  policyId: string
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

const amountsOf = (lines: readonly EvidenceLine[]): Cents[] => [...new Set(lines.map(({ amountCents }) => amountCents))]

/** Match evidence per line, in a fixed number of queries. `book` caches employers and policies for later lines. */
export async function collectEvidence(
  tx: Tx,
  lines: readonly EvidenceLine[],
  { asked = { policyIds: [], recordIds: [] }, book = new PolicyBook() }: { asked?: SearchHits; book?: PolicyBook } = {},
): Promise<(line: EvidenceLine) => Evidence> {
  const came = lines.filter(({ amountCents }) => amountCents > 0)
  const hits = await findReferenceHits(tx, came)
  const payers = await findPayers(tx, lines)
  const names = await book.names(tx, came)
  const said = new Map(came.map((line) => [line.id, names.find(line.words)]))
  // Short names are searched only if the line contains no full name.
  const brief = came.filter(({ id }) => said.get(id)!.every(({ named }) => named === "begun"))
  const shortNames = await shortNamesOf(
    tx,
    brief.flatMap(({ words }) => firstWordsIn(words)),
  )
  const shortFor = new Map(brief.map((line) => [line.id, groupsNamedShort(line, said.get(line.id)!, shortNames)]))
  const isSilent = (line: EvidenceLine) =>
    said.get(line.id)!.length === 0 &&
    !payers.has(removeSpaces(line.words.payer)) &&
    !line.words.references.some(({ number }) => hits.has(number))
  const byAmount = await findAmountHits(tx, came, await book.sums(tx, amountsOf(came.filter(isSilent))))
  const records = await loadRecords(tx, lines, asked.recordIds)
  const isUnknown = (line: EvidenceLine) =>
    isSilent(line) &&
    !byAmount.has(line.amountCents) &&
    records(line).every(({ as }) => as !== "receipt" && as !== "deposit")
  const pairs = await loadPolicyPairs(tx, amountsOf(came.filter(isUnknown)))
  const pairFor = new Map(
    came.map((line): [string, readonly string[]] => [line.id, (isUnknown(line) && pairs.get(line.amountCents)) || []]),
  )
  const own = await tx.rows<{ id: string; accountNumber: string }>(
    sql`select id, account_number as "accountNumber" from bank_accounts`,
  )

  const found = came.map((line) => {
    const policyIds = new Set(asked.policyIds)
    const references = line.words.references.flatMap(({ number, slip }) =>
      (hits.get(number) ?? []).map((hit) => ({ ...hit, slip })),
    )
    for (const { policyId, slip, openCents: cents } of references) {
      // Numbers are consecutive, so most swapped digits give another policy's valid number. The amount decides.
      if (slip !== "swapped" || cents === line.amountCents) policyIds.add(policyId)
    }
    for (const { policyId } of payers.get(removeSpaces(line.words.payer)) ?? []) if (policyId) policyIds.add(policyId)
    for (const policyId of byAmount.get(line.amountCents) ?? []) policyIds.add(policyId)
    for (const policyId of pairFor.get(line.id)!) policyIds.add(policyId)
    return { line, policyIds, references, groups: said.get(line.id)! }
  })
  await book.read(
    tx,
    new Set(found.flatMap(({ policyIds }) => [...policyIds])),
    new Set(
      found.flatMap(({ line, groups }) => [
        ...groups.map(({ value }) => value.groupId),
        ...(shortFor.get(line.id) ?? []),
      ]),
    ),
  )
  const those = new Map(
    found.map(({ line, policyIds, references, groups }) => {
      const policies = new Set<KnownPolicy>()
      for (const id of policyIds) {
        const policy = book.policy(id)
        if (policy) policies.add(policy)
      }
      for (const { value } of groups) for (const policy of book.policiesOf(value.groupId)) policies.add(policy)
      for (const groupId of shortFor.get(line.id) ?? [])
        for (const policy of book.policiesOf(groupId)) policies.add(policy)
      return [line.id, { policies, references, groups }]
    }),
  )
  const usualPayers = await usualPayersOf(
    tx,
    found.flatMap(({ line, references }) =>
      line.words.payer === "" ? [] : references.flatMap(({ slip, policyId }) => (slip === "none" ? [policyId] : [])),
    ),
  )
  const usual = await countUsualPayments(
    tx,
    came.flatMap(({ id, amountCents }) =>
      [...those.get(id)!.policies]
        .filter(({ open }) => !open.some(({ outstandingCents }) => outstandingCents === amountCents))
        .map(({ policyId }) => ({ policyId, amountCents })),
    ),
  )

  return (line) => {
    const learnt = payers.get(removeSpaces(line.words.payer)) ?? []
    const { policies, references, groups } = those.get(line.id) ?? noSearchHits
    const whole = groups.filter(({ named }) => named === "whole")
    const pair = pairFor.get(line.id) ?? []
    const isOnlyAmount = byAmount.get(line.amountCents)?.size === 1
    const evidenceFor = (policy: KnownPolicy): PolicyEvidence => {
      const { policyId, policyNumber, groupId, groupName, open } = policy
      const named = groups.find(({ value }) => value.groupId === groupId)?.named ?? null
      const times = usual.get(paymentKeyOf(policyId, line.amountCents))
      return {
        ...{ policyId, policyNumber, groupId, groupName, open, named, isOnlyAmount },
        references: references.filter((hit) => hit.policyId === policyId),
        namesAnother: named === "whole" ? null : (whole[0]?.value.name ?? null),
        alsoNames:
          named === "whole"
            ? (whole.find(({ value }) => isOtherName(value.name, groupName))?.value.name ?? null)
            : null,
        isUsualPayer: (usualPayers.get(policyId) ?? []).some((payer) => isUsual(payer, line.words.payer)),
        isOfPair: pair.includes(policyId),
        isNamedShort: shortFor.get(line.id)?.has(groupId) ?? false,
        learnt: learnt.find((payer) => payer.policyId === policyId) ?? null,
        usual: times === undefined ? [] : [{ amountCents: line.amountCents, times }],
      }
    }
    const siblings = new Set<KnownPolicy>()
    for (const { groupId } of policies) {
      for (const policy of book.policiesOf(groupId)) if (!policies.has(policy)) siblings.add(policy)
    }
    return {
      policies: [...policies].map(evidenceFor),
      siblings: [...siblings].map(evidenceFor),
      records: records(line),
      notOurs: learnt.flatMap(({ reason, ...said }) => (reason ? [{ reason, ...said }] : [])),
      isOwnAccount: own.some(
        ({ id, accountNumber }) => id !== line.accountId && line.words.letters.includes(accountNumber),
      ),
    }
  }
}

function groupsNamedShort(
  { words }: EvidenceLine,
  begun: readonly { value: { groupId: string } }[],
  names: ReadonlyMap<string, ShortName>,
): ReadonlySet<string> {
  const groups = new Set(firstWordsIn(words).flatMap((word) => names.get(word)?.groupId ?? []))
  if (begun.length === 1) groups.add(begun[0]!.value.groupId)
  return groups.size > 1 ? groups : new Set()
}

function isOtherName(name: string, own: string): boolean {
  const [theirs, ours] = [nameCoreOf(name), nameCoreOf(own)]
  return !ours.includes(theirs) && !theirs.includes(ours)
}

const isUsual = (learnt: string, payer: string): boolean =>
  isNameWithin(learnt, payer) || (payer.length >= 6 && isNameWithin(payer, learnt))

const noSearchHits = { policies: new Set<KnownPolicy>(), references: [], groups: [] }

const removeSpaces = (payer: string): string => payer.replaceAll(" ", "")

async function findReferenceHits(tx: Tx, lines: readonly EvidenceLine[]): Promise<Map<string, Hit[]>> {
  const said: Record<Reference["kind"], string[]> = {
    invoice: [],
    policy: [],
    receipt: [],
    deposit: [],
    payout: [],
    batch: [],
  }
  for (const { words } of lines) for (const { kind, number } of words.references) said[kind].push(number)
  const hits = await tx.rows<Hit>(sql`
    select 'invoice' as kind, i.number, i.policy_id as "policyId", ${isOpen} as "isOpen", (${openCents})::bigint as "openCents"
    from invoices i where i.number = any (${postgresArray(said.invoice)}::text[]) and i.status = 'sent'
    union all
    select 'policy', p.number, p.id, true, 0 from policies p
    where p.number = any (${postgresArray(said.policy)}::text[]) and p.status <> 'Draft'`)
  return Map.groupBy(hits, ({ number }) => number)
}

async function findPayers(tx: Tx, lines: readonly EvidenceLine[]): Promise<Map<string, Payer[]>> {
  const rows = await tx.rows<Payer>(sql`
    select payer, policy_id as "policyId", reason, confirmed, declined from bank_payers
    where forgotten_at is null and replace(payer, ' ', '') = any (${postgresArray(lines.map(({ words }) => removeSpaces(words.payer)).filter(Boolean))}::text[])`)
  return Map.groupBy(rows, ({ payer }) => removeSpaces(payer))
}

async function findAmountHits(
  tx: Tx,
  lines: readonly EvidenceLine[],
  sums: readonly AmountHit[],
): Promise<Map<Cents, Set<string>>> {
  if (lines.length === 0) return new Map()
  const since = addDays(
    lines.map(({ day }) => day).reduce((a, b) => (a < b ? a : b)),
    -usualPaymentDays,
  )
  const rows = await tx.rows<{ amountCents: Cents; policyId: string; seen: number }>(sql`
    select a.cents as "amountCents", found.policy_id as "policyId", count(*) as seen
    from unnest(${postgresArray(amountsOf(lines))}::bigint[]) a (cents) cross join lateral (
      (select i.policy_id from invoices i where ${openCents} = a.cents limit ${maxHitsInspected})
      union all
      (select r.policy_id from receipts r
        where r.reversed_at is null and r.amount_cents = a.cents and r.received_on >= ${since} limit ${maxHitsInspected})) found
    group by 1, 2`)
  const all = [...rows, ...sums.map((hit) => ({ ...hit, seen: 1 }))]
  const few = [...Map.groupBy(all, (hit) => hit.amountCents)].flatMap(([cents, hits]) => {
    const policyIds = new Set(hits.map(({ policyId }) => policyId))
    const seen = hits.reduce((sum, hit) => sum + hit.seen, 0)
    return policyIds.size <= maxHitsPerAmount && seen < maxHitsInspected ? [[cents, policyIds] as const] : []
  })
  return new Map(few)
}

async function countUsualPayments(
  tx: Tx,
  pairs: readonly { policyId: string; amountCents: Cents }[],
): Promise<Map<string, number>> {
  const rows = await tx.rows<{ policyId: string; amountCents: Cents; times: number }>(sql`
    select r.policy_id as "policyId", r.amount_cents as "amountCents", count(*)::int as times
    from (select distinct * from unnest(
      ${`{${pairs.map(({ policyId }) => policyId)}}`}::uuid[], ${`{${pairs.map(({ amountCents }) => amountCents)}}`}::bigint[]
    ) pair (policy_id, cents)) pair join receipts r on r.policy_id = pair.policy_id and r.amount_cents = pair.cents
    where r.reversed_at is null group by 1, 2`)
  return new Map(rows.map(({ policyId, amountCents, times }) => [paymentKeyOf(policyId, amountCents), times]))
}

const paymentKeyOf = (policyId: string, cents: Cents): string => `${policyId} ${cents}`
