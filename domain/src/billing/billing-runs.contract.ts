import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
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

/** `month` is the first day of the billed month. */
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

export const billingRunDetail = billingRunRow.extend({
  counts: z.object({
    waiting: z.int(),
    made: z.int(),
    parked: z.int(),
    nothing: z.int(),
    left_out: z.int(),
    /** Drafts and pending invoices. */
    unsent: z.int(),
    unmailed: z.int(),
  }),
  /** Amounts billed and to bill. */
  totals: z.object({ netCents: cents, vatCents: cents, totalCents: cents }),
  /** First invoices that would include months before the run's month. Cents without VAT. */
  earlier: z.object({
    policies: z.int(),
    cents,
    largest: z.array(
      z.object({ policyId: z.uuid(), policyNumber: z.string(), groupName: z.string(), months: z.int(), cents }),
    ),
  }),
  /** False without a mail server: mail stays in the outbox. */
  isMailed: z.boolean(),
  /** The current job; null for users who did not start it. */
  job: jobView.nullable(),
  allowedActions: z.array(z.enum(billingRunActions)),
})
export type BillingRunDetail = z.infer<typeof billingRunDetail>

/** A policy in a run. Cents without VAT unless stated; a negative amount is credited. */
export const runPolicyRow = z.object({
  id: z.uuid(),
  runId: z.uuid(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  state: z.enum(runPolicyStates),
  reasonKind: z.enum(parkedReasonKinds).nullable(),
  /** Why the policy was not billed or its invoice not sent. */
  reason: z.string().nullable(),
  /** The invoice that must be fixed first. */
  mendInvoiceId: z.uuid().nullable(),
  mendInvoiceNumber: z.string().nullable(),
  members: z.int(),
  baseCents: cents,
  adjustmentCents: cents,
  vatCents: cents,
  /** With VAT. */
  totalCents: cents,
  /** The previous month's premium invoice; null if this bill does not include the month. */
  lastCents: cents.nullable(),
  changeCents: cents.nullable(),
  /** Whole per cent of the previous month. */
  percent: z.int().nullable(),
  joinersCents: cents.nullable(),
  leaversCents: cents.nullable(),
  premiumCents: cents.nullable(),
  otherCents: cents.nullable(),
  marks: z.array(z.enum(runMarks)),
  invoiceId: z.uuid().nullable(),
  invoiceNumber: z.string().nullable(),
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
  /** True for a difference of an earlier month than the run's. */
  isAdjustment: z.boolean(),
})
export type BillingRunLine = z.infer<typeof billingRunLine>

const runTarget = z.object({ runId: z.uuid() })
const versioned = runTarget.extend({ version: z.int() })

const notPossible = {
  WRONG_STATUS: { status: 409, message: "The premium run's status does not allow this." },
} as const
const nothingToBill = {
  NOTHING_TO_BILL: { status: 409, message: "This run has no policies to bill." },
} as const

export const billingRunsContract = {
  /** The last 24 runs, newest first. `nextMonth` is the first day of the next month to bill. */
  list: readProcedure("invoices.write")
    .route({ method: "GET", path: "/billing-runs", summary: "List premium runs", tags })
    .input(z.object({}))
    .output(z.object({ rows: z.array(billingRunRow), nextMonth: day, lastMonth: day })),

  /** NOT_FOUND if the run does not exist. */
  detail: readProcedure("invoices.write")
    .route({ method: "GET", path: "/billing-runs/{runId}", summary: "Read a premium run", tags })
    .input(runTarget)
    .output(billingRunDetail),

  /** Policies of a run with amounts and causes of the change. */
  policies: readProcedure("invoices.write")
    .route({ method: "GET", path: "/billing-runs/policies", summary: "List the policies of a premium run", tags })
    .input(listInput(runPoliciesList))
    .output(listOutput(runPoliciesList, runPolicyRow)),

  /** A policy's lines as of now: at most 500, adjustments first, and the total count. Cents without VAT. */
  lines: readProcedure("invoices.write")
    .route({
      method: "GET",
      path: "/billing-runs/{runId}/lines",
      summary: "Read the lines of a policy in a premium run",
      tags,
    })
    .input(runTarget.extend({ policyId: z.uuid() }))
    .output(
      z.object({
        total: z.int(),
        lines: z.array(billingRunLine),
      }),
    ),

  /**
   * Starts a run for a month (any day of it) and its preview job, for active policies and others with a difference, or
   * `policyIds`. No invoices are made. TOO_EARLY for a month after the next.
   */
  start: writeProcedure("invoices.write", { idempotent: true })
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

  /** Repeats the preview; policies left out stay left out. */
  preview: writeProcedure("invoices.write")
    .route({ method: "POST", path: "/billing-runs/{runId}/preview", summary: "Preview a premium run again", tags })
    .input(versioned)
    .output(billingRunDetail)
    .errors(notPossible),

  /** Excludes policies from a run, or includes them again, by their row ids. */
  leaveOut: writeProcedure("invoices.write")
    .route({
      method: "POST",
      path: "/billing-runs/{runId}/left-out",
      summary: "Leave policies out of a premium run",
      tags,
    })
    .input(runTarget.extend({ rowIds: z.array(z.uuid()).max(5_000), isLeftOut: z.boolean() }))
    .output(billingRunDetail)
    .errors(notPossible),

  /**
   * Makes invoices and credit notes from the amounts owed and billed at that moment. NO_BANK_ACCOUNT if sent at once
   * without a bank account.
   */
  make: writeProcedure("invoices.write", { idempotent: true })
    .route({
      method: "POST",
      path: "/billing-runs/{runId}/make",
      summary: "Create the invoices of a premium run",
      tags,
    })
    .input(versioned.extend({ idempotencyKey: z.uuid(), outcome: z.enum(runOutcomes) }))
    .output(billingRunDetail)
    .errors({ ...notPossible, ...nothingToBill, ...noBankAccount }),

  /** Retries parked policies and bills those that a stopped job did not reach. */
  continue: writeProcedure("invoices.write", { idempotent: true })
    .route({ method: "POST", path: "/billing-runs/{runId}/continue", summary: "Continue a premium run", tags })
    .input(versioned.extend({ idempotencyKey: z.uuid() }))
    .output(billingRunDetail)
    .errors({ ...notPossible, ...nothingToBill }),

  /**
   * Sends the run's unsent invoices and, unless `mailCreditNotes` is false, mails its credit notes. `useCredit` works
   * per policy. NO_BANK_ACCOUNT if there are invoices but no bank account.
   */
  send: writeProcedure("invoices.write", { idempotent: true })
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
        message: "All invoices of this run are sent or cancelled, and there are no credit notes to email.",
      },
    }),

  /** Discards a preview. */
  cancel: writeProcedure("invoices.write")
    .route({ method: "POST", path: "/billing-runs/{runId}/cancel", summary: "Cancel a premium run", tags })
    .input(versioned)
    .output(billingRunDetail)
    .errors(notPossible),
}
