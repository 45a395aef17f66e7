import { type BankProof, proveAccount } from "@milkwood/domain/banking/bank-proof"
import { type Day, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { type BankReconciliation, monthEndContract } from "@milkwood/domain/month-end/month-end.contract"
import { sql } from "drizzle-orm"
import { bankProofFacts } from "../banking/bank-proof.queries.ts"
import { loadLastClosedMonth } from "../ledger/closed-months.ts"
import { type Cx, query } from "../platform/calls/commands.ts"

export async function bankProofOf({ tx }: Pick<Cx, "tx">, month: Day): Promise<BankProof> {
  const day = lastOfMonth(month)
  const accounts = (await bankProofFacts({ tx }, day)).map(proveAccount)
  const ledger = await tx.row<{ ledgerCents: number; undepositedCents: number }>(sql`
    select coalesce(sum(debit_cents - credit_cents) filter (where account = 'bank'), 0)::bigint as "ledgerCents",
      coalesce(sum(debit_cents - credit_cents) filter (where account = 'undeposited'), 0)::bigint as "undepositedCents"
    from ledger_months where account in ('bank', 'undeposited') and month <= ${month}::date`)
  return { month, day, accounts, ...ledger! }
}

export interface SignedProof {
  closingId: string
  closedAt: string
  closedByName: string
  proof: BankProof
  pdfSha256: string | null
  csvSha256: string | null
}

/** The signed reconciliation of a closed month; undefined while the month is open. */
export const signedProofOf = ({ tx }: Pick<Cx, "tx">, month: Day): Promise<SignedProof | undefined> =>
  tx.row<SignedProof>(sql`
    select c.id as "closingId", c.closed_at as "closedAt", coalesce(u.name, 'A former user') as "closedByName",
      s.content as proof, s.pdf_sha256 as "pdfSha256", s.csv_sha256 as "csvSha256"
    from signed_reconciliations s join closed_months c on c.id = s.closed_month_id left join users u on u.id = c.closed_by
    where c.month = ${month} and c.reopened_at is null`)

/** Limit for each group on screen; the PDF and CSV contain all items. */
const maxItemsShown = 200

export const readBankReconciliation = query(
  monthEndContract.bank,
  async (cx): Promise<BankReconciliation> => {
    const { month } = cx.input
    const kept = await signedProofOf(cx, month)
    const last = await loadLastClosedMonth(cx.tx)
    const { accounts, ...proof } = kept?.proof ?? (await bankProofOf(cx, month))
    return {
      ...proof,
      accounts: accounts.map(({ groups, ...account }) => ({
        ...account,
        groups: groups.map(({ items, ...group }) => ({
          ...{ ...group, count: items.length, items: items.slice(0, maxItemsShown) },
        })),
      })),
      isClosed: last !== undefined && month <= last.month,
      signed: kept
        ? {
            ...{ closingId: kept.closingId, closedAt: kept.closedAt, closedByName: kept.closedByName },
            ...{ pdfSha256: kept.pdfSha256, csvSha256: kept.csvSha256 },
          }
        : null,
    }
  },
  { heavy: true },
)
