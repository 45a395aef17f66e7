import { bankingContract } from "@milkwood/domain/banking/banking.contract"
import type { MatchingProgress } from "@milkwood/domain/banking/matching.contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"

export const readProgress = query(bankingContract.progress, async ({ tx, input }) => {
  const { accountId, statementId } = input
  const found = await tx.row<MatchingProgress>(sql`
    select count(*) as lines, count(p.id) as placed, count(*) filter (where p.is_automatic) as automatic,
      coalesce(sum(l.amount_cents) filter (where p.id is null and l.amount_cents > 0), 0)::bigint as "openInCents",
      coalesce(sum(l.amount_cents) filter (where p.id is null and l.amount_cents < 0), 0)::bigint as "openOutCents"
    from bank_lines l left join bank_placements p on p.line_id = l.id and p.undone_at is null
    where ${accountId ? sql`l.account_id = ${accountId}` : sql`true`} and ${statementId ? sql`l.statement_id = ${statementId}` : sql`true`}`)
  return found!
})
