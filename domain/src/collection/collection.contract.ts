import { z } from "zod"
import { ageAmounts } from "../billing/ageing-shape.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { mailStates } from "../platform/mail-states.ts"
import { mailText } from "../platform/mail-template-shape.ts"
import { collectionList } from "./collection.list.ts"
import {
  callOutcomes,
  collectionActions,
  collectionStatuses,
  contactKinds,
  promiseStates,
  standings,
} from "./collection.ts"
import { callForm } from "./collection-shape.ts"
import { premiumMailKinds } from "./premium-mail.ts"
import { statementKinds } from "./statement.ts"

const tags = ["Premium collection"]

/** How to reach a policy's main contact, and what it owes now. Units: cents. */
const reach = {
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  contactName: z.string(),
  contactEmail: z.string(),
  phone: z.string(),
}

export const collectionRow = ageAmounts.extend({
  id: z.uuid(),
  ...reach,
  /** Sent invoices of the period less credit notes and write-offs. */
  expectedCents: cents,
  /** Receipts allocated to them. */
  collectedCents: cents,
  /** Expected less collected: what the invoices still ask for, as the ledger's debtors have it. */
  outstandingCents: cents,
  /** Credit received in the period that is allocated to no invoice; never part of collected. */
  creditCents: cents,
  /** Of the period's invoices; not part of expected. */
  writtenOffCents: cents,
  /** Collected ÷ expected in whole per cent; null where nothing was expected. */
  rate: z.int().nullable(),
  /** Of all the policy's invoices, today. The ages add up to what all of them still ask for. */
  overdueCents: cents,
  /** The due day of the oldest overdue invoice of the policy. */
  overdueSince: day.nullable(),
  /** What all the policy's invoices still ask for, less all its unallocated credit; never below 0. */
  owedCents: cents,
  lastPaymentOn: day.nullable(),
  /** Of all the policy's invoices, today. */
  status: z.enum(collectionStatuses),
  standing: z.enum(standings).nullable(),
  promisedCents: cents.nullable(),
  promisedOn: day.nullable(),
  lastContactAt: instant.nullable(),
  allowedActions: z.array(z.enum(collectionActions)),
})
export type CollectionRow = z.infer<typeof collectionRow>

/** A call, or a mail about what is owed. */
export const premiumContact = z.object({
  id: z.uuid(),
  kind: z.enum(contactKinds),
  madeAt: instant,
  /** Null: it went out by itself. */
  madeByName: z.string().nullable(),
  outcome: z.enum(callOutcomes).nullable(),
  promisedCents: cents.nullable(),
  promisedOn: day.nullable(),
  promise: z.enum(promiseStates).nullable(),
  note: z.string(),
  /** Whom a mail went to, and how far it got. */
  sentTo: z.string().nullable(),
  mail: z.enum(mailStates).nullable(),
})
export type PremiumContact = z.infer<typeof premiumContact>

export const policyContacts = z.object({
  ...reach,
  outstandingCents: cents,
  overdueCents: cents,
  creditCents: cents,
  oldestDueOn: day.nullable(),
  /** The newest first, at most 100. */
  contacts: z.array(premiumContact),
  allowedActions: z.array(z.enum(collectionActions)),
})
export type PolicyContacts = z.infer<typeof policyContacts>

export const mailDraft = z.object({ to: z.string(), subject: z.string(), text: z.string() })
export type MailDraft = z.infer<typeof mailDraft>

const sending = z.object({
  /** How many mails are on their way. */
  sending: z.int(),
  /** Who gets none: nothing is owed, or there is no address. */
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
  /** How many days after the due day cover stands without payment. */
  graceDays: z.int(),
  /** Of the oldest unpaid premium; null while none is past its due day. */
  grace: z
    .object({ nonPaymentOn: day, noticeDueOn: day, coverUntil: day, daysLeft: z.int(), isOver: z.boolean() })
    .nullable(),
  unpaid: z.array(z.object({ id: z.uuid(), number: z.string(), dueOn: day, openCents: cents })),
  noticeSentAt: instant.nullable(),
  /** Whom a lapse would leave without cover. */
  members: z.int(),
  /** For the suspension that confirms a lapse. */
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
  /** What was owed before the first day; below zero: in the policy's favour. */
  openingCents: cents,
  /** In the ledger's order, each with the balance after it. */
  lines: z.array(
    z.object({
      entryId: z.uuid(),
      on: day,
      kind: z.enum(statementKinds),
      description: z.string(),
      /** The record that the reader may open. */
      record: z.object({ kind: z.string(), id: z.uuid() }).nullable(),
      chargeCents: cents,
      paymentCents: cents,
      balanceCents: cents,
    }),
  ),
  closingCents: cents,
  /** The two parts of the closing balance: what the ledger's debtors say, and its credit. */
  debtorsCents: cents,
  creditCents: cents,
})
export type Statement = z.infer<typeof statement>

