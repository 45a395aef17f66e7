import { z } from "zod"
import { ageAmounts } from "../billing/ageing-shape.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { mailStates } from "../platform/mail-states.ts"
import { mailText } from "../platform/mail-template-shape.ts"
import { collectionList } from "./collection.list.ts"
import {
  callOutcomes,
  collectionActions,
  collectionStandings,
  collectionStatuses,
  contactKinds,
  promiseStates,
} from "./collection.ts"
import { callForm } from "./collection-shape.ts"
import { premiumMailKinds } from "./premium-mail.ts"
import { statementKinds } from "./statement.ts"

const tags = ["Premium collection"]

/** Amounts in cents. */
const contactFields = {
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  contactName: z.string(),
  contactEmail: z.string(),
  phone: z.string(),
}

export const collectionRow = ageAmounts.extend({
  id: z.uuid(),
  ...contactFields,
  /** Sent invoices of the period less credit notes and write-offs. */
  expectedCents: cents,
  /** Receipts allocated to the period's invoices. */
  collectedCents: cents,
  /** Expected less collected, as in the ledger's debtors. */
  outstandingCents: cents,
  /** Unallocated credit received in the period; not part of collected. */
  creditCents: cents,
  /** Write-offs on the period's invoices; not included in `expectedCents`. */
  writtenOffCents: cents,
  /** Collected ÷ expected in whole per cent; null if nothing was expected. */
  rate: z.int().nullable(),
  /** Overdue amounts of all the policy's invoices, today. The ages add up to the total open amount. */
  overdueCents: cents,
  /** Due day of the oldest overdue invoice. */
  overdueSince: day.nullable(),
  /** Open invoices less unallocated credit; never below 0. */
  owedCents: cents,
  lastPaymentOn: day.nullable(),
  /** Both are as of today, over all the policy's invoices. */
  status: z.enum(collectionStatuses),
  standing: z.enum(collectionStandings).nullable(),
  promisedCents: cents.nullable(),
  promisedOn: day.nullable(),
  lastContactAt: instant.nullable(),
  allowedActions: z.array(z.enum(collectionActions)),
})
export type CollectionRow = z.infer<typeof collectionRow>

export const premiumContact = z.object({
  id: z.uuid(),
  kind: z.enum(contactKinds),
  madeAt: instant,
  /** Null if sent automatically. */
  madeByName: z.string().nullable(),
  outcome: z.enum(callOutcomes).nullable(),
  promisedCents: cents.nullable(),
  promisedOn: day.nullable(),
  promise: z.enum(promiseStates).nullable(),
  note: z.string(),
  sentTo: z.string().nullable(),
  mail: z.enum(mailStates).nullable(),
})
export type PremiumContact = z.infer<typeof premiumContact>

export const policyContacts = z.object({
  ...contactFields,
  outstandingCents: cents,
  overdueCents: cents,
  creditCents: cents,
  oldestDueOn: day.nullable(),
  /** Newest first, at most 100. */
  contacts: z.array(premiumContact),
  allowedActions: z.array(z.enum(collectionActions)),
})
export type PolicyContacts = z.infer<typeof policyContacts>

export const mailDraft = z.object({ to: z.string(), subject: z.string(), text: z.string() })
export type MailDraft = z.infer<typeof mailDraft>

const sending = z.object({
  sending: z.int(),
  /** Policies that owe nothing or have no address. */
  skipped: z.array(
    z.object({
      policyId: z.uuid(),
      policyNumber: z.string(),
      reason: z.enum(["paid_up", "no_address", "promised", "disputed"]),
    }),
  ),
})

export type Sending = z.infer<typeof sending>

export const policyGrace = z.object({
  /** Days of cover after the due day without payment. */
  graceDays: z.int(),
  /** Grace period of the oldest unpaid premium; null if none is overdue. */
  grace: z
    .object({ nonPaymentOn: day, noticeDueOn: day, coverUntil: day, daysLeft: z.int(), isOver: z.boolean() })
    .nullable(),
  unpaid: z.array(z.object({ id: z.uuid(), number: z.string(), dueOn: day, openCents: cents })),
  noticeSentAt: instant.nullable(),
  /** Members whose cover a lapse would end. */
  members: z.int(),
  /** Sent with the suspension that confirms a lapse. */
  policyVersion: z.int(),
  allowedActions: z.array(z.enum(["notice", "lapse"])),
})
export type PolicyGrace = z.infer<typeof policyGrace>

