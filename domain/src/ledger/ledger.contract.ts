import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read } from "../kernel/procedure.ts"
import { account } from "./account-shape.ts"
import { entryKinds } from "./entry.ts"
import { postingsList } from "./postings.list.ts"

const tags = ["Ledger"]

/** A posting as it stands on its account, with the account's running balance after it (debit above zero). */
export const postingRow = z.object({
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

export const ledgerContract = {
  /**
   * The balance of every account at the end of a day (default: today), each on the side where it stands. The two totals
   * are equal; `balanced` says so rather than leaving it to be believed.
   */
  trialBalance: read("ledger.read")
    .route({ method: "GET", path: "/ledger/trial-balance", summary: "Trial balance", tags })
    .input(z.object({ asOf: day.optional() }))
    .output(
      z.object({
        asOf: day,
        accounts: z.array(
          z.object({
            account,
            title: z.string(),
            kind: z.enum(["asset", "liability", "income", "expense"]),
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
   * The postings of an account up to a day, newest first, with the running balance. `policyId` narrows it to a policy.
   * `balanceCents` is the balance of what matches, debit above zero; the totals of both sides stand beside it.
   */
  postings: read("ledger.read")
    .route({ method: "GET", path: "/ledger/accounts/{account}/postings", summary: "Postings of an account", tags })
    .input(listInput(postingsList, { account, asOf: day.optional(), policyId: z.uuid().optional() }))
    .output(listOutput(postingsList, postingRow, { debitCents: cents, creditCents: cents, balanceCents: cents })),

  /** An entry with all its postings. NOT_FOUND where there is none. */
  entry: read("ledger.read")
    .route({ method: "GET", path: "/ledger/entries/{entryId}", summary: "An entry of the ledger", tags })
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
