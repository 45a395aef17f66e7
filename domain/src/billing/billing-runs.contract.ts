import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { jobView } from "../platform/platform.contract.ts"
import {
  billingRunActions,
  billingRunStatuses,
  parkedReasonKinds,
  runMarks,
  runOutcomes,
  runPolicyStates,
} from "./billing-run.ts"
import { noBankAccount } from "./paper-rules.ts"
import { runPoliciesList } from "./run-policies.list.ts"

const tags = ["Premium run"]

/** A premium run. `month` is the first day of the month that it bills. */
export const billingRunRow = z.object({
  id: z.uuid(),
  number: z.string(),
  month: day,
  status: z.enum(billingRunStatuses),
  outcome: z.enum(runOutcomes).nullable(),
  createdAt: instant,
  createdByName: z.string(),
  madeAt: instant.nullable(),
  version: z.int(),
})
export type BillingRunRow = z.infer<typeof billingRunRow>

/** A run with how many of its policies stand how. */
export const billingRunDetail = billingRunRow.extend({
  counts: z.object({
    waiting: z.int(),
    made: z.int(),
    parked: z.int(),
    nothing: z.int(),
    left_out: z.int(),
    /** Invoices that it made and that are drafts or pending. */
    unsent: z.int(),
    /** Credit notes that it made and nobody mailed. */
    unmailed: z.int(),
  }),
  /** Of what is to be billed and what was: without VAT, VAT, with it. */
  totals: z.object({ netCents: cents, vatCents: cents, totalCents: cents }),
  /** First invoices to be made that hold months before the run's month: how many, their cents without VAT, and the largest. */
  earlier: z.object({
    policies: z.int(),
    cents,
    largest: z.array(
      z.object({ policyId: z.uuid(), policyNumber: z.string(), groupName: z.string(), months: z.int(), cents }),
    ),
  }),
  /** Whether mail leaves the house; without a mail server it stays in the outbox. */
  isMailed: z.boolean(),
  /** The job that is under way, for whoever asked for it. */
  job: jobView.nullable(),
  allowedActions: z.array(z.enum(billingRunActions)),
})
export type BillingRunDetail = z.infer<typeof billingRunDetail>

