import { z } from "zod"
import { ageAmounts } from "../billing/ageing-shape.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"
import { expectedListStates } from "../staff-lists/expected-staff-list.ts"
import { customReportsContract } from "./custom-reports.contract.ts"
import { debtorsAgeingList } from "./debtors-ageing.list.ts"
import { type NeedKey, workItemKeys } from "./needs.ts"
import { reportRunsList } from "./report-runs.list.ts"
import { askedDeliveries, recipientDelivery, reportSchedule, scheduleForm } from "./report-schedule-shape.ts"
import { reportAnswer, reportFormat, reportId, reportQuery, reportRunRow, reportsCatalogue } from "./report-shape.ts"

const tags = ["Reports"]

const figure = z.object({
  now: z.int(),
  before: z.int(),
  /** null when last month had 0. */
  changePercent: z.int().nullable(),
  /** Past month ends, oldest first, then now; null without a stored figure. */
  months: z.array(z.int().nullable()),
})
export type Figure = z.infer<typeof figure>

const month = { month: day }
/** A chart is null when the caller's role lacks it. Cents; months by first day. */
export const dashboardChartsAnswer = z.object({
  money: z.array(z.object({ ...month, billedCents: cents, collectedCents: cents })).nullable(),
  invoiced: z.array(z.object({ ...month, paidCents: cents, openCents: cents })).nullable(),
  claims: z
    .array(
      z.object({
        ...month,
        ...{ pending: z.int(), approved: z.int(), rejected: z.int() },
        /** From submission to decision; null without decided claims. */
        averageDays: z.number().nullable(),
      }),
    )
    .nullable(),
  experience: z.array(z.object({ ...month, earnedCents: cents, incurredCents: cents, ledgerCents: cents })).nullable(),
  members: z.array(z.object({ ...month, active: z.int().nullable() })).nullable(),
  ageing: ageAmounts.nullable(),
})
export type DashboardCharts = z.infer<typeof dashboardChartsAnswer>

export const employerStanding = z.object({
  members: z.object({ active: z.int(), pending: z.int(), suspended: z.int() }),
  /** At most five, newest first. */
  invoices: z.array(
    z.object({
      id: z.uuid(),
      number: z.string(),
      groupName: z.string(),
      totalCents: cents,
      openCents: cents,
      dueOn: day,
    }),
  ),
  invoiceCount: z.int(),
  owedCents: cents,
  overdueCents: cents,
  /** null if no list was imported, or if the caller's role does not upload lists. */
  lastStaffList: z.object({ id: z.uuid(), fileName: z.string(), at: instant }).nullable(),
  /** Expected staff lists that are missing, by due day; empty if the caller's role does not upload lists. */
  listsToSend: z.array(
    z.object({
      policyId: z.uuid(),
      policyNumber: z.string(),
      month: day,
      dueOn: day,
      state: z.enum(expectedListStates),
    }),
  ),
})
export type EmployerStanding = z.infer<typeof employerStanding>

export const activityEntry = z.object({
  id: z.int(),
  at: instant,
  actor: z.string(),
  sentence: z.string(),
  record: z.object({ kind: z.string(), id: z.uuid().nullable(), label: z.string() }),
})
export type ActivityEntry = z.infer<typeof activityEntry>

export const foundRecord = z.object({
  kind: z.enum(["group", "policy", "member", "claim", "invoice", "credit_note", "receipt", "payout"]),
  id: z.uuid(),
  title: z.string(),
  subtitle: z.string(),
  path: z.string(),
})
export type FoundRecord = z.infer<typeof foundRecord>

export const ageingRow = ageAmounts.extend({
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  totalCents: cents,
  /** Unallocated receipts as in the ledger, including credit reserved for refunds that await release. Not deducted from the total. */
  creditCents: cents,
  invoices: z.int(),
  oldestDueOn: day.nullable(),
})
export type AgeingRow = z.infer<typeof ageingRow>

export const ageingInput = { asOf: day.optional() }

export const policyAccount = z.object({
  owedCents: cents,
  overdueCents: cents,
  /** Unallocated receipts; null for a caller who may not read receipts. */
  creditCents: cents.nullable(),
  /** Last day of the months billed and paid without a gap; null when there is none. */
  paidUpTo: day.nullable(),
  /** First day of the next month to invoice; null for a policy that is not billed. */
  nextInvoiceFor: day.nullable(),
  invoices: z.int(),
  creditNotes: z.int(),
  claims: z.int(),
  /** null for a caller who may not read receipts. */
  receipts: z.int().nullable(),
  /** null for a caller who may not read payments. */
  refunds: z.int().nullable(),
  /** The employer's users, by name. */
  people: z.array(z.object({ userId: z.uuid(), name: z.string(), role: z.enum(["group_admin", "policy_holder"]) })),
})
export type PolicyAccount = z.infer<typeof policyAccount>