export const collectionContract = {
  /**
   * What each policy was asked for and has paid: of a month (`YYYY-MM`), of the current month where none is given, or of
   * `all` months. Expected less collected is outstanding, in every row and sum; unallocated credit is apart. Status,
   * overdue and ages are of the whole policy today.
   */
  list: read("collection.read")
    .route({ method: "GET", path: "/collection", summary: "List what policies owe and have paid", tags })
    .input(listInput(collectionList))
    .output(
      listOutput(collectionList, collectionRow, {
        /** Over every status, whatever card filters the rows. */
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

  /** How to reach a policy's contact, what it owes, and every call and mail about it. */
  contacts: read("collection.read")
    .route({ method: "GET", path: "/policies/{policyId}/premium-contacts", summary: "Show calls and reminders", tags })
    .input(z.object({ policyId: z.uuid() }))
    .output(policyContacts),

  /** Keeps what came of a call: reached, no answer, a promise of an amount in cents by a day from today on, a dispute. */
  logCall: write("collection.write", { idempotent: true })
    .route({ method: "POST", path: "/policies/{policyId}/premium-calls", summary: "Log a call", tags })
    .input(z.object({ policyId: z.uuid(), idempotencyKey: z.uuid(), call: callForm }))
    .output(policyContacts)
    .errors({ NOTHING_OWED: { status: 409, message: "The policy is still a draft: nothing was ever billed on it." } }),

  /**
   * A policy's statement of account between two days, both included, from the ledger. Without days: up to today, from
   * three months back or the oldest open invoice. A group's people see those of their own policies.
   */
  statement: read("statements.read")
    .route({ method: "GET", path: "/policies/{policyId}/statement", summary: "Show a statement of account", tags })
    .input(z.object({ policyId: z.uuid(), from: day.optional(), to: day.optional() }))
    .output(statement),

  /** The text of a mail about what a policy owes as it would go out today, to be edited. */
  mailDraft: read("collection.write")
    .route({ method: "GET", path: "/policies/{policyId}/premium-mails/draft", summary: "Show a reminder's text", tags })
    .input(z.object({ policyId: z.uuid(), kind: z.enum(premiumMailKinds) }))
    .output(mailDraft),

  /** The words of the reminder, its fields in braces, for one to several policies; to be edited. */
  reminderText: read("collection.write")
    .route({ method: "GET", path: "/collection/reminders/text", summary: "Show the reminder's words", tags })
    .output(mailText),

  /**
   * Sends a reminder with the statement of account to the contacts of policies that owe something, in the background;
   * who is paid up, or has no address, gets none. How far each got stands with the policy's contacts.
   */
  remind: write("collection.write", { idempotent: true })
    .route({ method: "POST", path: "/collection/reminders", summary: "Send reminders", tags })
    .input(
      z.object({
        policyIds: z.array(z.uuid()).min(1, "Choose a policy").max(500),
        idempotencyKey: z.uuid(),
        ...mailText.shape,
      }),
    )
    .output(sending),

  /** How the grace period of a policy's oldest unpaid premium stands, and whom a lapse would leave without cover. */
  grace: read("collection.read")
    .route({ method: "GET", path: "/policies/{policyId}/grace", summary: "Show the grace period", tags })
    .input(z.object({ policyId: z.uuid() }))
    .output(policyGrace),

  /** Sends the notice of non-payment (Policyholder Protection Rules, 15A) with the statement, in the background. */
  sendNotice: write("collection.write", { idempotent: true })
    .route({
      method: "POST",
      path: "/policies/{policyId}/non-payment-notice",
      summary: "Send a notice of non-payment",
      tags,
    })
    .input(z.object({ policyId: z.uuid(), idempotencyKey: z.uuid(), ...mailText.shape }))
    .output(sending)
    .errors({ NOTHING_UNPAID: { status: 409, message: "No premium of this policy is past its due day." } }),
}
