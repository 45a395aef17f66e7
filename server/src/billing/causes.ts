import { type BilledMonth, type Cause, causesOf } from "@milkwood/domain/billing/difference"
import type { MemberFacts } from "@milkwood/domain/members/member-dated-facts"
import type { PolicyFacts } from "@milkwood/domain/premiums/premium-facts"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { loadDocumentsOfMonths, loadFirstInvoices } from "./billed-documents.queries.ts"

export interface Explained {
  memberId: string
  facts: MemberFacts
  months: readonly BilledMonth[]
}

/** Causes by member. Reads documents only for months that need them. */
export async function loadMemberCauses(
  tx: Tx,
  { policyId, policy, knownAt }: { policyId: string; policy: PolicyFacts; knownAt: Temporal.Instant },
  members: readonly Explained[],
): Promise<Map<string, Cause[]>> {
  const causes = ({ facts, months }: Explained) => causesOf(policy, facts, months, knownAt.toString())
  const found = new Map(members.map((member) => [member.memberId, causes(member)]))
  const monthsOf = (memberId: string, kind: Cause["kind"]) =>
    found.get(memberId)!.flatMap((cause) => (cause.kind === kind ? cause.months.map(({ month }) => month) : []))
  const byHand = members.flatMap(({ memberId }) =>
    monthsOf(memberId, "billed otherwise").map((month) => ({ memberId, month })),
  )
  const leftOut = new Set(members.flatMap(({ memberId }) => monthsOf(memberId, "left out")))
  const documents = await loadDocumentsOfMonths(tx, policyId, byHand)
  const invoices = await loadFirstInvoices(tx, policyId, [...leftOut])
  const unclear = new Set(byHand.map(({ memberId }) => memberId))
  for (const member of members) {
    const { memberId, months } = member
    if (!unclear.has(memberId) && monthsOf(memberId, "left out").length === 0) continue
    const withDocuments = months.map((month) => ({
      ...month,
      documents: documents.get(`${memberId} ${month.month}`) ?? [],
      ...(invoices.has(month.month) && { policyInvoice: invoices.get(month.month)! }),
    }))
    found.set(memberId, causes({ ...member, months: withDocuments }))
  }
  return withTierNames(tx, found)
}

async function withTierNames(tx: Tx, found: Map<string, Cause[]>): Promise<Map<string, Cause[]>> {
  if (![...found.values()].some((causes) => causes.some(({ tier }) => tier))) return found
  const tiers = await tx.rows<{ id: string; name: string }>(sql`select id, name from benefit_tiers`)
  const names = new Map(tiers.map(({ id, name }) => [id, name]))
  const named = (cause: Cause): Cause => {
    if (!cause.tier) return cause
    const { id, beforeId } = cause.tier
    const [name, beforeName] = [names.get(id), names.get(beforeId)]
    return name && beforeName ? { ...cause, tier: { id, beforeId, name, beforeName } } : cause
  }
  return new Map([...found].map(([memberId, causes]) => [memberId, causes.map(named)]))
}
