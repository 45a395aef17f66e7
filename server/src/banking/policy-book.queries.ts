import { minNameStartLetters } from "@milkwood/domain/banking/line-words"
import type { OpenMonth, PolicyEvidence, ScoredLine } from "@milkwood/domain/banking/match-score"
import { NameIndex } from "@milkwood/domain/banking/name-index"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import type { Tx } from "../platform/database/database.ts"

export type KnownPolicy = Pick<PolicyEvidence, "policyId" | "policyNumber" | "groupId" | "groupName" | "open">

export interface KnownGroup {
  groupId: string
  name: string
}

export interface AmountHit {
  amountCents: Cents
  policyId: string
}

/** Caches employers, policies and open amounts for one call or job. A job must check each line again before it acts. */
export class PolicyBook {
  readonly #byId = new Map<string, KnownPolicy>()
  readonly #byGroup = new Map<string, KnownPolicy[]>()
  readonly #isWhole: boolean
  #names: NameIndex<KnownGroup> | undefined
  #sums: Map<Cents, AmountHit[]> | undefined

  /** `isWhole` reads all names and sums at once, for files that mention most employers. */
  constructor({ isWhole = false } = {}) {
    this.#isWhole = isWhole
  }

  policy(id: string): KnownPolicy | undefined {
    return this.#byId.get(id)
  }

  policiesOf(groupId: string): readonly KnownPolicy[] {
    return this.#byGroup.get(groupId) ?? []
  }

  async names(tx: Tx, lines: readonly ScoredLine[]): Promise<NameIndex<KnownGroup>> {
    if (this.#names) return this.#names
    const starts = this.#isWhole ? null : nameStartsIn(lines)
    const length = sql.raw(String(minNameStartLetters))
    const groups = await tx.rows<KnownGroup>(sql`
      select g.id as "groupId", g.name from employer_groups g
      where ${
        starts === null
          ? sql`true`
          : sql`left(name_core(g.name), ${length}) = any (${sql.param(starts)}::text[])
        or left(name_core_turned(g.name), ${length}) = any (${sql.param(starts)}::text[])`
      }`)
    const names = new NameIndex(groups.map((group) => ({ name: group.name, value: group })))
    if (this.#isWhole) this.#names = names
    return names
  }

  async sums(tx: Tx, amounts: readonly Cents[]): Promise<AmountHit[]> {
    if (amounts.length === 0) return []
    if (this.#sums) return amounts.flatMap((cents) => this.#sums!.get(cents) ?? [])
    const wanted = this.#isWhole ? sql`true` : sql`sum(${openCents}) = any (${sql.param([...amounts])}::bigint[])`
    const found = await tx.rows<AmountHit>(sql`
      select sum(${openCents})::bigint as "amountCents", i.policy_id as "policyId" from invoices i where ${isOpen}
      group by i.policy_id having count(*) > 1 and ${wanted}`)
    if (!this.#isWhole) return found
    this.#sums = Map.groupBy(found, ({ amountCents }) => amountCents)
    return this.sums(tx, amounts)
  }

  async read(tx: Tx, policyIds: ReadonlySet<string>, groupIds: ReadonlySet<string>): Promise<void> {
    const policies = [...policyIds].filter((id) => !this.#byId.has(id))
    const groups = [...groupIds].filter((id) => !this.#byGroup.has(id))
    if (policies.length + groups.length === 0) return
    const rows = await tx.rows<Omit<KnownPolicy, "open">>(sql`
      select p.id as "policyId", p.number as "policyNumber", p.group_id as "groupId", g.name as "groupName"
      from policies p join employer_groups g on g.id = p.group_id
      where p.status <> 'Draft' and p.group_id in (
        select group_id from policies where id = any (${sql.param(policies)}::uuid[]) union select unnest(${sql.param(groups)}::uuid[]))
      order by p.number`)
    const open = Map.groupBy(
      await tx.rows<OpenMonth & { policyId: string }>(sql`
        select i.id, i.number, i.due_on as "dueOn", i.period_start_on as month, ${openCents} as "outstandingCents", i.policy_id as "policyId"
        from invoices i where i.policy_id = any (${sql.param(rows.map(({ policyId }) => policyId))}::uuid[]) and ${isOpen}
        order by i.due_on, i.number`),
      ({ policyId }) => policyId,
    )
    const known = rows.map((policy): KnownPolicy => ({ ...policy, open: open.get(policy.policyId) ?? [] }))
    for (const policy of known) this.#byId.set(policy.policyId, policy)
    for (const [groupId, its] of Map.groupBy(known, ({ groupId }) => groupId)) this.#byGroup.set(groupId, its)
  }
}

function nameStartsIn(lines: readonly ScoredLine[]): string[] {
  const starts = new Set<string>()
  for (const { words } of lines) {
    for (let at = 0; at + minNameStartLetters <= words.letters.length; at++)
      starts.add(words.letters.slice(at, at + minNameStartLetters))
    for (const word of words.words) if (word.length > 0 && word.length < minNameStartLetters) starts.add(word)
  }
  return [...starts]
}
