import { bankPayersList } from "@milkwood/domain/banking/bank-payers.list"
import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import type { BankPayerRow } from "@milkwood/domain/banking/matching.contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"

export const bankPayers = new List<typeof bankPayersList, BankPayerRow>(bankPayersList, {
  select: () => sql`
    select b.id, b.payer, b.reason, b.confirmed, b.declined, b.last_at as "lastAt", b.policy_id as "policyId",
      p.number as "policyNumber", g.name as "groupName", case when b.policy_id is null then 'notOurs' else 'policy' end as of,
      b.policy_id as "_policyId", lower(b.payer) as _payer, lower(p.number) as _policy, lower(g.name) as _group
    from bank_payers b
    left join policies p on p.id = b.policy_id
    left join employer_groups g on g.id = b.group_id
    where b.forgotten_at is null and (b.confirmed > 0 or b.declined > 0)`,
  search: (pattern) => [
    { like: matchesPattern(sql`s._payer`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
    { like: matchesPattern(sql`s._group`, pattern) },
  ],
  present: ({ of: _, ...found }: BankPayerRow & { of: string }) => found,
})

export const listBankPayers = query(bankingContract.learntPayers, (cx) => bankPayers.page(cx, cx.input))
