import { bankStatementsList } from "@milkwood/domain/banking/bank-statements.list"
import {
  type BankStatementDetail,
  type BankStatementRow,
  bankingContract,
} from "@milkwood/domain/banking/banking.contract"
import type { Currency } from "@milkwood/domain/kernel/money"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import type { SourceCx } from "../platform/lists/source.ts"
import { timeline } from "../platform/trail/facts.ts"
import { gapOf, precedingListedStatement } from "./statement-gap.queries.ts"

const row = sql`
  s.id, s.number, s.account_id as "accountId", a.name as "accountName", s.format, s.file_name as "fileName",
  s.from_on as "fromOn", s.to_on as "toOn", s.opening_cents as "openingCents", s.closing_cents as "closingCents",
  s.new_count as "newCount", s.imported_at as "importedAt", s.undone_at as "undoneAt"`

interface WithPrecedingStatement {
  _before: Parameters<typeof gapOf>[1]
}

const withGap = <S extends Omit<BankStatementRow, "gap">>(
  { _before, ...statement }: S & WithPrecedingStatement,
  currency: Currency,
) => ({
  ...statement,
  gap: statement.undoneAt === null ? gapOf(statement, _before, currency) : null,
})

export const bankStatements = new List<typeof bankStatementsList, BankStatementRow>(bankStatementsList, {
  select: () => sql`
    select ${row}, s.account_id as "_accountId", lower(s.number) as _number, lower(s.file_name) as "_fileName", lower(a.name) as _account
    from bank_statements s
    left join bank_accounts a on a.id = s.account_id`,
  search: (pattern) => [
    { like: matchesPattern(sql`s._number`, pattern) },
    { like: matchesPattern(sql`s."_fileName"`, pattern) },
    { like: matchesPattern(sql`s._account`, pattern) },
  ],
  pageColumns: () => ({ _before: precedingListedStatement }),
  present: (found: Omit<BankStatementRow, "gap"> & WithPrecedingStatement, { currency }: SourceCx) =>
    withGap(found, currency),
})

export const listBankStatements = query(bankingContract.statements, async (cx) => {
  const { figures: _, ...answer } = await bankStatements.answer(cx, cx.input)
  return answer
})

type Stored = Omit<BankStatementDetail, "timeline" | "gap" | "allowedActions">

/** NOT_FOUND if the statement does not exist. */
export async function bankStatementDetail(
  cx: Pick<Cx, "tx" | "actor" | "currency">,
  statementId: string,
): Promise<BankStatementDetail> {
  const found = await cx.tx.row<Stored & WithPrecedingStatement>(sql`
    select s.*, ${precedingListedStatement} as _before from (
      select ${row}, a.bank, a.account_number as "accountNumber", s.known_count as "knownCount", s.faults, s.sha256, s.file_id is not null as "hasFile",
        u.name as "importedByName", w.name as "undoneByName", l."inCents", l."outCents"
      from bank_statements s
      join bank_accounts a on a.id = s.account_id
      left join users u on u.id = s.imported_by
      left join users w on w.id = s.undone_by
      cross join lateral (select coalesce(sum(amount_cents) filter (where amount_cents > 0), 0)::bigint as "inCents",
        coalesce(sum(amount_cents) filter (where amount_cents < 0), 0)::bigint as "outCents"
        from bank_lines where statement_id = s.id) l
      where s.id = ${statementId}
    ) s`)
  if (!found) throw refused("NOT_FOUND", "This statement does not exist.")
  const mayUndo = found.undoneAt === null && hasPermission(ruleActor(cx.actor).role, "banking.write")
  return {
    ...withGap(found, cx.currency),
    allowedActions: mayUndo ? ["undo"] : [],
    timeline: await timeline(cx, "bank_statement", statementId),
  }
}

export const readStatementActivity = query(bankingContract.activity, async (cx) => {
  const { statementId, before } = cx.input
  if (!(await cx.tx.row(sql`select from bank_statements where id = ${statementId}`))) {
    throw refused("NOT_FOUND", "This statement does not exist.")
  }
  return timeline(cx, "bank_statement", statementId, { before })
})

export const readBankStatement = query(bankingContract.statement, (cx) => bankStatementDetail(cx, cx.input.statementId))
