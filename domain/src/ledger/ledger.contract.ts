import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure } from "../kernel/procedure.ts"
import { account } from "./account-shape.ts"
import { entryKinds } from "./entry.ts"
import { postingsList } from "./postings.list.ts"

const tags = ["Ledger"]

/** A posting with the account's balance after it (debit positive). */
export const postingRow = z.object({
  id: z.uuid(),
  entryId: z.uuid(),
  line: z.int(),
  effectiveOn: day,
  postedAt: instant,
  kind: z.enum(entryKinds),
  description: z.string(),
  record: z.object({ kind: z.string(), id: z.uuid() }),
  policyId: z.uuid().nullable(),
  policyNumber: z.string().nullable(),
  groupName: z.string().nullable(),
  debitCents: cents,
  creditCents: cents,
  balanceCents: cents,
})
export type PostingRow = z.infer<typeof postingRow>

export const postingsInput = { account, asOf: day.optional(), policyId: z.uuid().optional() }

export const ledgerContract = {
  /** Balances at the end of a day (default: today). `balanced` is true if debits equal credits. */
  trialBalance: readProcedure("ledger.read")
    .route({ method: "GET", path: "/ledger/trial-balance", summary: "Read the trial balance", tags })
    .input(z.object({ asOf: day.optional() }))
    .output(
      z.object({
        asOf: day,
        accounts: z.array(
          z.object({
            account,
            title: z.string(),
            kind: z.enum(["asset", "liability", "equity", "income", "expense"]),
            postings: z.int(),
            debitCents: cents,
            creditCents: cents,
          }),
        ),
        debitCents: cents,
        creditCents: cents,
        balanced: z.boolean(),
      }),
    ),

  /**
   * Postings up to a day (default: today), newest first, with the balance after each. `policyId` limits both. `sums`
   * and `balanceCents` cover all matches in cents, debit positive; null when counting was capped.
   */
  postings: readProcedure("ledger.read")
    .route({
      method: "GET",
      path: "/ledger/accounts/{account}/postings",
      summary: "List the postings of an account",
      tags,
    })
    .input(listInput(postingsList, postingsInput))
    .output(listOutput(postingsList, postingRow, { balanceCents: cents.nullable() })),

  /** Refuses NOT_FOUND. */
  entry: readProcedure("ledger.read")
    .route({ method: "GET", path: "/ledger/entries/{entryId}", summary: "Read a ledger entry", tags })
    .input(z.object({ entryId: z.uuid() }))
    .output(
      z.object({
        id: z.uuid(),
        source: z.string(),
        kind: z.enum(entryKinds),
        effectiveOn: day,
        postedAt: instant,
        description: z.string(),
        record: z.object({ kind: z.string(), id: z.uuid() }),
        reversesId: z.uuid().nullable(),
        reversedById: z.uuid().nullable(),
        postings: z.array(
          z.object({
            account,
            policyId: z.uuid().nullable(),
            policyNumber: z.string().nullable(),
            debitCents: cents,
            creditCents: cents,
          }),
        ),
      }),
    ),
}
