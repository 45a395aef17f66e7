import { bankLinesList } from "@milkwood/domain/banking/bank-lines.list"
import { type BankLineRow, bankingContract } from "@milkwood/domain/banking/banking.contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { has } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"

export const bankLines = new List<typeof bankLinesList, BankLineRow>(bankLinesList, {
  select: () => sql`
    select l.id, l.account_id as "accountId", a.name as "accountName", l.statement_id as "statementId",
      s.number as "statementNumber", l.day, l.text, l.reference, l.amount_cents as "amountCents",
      l.balance_cents as "balanceCents", l.line as _line, l.account_id as "_accountId", l.statement_id as "_statementId",
      lower(l.text) as _text, lower(l.reference) as _reference
    from bank_lines l
    left join bank_accounts a on a.id = l.account_id
    left join bank_statements s on s.id = l.statement_id`,
  search: (pattern) => [{ like: has(sql`s._text`, pattern) }, { like: has(sql`s._reference`, pattern) }],
  order: { day: ["day", "_line"] },
  present: (found: BankLineRow) => found,
})

export const listBankLines = query(bankingContract.lines, async (cx) => {
  const { figures, ...answer } = await bankLines.answer(cx, cx.input)
  return { ...answer, totalCents: figures && sumOf(figures, [""], "amountCents") }
})
