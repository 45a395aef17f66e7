import { ledgerEntry, trialBalance } from "./ledger.queries.ts"
import { accountPostings } from "./postings.queries.ts"

export const ledgerRouter = { trialBalance, postings: accountPostings, entry: ledgerEntry }
