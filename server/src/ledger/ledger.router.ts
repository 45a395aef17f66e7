import { accountPostings, ledgerEntry, trialBalance } from "./ledger.queries.ts"

export const ledgerRouter = { trialBalance, postings: accountPostings, entry: ledgerEntry }