/** A policy of a run. Cents are without VAT unless they say otherwise; below nothing is credited. */
export const runPolicyRow = z.object({
  id: z.uuid(),
  runId: z.uuid(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  state: z.enum(runPolicyStates),
  reasonKind: z.enum(parkedReasonKinds).nullable(),
  /** Why it cannot be billed, or was not sent, in a sentence. */
  reason: z.string().nullable(),
  /** The invoice that is in the way. */
  mendInvoiceId: z.uuid().nullable(),
  mendInvoiceNumber: z.string().nullable(),
  members: z.int(),
  baseCents: cents,
  adjustmentCents: cents,
  vatCents: cents,
  /** With VAT. */
  totalCents: cents,
  /** What the premium invoice of the month before came to; null where this bill is not the month's. */
  lastCents: cents.nullable(),
  changeCents: cents.nullable(),
  /** In whole per cent of last month. */
  percent: z.int().nullable(),
  joinersCents: cents.nullable(),
  leaversCents: cents.nullable(),
  premiumCents: cents.nullable(),
  otherCents: cents.nullable(),
  marks: z.array(z.enum(runMarks)),
  invoiceId: z.uuid().nullable(),
  invoiceNumber: z.string().nullable(),
  /** The credit notes that it made, and how many of them nobody mailed. */
  creditNotes: z.int(),
  unmailed: z.int(),
})
export type RunPolicyRow = z.infer<typeof runPolicyRow>

const billingRunLine = z.object({
  memberId: z.uuid(),
  memberName: z.string(),
  month: day,
  cents,
  description: z.string(),
  /** What was not billed in its own month, or otherwise than owed. */
  isAdjustment: z.boolean(),
})
export type BillingRunLine = z.infer<typeof billingRunLine>

const one = z.object({ runId: z.uuid() })
const versioned = one.extend({ version: z.int() })

const notPossible = {
  WRONG_STATUS: { status: 409, message: "This cannot be done with the premium run in its current state." },
} as const
const nothingToBill = {
  NOTHING_TO_BILL: { status: 409, message: "No policy of this run is to be billed." },
} as const

export const billingRunsContract = {
  /** The last 24 runs, newest first, and the month that is to be billed next: by its first day. */
  list: read("invoices.write")
    .route({ method: "GET", path: "/billing-runs", summary: "List premium runs", tags })
    .input(z.object({}))
    .output(z.object({ rows: z.array(billingRunRow), nextMonth: day, lastMonth: day })),

  /** One run. NOT_FOUND where there is none. */
  detail: read("invoices.write")
    .route({ method: "GET", path: "/billing-runs/{runId}", summary: "Read a premium run", tags })
    .input(one)
    .output(billingRunDetail),

  /** The policies of a run, by its `runId`: figures, change against last month with its causes, what is unusual. */
  policies: read("invoices.write")
    .route({ method: "GET", path: "/billing-runs/policies", summary: "List the policies of a premium run", tags })
    .input(listInput(runPoliciesList))
    .output(listOutput(runPoliciesList, runPolicyRow)),

  /**
   * What a run bills a policy, line by line, as it is known now: at most 500 lines, adjustments first, and how many there
   * are. Cents are without VAT. A line's description says why, where it is not the month itself.
   */
  lines: read("invoices.write")
    .route({
      method: "GET",
      path: "/billing-runs/{runId}/lines",
      summary: "Read a policy's lines of a premium run",
      tags,
    })
    .input(one.extend({ policyId: z.uuid() }))
    .output(
      z.object({
        total: z.int(),
        lines: z.array(billingRunLine),
      }),
    ),

  /**
   * Starts a run of a month (any day of it) and has its preview worked out: all active policies, and every other that has
   * a difference; `policyIds` narrows them. Nothing is made. TOO_EARLY for a month after the next.
   */
  start: write("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/billing-runs", summary: "Preview a premium run", tags, successStatus: 201 })
    .input(
      z.object({
        idempotencyKey: z.uuid(),
        month: day,
        policyIds: z.array(z.uuid()).max(5_000).nullable().default(null),
      }),
    )
    .output(billingRunDetail)
    .errors({ TOO_EARLY: { status: 409, message: "This month cannot be billed yet." } }),

  /** Works the preview out anew; policies that were left out stay left out. */
  preview: write("invoices.write")
    .route({ method: "POST", path: "/billing-runs/{runId}/preview", summary: "Preview a premium run again", tags })
    .input(versioned)
    .output(billingRunDetail)
    .errors(notPossible),

  /** Leaves policies out of a run, or takes them in again, by the ids of their rows in it. */
  leaveOut: write("invoices.write")
    .route({
      method: "POST",
      path: "/billing-runs/{runId}/left-out",
      summary: "Leave policies out of a premium run",
      tags,
    })
    .input(one.extend({ rowIds: z.array(z.uuid()).max(5_000), isLeftOut: z.boolean() }))
    .output(billingRunDetail)
    .errors(notPossible),

  /**
   * Has the invoices and credit notes made, policy by policy, from what is owed and billed at that moment.
   * NO_BANK_ACCOUNT where they are to be sent at once and the organisation has no bank account.
   */
  make: write("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/billing-runs/{runId}/make", summary: "Make a premium run", tags })
    .input(versioned.extend({ idempotencyKey: z.uuid(), outcome: z.enum(runOutcomes) }))
    .output(billingRunDetail)
    .errors({ ...notPossible, ...nothingToBill, ...noBankAccount }),

  /** Goes on with the policies that are parked, and with those that a job left. */
  continue: write("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/billing-runs/{runId}/continue", summary: "Continue a premium run", tags })
    .input(versioned.extend({ idempotencyKey: z.uuid() }))
    .output(billingRunDetail)
    .errors({ ...notPossible, ...nothingToBill }),

  /**
   * Sends every invoice that the run made and that is not sent, and mails its credit notes that nobody mailed yet, but for
   * `mailCreditNotes: false`. `useCredit` as for one invoice, of each its policy's. NO_BANK_ACCOUNT where there are
   * invoices to send and the organisation has no bank account.
   */
  send: write("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/billing-runs/{runId}/send", summary: "Send the invoices of a premium run", tags })
    .input(
      versioned.extend({
        idempotencyKey: z.uuid(),
        useCredit: z.boolean().optional(),
        mailCreditNotes: z.boolean().default(true),
      }),
    )
    .output(billingRunDetail)
    .errors({
      ...notPossible,
      ...noBankAccount,
      NOTHING_TO_SEND: {
        status: 409,
        message: "Every invoice of this run has been sent or cancelled, and no credit note is to be mailed.",
      },
    }),

  /** Throws a preview away. */
  cancel: write("invoices.write")
    .route({ method: "POST", path: "/billing-runs/{runId}/cancel", summary: "Cancel a premium run", tags })
    .input(versioned)
    .output(billingRunDetail)
    .errors(notPossible),
}