/** An employer over its policies; amounts in cents. */
export const employerAccount = z.object({
  policies: z.object({ active: z.int(), suspended: z.int(), draft: z.int(), ended: z.int() }),
  members: z.object({ active: z.int(), pending: z.int(), suspended: z.int() }),
  /** Members whose first or last day is in this month. */
  joiners: z.int(),
  leavers: z.int(),
  owedCents: cents,
  overdueCents: cents,
  /** Unallocated receipts; null for a caller who may not read receipts. */
  creditCents: cents.nullable(),
  /** First day of the earliest month to invoice next; null if no policy is billed. */
  nextInvoiceFor: day.nullable(),
  /** Submitted claims that are not decided. */
  openClaims: z.int(),
  /**
   * Premium earned and claims incurred in the twelve months up to this one, and their ratio in per cent with one
   * decimal; null for a caller who may not read reports.
   */
  experience: z.object({ earnedCents: cents, incurredCents: cents, lossRatio: z.number().nullable() }).nullable(),
  /** The last imported staff list of each active or suspended policy, by policy number. */
  staffLists: z.array(
    z.object({
      policyId: z.uuid(),
      policyNumber: z.string(),
      last: z.object({ id: z.uuid(), fileName: z.string(), at: instant }).nullable(),
      /** The expected list that is missing; `month` is the first day of the earliest month without one. */
      outstanding: z.object({ month: day, dueOn: day, state: z.enum(expectedListStates) }).nullable(),
    }),
  ),
  /** The employer's users, by name. */
  people: z.array(z.object({ userId: z.uuid(), name: z.string(), role: z.enum(["group_admin", "policy_holder"]) })),
})
export type EmployerAccount = z.infer<typeof employerAccount>

