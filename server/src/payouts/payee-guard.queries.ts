import type { EarlierPayees } from "@milkwood/domain/payouts/payee-guard"
import type { Payout } from "@milkwood/domain/payouts/payout"
import type { Payee } from "@milkwood/domain/payouts/payout-shape"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

type ComparedPayment = Pick<Payout, "groupId" | "policyId" | "subjectKind" | "subjectId" | "payeeId" | "payeeName"> & {
  id?: string
}

export async function loadEarlierPayees(tx: Tx, payment: ComparedPayment): Promise<EarlierPayees> {
  const { groupId, policyId, subjectKind, subjectId, payeeId, payeeName, id } = payment
  const ofObligation =
    subjectKind === "claim"
      ? sql`o.subject_kind = 'claim' and o.subject_id = ${subjectId} and o.payee_id is not distinct from ${payeeId}::uuid`
      : sql`o.subject_kind = 'refund' and o.policy_id = ${policyId}`
  const found = await tx.row<EarlierPayees>(sql`
    select (
      select coalesce(jsonb_agg(jsonb_build_object('payee', coalesce(o.attempted_payee, payee_of(o)), 'isReleased', o.attempted_at is not null)
        order by o.attempted_at desc nulls last, o.number desc), '[]')
      from payouts o where ${ofObligation} and (o.attempted_at is not null or o.id is distinct from ${id ?? null})
    ) as attempts, (
      select payee_of(o) from payouts o
      where o.group_id = ${groupId} and payee_key(o.payee_name) = payee_key(${payeeName}) and o.payee_account_number <> ''
        and o.released_at is not null and o.id is distinct from ${id ?? null}
      order by o.released_at desc limit 1
    ) as known`)
  return found!
}

/** The suggested payee for the next payment of a claim, member or policy. Null before the first. */
export async function loadLastPayee(
  tx: Tx,
  { memberId, policyId, claimId }: { memberId: string | null; policyId: string; claimId: string | null },
): Promise<(Payee & { isOfClaim: boolean }) | null> {
  const found = await tx.row<{ payee: Payee & { isOfClaim: boolean } }>(sql`
    select payee || jsonb_build_object('isOfClaim', rank = 1) as payee from (
      (select 1 as rank, o.attempted_payee as payee from payouts o
        where o.subject_kind = 'claim' and o.subject_id = ${claimId} and o.attempted_at is not null
        order by o.attempted_at desc, o.number desc limit 1)
      union all
      (select 2, payee_of(o) from payouts o
        where ${memberId ? sql`o.member_id = ${memberId}` : sql`o.member_id is null and o.policy_id = ${policyId}`}
          and o.released_at is not null and o.status in ('processing', 'completed') order by o.released_at desc limit 1)
    ) last order by rank limit 1`)
  return found?.payee ?? null
}