export const statement = z.object({
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  from: day,
  to: day,
  /** Balance before the first day; negative means that the policy is in credit. */
  openingCents: cents,
  /** In ledger order, each with the balance after it. */
  lines: z.array(
    z.object({
      entryId: z.uuid(),
      on: day,
      kind: z.enum(statementKinds),
      description: z.string(),
      /** Null if the reader may not open the record. */
      record: z.object({ kind: z.string(), id: z.uuid() }).nullable(),
      chargeCents: cents,
      paymentCents: cents,
      balanceCents: cents,
    }),
  ),
  closingCents: cents,
  debtorsCents: cents,
  creditCents: cents,
})
export type Statement = z.infer<typeof statement>

export const collectionContract = {
  /**
   * Billed and paid per policy: of a month (`YYYY-MM`, default current) or of `all` months. Outstanding = expected less
   * collected; unallocated credit is separate. Status, overdue and ages are of the whole policy today.
   */
  list: readProcedure("collection.read")
    .route({ method: "GET", path: "/collection", summary: "List owed and paid amounts by policy", tags })
    .input(listInput(collectionList))
    .output(
      listOutput(collectionList, collectionRow, {
        /** Totals over all statuses, regardless of the selected card. */
        cards: z
          .object({
            expectedCents: cents,
            collectedCents: cents,
            outstandingCents: cents,
            creditCents: cents,
            rate: z.int().nullable(),
          })
          .nullable(),
      }),
    ),

  /** Contact details, amount owed, calls and mails of a policy. */
  contacts: readProcedure("collection.read")
    .route({ method: "GET", path: "/policies/{policyId}/premium-contacts", summary: "List calls and reminders", tags })
    .input(z.object({ policyId: z.uuid() }))
    .output(policyContacts),

  /** Logs a call: reached, no answer, a promise of an amount in cents by a day from today, or a dispute. */
  logCall: writeProcedure("collection.write", { idempotent: true })
    .route({ method: "POST", path: "/policies/{policyId}/premium-calls", summary: "Log a call", tags })
    .input(z.object({ policyId: z.uuid(), idempotencyKey: z.uuid(), call: callForm }))
    .output(policyContacts)
    .errors({ NOTHING_OWED: { status: 409, message: "The policy is a draft: it has not been billed yet." } }),

  /**
   * Statement of account from the ledger, both days inclusive. Default: to today, from three months back or the oldest
   * open invoice. Employer users see their own policies.
   */
  statement: readProcedure("statements.read")
    .route({ method: "GET", path: "/policies/{policyId}/statement", summary: "Read a statement of account", tags })
    .input(z.object({ policyId: z.uuid(), from: day.optional(), to: day.optional() }))
    .output(statement),

  mailDraft: readProcedure("collection.write")
    .route({
      method: "GET",
      path: "/policies/{policyId}/premium-mails/draft",
      summary: "Read the draft of a premium e-mail",
      tags,
    })
    .input(z.object({ policyId: z.uuid(), kind: z.enum(premiumMailKinds) }))
    .output(mailDraft),

  /** The reminder's template with placeholders, for one or more policies. */
  reminderText: readProcedure("collection.write")
    .route({ method: "GET", path: "/collection/reminders/text", summary: "Read the reminder template", tags })
    .output(mailText),

  /**
   * Sends reminders with statements in the background. Policies that owe nothing or have no address are skipped. The
   * delivery is recorded in the policy's contacts.
   */
  remind: writeProcedure("collection.write", { idempotent: true })
    .route({ method: "POST", path: "/collection/reminders", summary: "Send reminders", tags })
    .input(
      z.object({
        policyIds: z.array(z.uuid()).min(1, "Choose a policy").max(500),
        idempotencyKey: z.uuid(),
        ...mailText.shape,
      }),
    )
    .output(sending),

  grace: readProcedure("collection.read")
    .route({ method: "GET", path: "/policies/{policyId}/grace", summary: "Read the grace period", tags })
    .input(z.object({ policyId: z.uuid() }))
    .output(policyGrace),

  /** Sends the notice of non-payment (Policyholder Protection Rules, 15A) with the statement, in the background. */
  sendNotice: writeProcedure("collection.write", { idempotent: true })
    .route({
      method: "POST",
      path: "/policies/{policyId}/non-payment-notice",
      summary: "Send a notice of non-payment",
      tags,
    })
    .input(z.object({ policyId: z.uuid(), idempotencyKey: z.uuid(), ...mailText.shape }))
    .output(sending)
    .errors({ NOTHING_UNPAID: { status: 409, message: "This policy has no overdue premium." } }),
}