export const reportsContract = {
  /** The cards over the caller's groups (see `dashboardCards`). Amounts in cents. */
  dashboard: readProcedure("dashboard.read")
    .route({ method: "GET", path: "/dashboard", summary: "Read the dashboard's figures", tags })
    .input(z.object({}))
    .output(
      z.object({
        activePolicies: figure,
        totalMembers: figure,
        pendingClaims: figure,
        outstandingPremiums: figure,
        claimsProcessed: figure,
        overduePayments: figure,
      }),
    ),

  /** The charts of the caller's role, over the caller's groups (see `dashboardCharts`). */
  dashboardCharts: readProcedure("dashboard.read")
    .route({ method: "GET", path: "/dashboard/charts", summary: "Read the dashboard's charts", tags })
    .input(z.object({}))
    .output(dashboardChartsAnswer),

  /** The figures of an employer's page, as of today. NOT_FOUND for an employer that the caller may not see. */
  employerAccount: readProcedure("policies.read")
    .route({ method: "GET", path: "/groups/{groupId}/account", summary: "Read an employer's figures", tags })
    .input(z.object({ groupId: z.uuid() }))
    .output(employerAccount),

  /** For an employer's users; null for the insurer's. */
  employerStanding: readProcedure("dashboard.read")
    .route({ method: "GET", path: "/dashboard/employer", summary: "Read the status of my groups", tags })
    .input(z.object({}))
    .output(employerStanding.nullable()),

  /**
   * The caller's work queue in order of priority (see `needs`); amounts in cents. Each count equals the row count of
   * its list; empty items are left out.
   */
  needsYou: readProcedure("dashboard.read")
    .route({ method: "GET", path: "/dashboard/needs-you", summary: "List my work queue", tags })
    .input(z.object({}))
    .output(
      z.array(
        z.object({
          key: z.enum(workItemKeys as [NeedKey, ...NeedKey[]]),
          count: z.int(),
          late: z.int(),
          cents: cents.nullable(),
          dueOn: day.nullable(),
          /** Page of the first record, if the item's records are decided one by one. */
          next: z.string().nullable(),
        }),
      ),
    ),

  /** Recent facts of records that the caller may read, newest first. */
  recentActivity: readProcedure("dashboard.read")
    .route({ method: "GET", path: "/dashboard/activity", summary: "List recent activity", tags })
    .input(z.object({ limit: z.coerce.number().int().min(1).max(50).default(12) }))
    .output(z.array(activityEntry)),

  /**
   * Amount owed today, paid-up date, next invoice, record counts, and the users who decide claims. NOT_FOUND also if
   * the caller does not see the group.
   */
  policyAccount: readProcedure("policies.read")
    .route({ method: "GET", path: "/policies/{policyId}/account", summary: "Read a policy's account", tags })
    .input(z.object({ policyId: z.uuid() }))
    .output(policyAccount),

  /**
   * Amounts owed at the end of a day by days overdue, and the credit held. Sums agree with the ledger's premium debtors
   * and unallocated receipts on that day. Documents count on their own date, even if a closed month made the ledger
   * post later.
   */
  debtorsAgeing: readProcedure("reports.financial")
    .route({ method: "GET", path: "/reports/debtors-ageing", summary: "Read the debtors' ageing", tags })
    .input(listInput(debtorsAgeingList, ageingInput))
    .output(listOutput(debtorsAgeingList, ageingRow, { asOf: day })),

  /** The reports that the caller may read, and today's status of quick reports. */
  catalogue: readProcedure("reports.read")
    .route({ method: "GET", path: "/reports", summary: "List the reports", tags })
    .input(z.object({}))
    .output(reportsCatalogue),

  /**
   * `query`: page, pageSize, sort, dir, filters and dates. INVALID for a reversed range; FORBIDDEN for financial
   * reports without permission.
   */
  rows: readProcedure("reports.read")
    .route({ method: "GET", path: "/reports/{report}/rows", summary: "List the rows of a report", tags })
    .input(z.object({ report: reportId, query: reportQuery.default({}) }))
    .output(reportAnswer),

  /**
   * Starts a job (see `platform.jobs`) that generates the file with the caller's rights at that time. Idempotent per
   * key. Same refusals as `rows`.
   */
  generate: writeProcedure("reports.read", { idempotent: true })
    .route({ method: "POST", path: "/reports/{report}/runs", summary: "Generate a report", tags })
    .input(
      z.object({ report: reportId, format: reportFormat, query: reportQuery.default({}), idempotencyKey: z.uuid() }),
    )
    .output(z.object({ runId: z.uuid(), jobId: z.uuid() })),

  custom: customReportsContract,

  /** Lists the files that the caller generated. */
  runs: readProcedure("reports.read")
    .route({ method: "GET", path: "/reports/runs", summary: "List generated reports", tags })
    .input(listInput(reportRunsList))
    .output(listOutput(reportRunsList, reportRunRow)),

  /**
   * The caller's schedules, newest first; administrators and managers see all schedules. `failed`: only those that
   * paused after failures or whose last run failed.
   */
  schedules: readProcedure("reports.read")
    .route({ method: "GET", path: "/reports/schedules", summary: "List report schedules", tags })
    .input(z.object({ failed: z.boolean().optional() }))
    .output(z.array(reportSchedule)),

  /**
   * Per recipient: attachment, link, or refusal with its reason. FORBIDDEN for a report that the caller may not read.
   */
  deliveries: readProcedure("reports.read")
    .route({ method: "POST", path: "/reports/schedules/deliveries", summary: "Preview deliveries of a schedule", tags })
    .input(askedDeliveries)
    .output(z.array(recipientDelivery)),

  /**
   * Each run has its owner's rights at that time and covers the days before it. INVALID names refused recipients.
   * FORBIDDEN for a report that the caller may not read, and for service keys. Idempotent per key.
   */
  createSchedule: writeProcedure("reports.schedule", { idempotent: true })
    .route({ method: "POST", path: "/reports/schedules", summary: "Schedule a report", tags })
    .input(scheduleForm.extend({ idempotencyKey: z.uuid() }))
    .output(reportSchedule),

  /** The next run follows the new times. INVALID as `createSchedule`. STALE when it was changed meanwhile. */
  updateSchedule: writeProcedure("reports.schedule")
    .route({ method: "PUT", path: "/reports/schedules/{scheduleId}", summary: "Edit a report schedule", tags })
    .input(scheduleForm.extend({ scheduleId: z.uuid(), version: z.int() }))
    .output(reportSchedule),

  /**
   * Pauses or resumes a schedule. Runs missed while paused are not repeated. INVALID if a recipient can no longer
   * receive the report.
   */
  toggleSchedule: writeProcedure("reports.schedule")
    .route({
      method: "POST",
      path: "/reports/schedules/{scheduleId}/active",
      summary: "Pause or activate a schedule",
      tags,
    })
    .input(z.object({ scheduleId: z.uuid(), version: z.int(), isActive: z.boolean() }))
    .output(reportSchedule),

  /** Deletes a schedule; files that it generated are kept. */
  deleteSchedule: writeProcedure("reports.schedule")
    .route({ method: "DELETE", path: "/reports/schedules/{scheduleId}", summary: "Delete a report schedule", tags })
    .input(z.object({ scheduleId: z.uuid() }))
    .output(z.object({})),

  /**
   * Runs the caller's own schedule once outside its times, or as a test that is sent to the caller only. Idempotent per
   * key.
   */
  runSchedule: writeProcedure("reports.schedule", { idempotent: true })
    .route({ method: "POST", path: "/reports/schedules/{scheduleId}/runs", summary: "Run a schedule now", tags })
    .input(z.object({ scheduleId: z.uuid(), isTest: z.boolean().default(false), idempotencyKey: z.uuid() }))
    .output(z.object({ runId: z.uuid(), jobId: z.uuid() })),

  /**
   * Searches numbers, names, ID numbers and emails by prefix; at most `limit` of each kind, former members last. A
   * caller who sees a field masked cannot search it.
   */
  search: readProcedure("session")
    .route({
      method: "GET",
      path: "/search",
      summary: "Search records by number, name, ID number or e-mail",
      tags: ["Platform"],
    })
    .input(z.object({ text: line(100), limit: z.coerce.number().int().min(1).max(20).default(6) }))
    .output(z.array(foundRecord)),
}
