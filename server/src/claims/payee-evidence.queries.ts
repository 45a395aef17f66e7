import { accountHolderOf, emailKey, type PayeeEvidence } from "@milkwood/domain/claims/claim-payees"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import type { PayableClaimRecord, StoredPayee } from "./claim-payees.queries.ts"

/**
 * Users of the claim and of its payments, and the reader, against names and e-mail addresses; other members' claims and
 * nominees against accounts.
 */
export async function loadPayeeEvidence(
  { tx, actor }: Cx,
  { id, memberId }: PayableClaimRecord,
  payees: readonly StoredPayee[],
): Promise<Pick<PayeeEvidence, "sameNames" | "sameEmails" | "sameAccounts">> {
  if (payees.length === 0) return { sameNames: [], sameEmails: [], sameAccounts: [] }
  const { userId, role } = ruleActor(actor)
  const names = sql.param([...new Set(payees.flatMap((payee) => [payee.name, accountHolderOf(payee)]))])
  const emails = sql.param(payees.map(({ email }) => emailKey(email)).filter((key) => key !== ""))
  const users = await tx.rows<{ name: string; act: string; isSameName: boolean; isSameEmail: boolean }>(sql`
    select * from (
      select u.name, min(did.act) as act,
        payee_key(u.name) in (select payee_key(name) from unnest(${names}::text[]) name) as "isSameName",
        u.email = any (${emails}::text[]) as "isSameEmail"
      from (
        select unnest(captured_by || submitted_by) as id, 'captured this claim' as act from claims where id = ${id}
        union select reviewed_by, 'reviewed this claim' from claims where id = ${id}
        union select decided_by, 'decided this claim' from claim_approvals where claim_id = ${id}
        union select unnest(prepared_by || released_by), 'handled its payments' from payouts
          where subject_kind = 'claim' and subject_id = ${id}
        union select ${userId}::uuid, 'may pay this claim' where ${hasPermission(role, "payouts.write")}
      ) did join users u on u.id = did.id
      group by u.id, u.name
    ) found where "isSameName" or "isSameEmail" order by name`)
  const told = (rows: typeof users) => rows.map(({ name, act }) => ({ name, act }))
  return {
    sameNames: told(users.filter(({ isSameName }) => isSameName)),
    sameEmails: told(users.filter(({ isSameEmail }) => isSameEmail)),
    sameAccounts: await loadSameAccounts(tx, memberId, payees),
  }
}

async function loadSameAccounts(
  tx: Tx,
  memberId: string,
  payees: readonly StoredPayee[],
): Promise<PayeeEvidence["sameAccounts"]> {
  const accounts = payees.filter(({ accountNumber }) => accountNumber !== "")
  if (accounts.length === 0) return []
  const numbers = sql`any (${sql.param(accounts.map(({ accountNumber }) => accountNumber))}::text[])`
  const found = await tx.rows<Omit<PayeeEvidence["sameAccounts"][number], "payee"> & { account: string }>(sql`
    select account,
      coalesce((array_agg(distinct record) filter (where kind = 'claim'))[1:5], '{}') as claims,
      coalesce((array_agg(distinct record) filter (where kind = 'member'))[1:5], '{}') as members
    from (
      select 'claim' as kind, o.payee_account_number || '/' || o.payee_branch_code as account,
        jsonb_build_object('id', o.subject_id, 'number', o.subject_label) as record
      from payouts o
      where o.payee_account_number = ${numbers} and o.subject_kind = 'claim' and o.member_id <> ${memberId}
        and o.status <> 'cancelled'
      union all
      select 'claim', p.account_number || '/' || p.branch_code, jsonb_build_object('id', c.id, 'number', c.number)
      from claim_payees p
      join claim_payee_sets s on s.id = p.set_id and s.superseded_at is null
      join claims c on c.id = s.claim_id
      where p.account_number = ${numbers} and c.member_id <> ${memberId}
      union all
      select 'member', n.account_number || '/' || n.branch_code, jsonb_build_object('id', m.id, 'number', m.number)
      from nominees n
      join nominations s on s.id = n.nomination_id and s.superseded_at is null
      join members m on m.id = s.member_id
      where n.account_number = ${numbers} and m.id <> ${memberId}
    ) seen group by account`)
  const recordsOf = new Map(found.map(({ account, ...records }) => [account, records]))
  return accounts.flatMap((payee) => {
    const records = recordsOf.get(`${payee.accountNumber}/${payee.branchCode}`)
    return records ? [{ payee: payee.name, ...records }] : []
  })
}
