import { z } from "zod"
import { ageAmounts } from "../billing/ageing-shape.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { line } from "../kernel/text-shape.ts"
import { customReportsContract } from "./custom-reports.contract.ts"
import { debtorsAgeingList } from "./debtors-ageing.list.ts"
import { type NeedKey, needKeys } from "./needs.ts"
import { reportRunsList } from "./report-runs.list.ts"
import { askedDeliveries, recipientDelivery, reportSchedule, scheduleForm } from "./report-schedule-shape.ts"
import { reportAnswer, reportFormat, reportId, reportQuery, reportRunRow, reportsCatalogue } from "./report-shape.ts"

const tags = ["Reports"]

const figure = z.object({
  now: z.int(),
  before: z.int(),
  /** The change in per cent; null where there was nothing last month. */
  changePercent: z.int().nullable(),
  /** As the months before this one ended, the oldest first, and now last; null for one that was not kept. */
  months: z.array(z.int().nullable()),
})
export type Figure = z.infer<typeof figure>

const month = { month: day }
/** The charts of the dashboard; null is one that the reader's role has not. Cents; months by their first day. */
export const dashboardChartsAnswer = z.object({
  money: z.array(z.object({ ...month, billedCents: cents, collectedCents: cents })).nullable(),
  invoiced: z.array(z.object({ ...month, paidCents: cents, openCents: cents })).nullable(),
  claims: z
    .array(
      z.object({
        ...month,
        ...{ pending: z.int(), approved: z.int(), rejected: z.int() },
        /** From submission to the decision, of those that are decided; null where none is. */
        averageDays: z.number().nullable(),
      }),
    )
    .nullable(),
  experience: z.array(z.object({ ...month, earnedCents: cents, incurredCents: cents, ledgerCents: cents })).nullable(),
  /** `active` is null for a month whose end was not kept. */
  members: z.array(z.object({ ...month, active: z.int().nullable() })).nullable(),
  ageing: ageAmounts.nullable(),
})
export type DashboardCharts = z.infer<typeof dashboardChartsAnswer>

/** How an employer stands with the insurer, of the groups that the reader sees. */
export const employerStanding = z.object({
  /** By status. */
  members: z.object({ active: z.int(), pending: z.int(), suspended: z.int() }),
  /** Invoices that were sent for this month, the newest first, at most five; and how many there are. */
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
  /** The staff list that was taken over last; null where none was, or the reader sends none. */
  lastStaffList: z.object({ id: z.uuid(), fileName: z.string(), at: instant }).nullable(),
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
  kind: z.enum(["policy", "member", "claim", "invoice", "credit_note", "receipt", "payout"]),
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
  /** What the policy paid that is set against nothing yet; not taken off the total. */
  creditCents: cents,
  invoices: z.int(),
  /** Null where nothing is owed: the policy holds credit alone. */
  oldestDueOn: day.nullable(),
})
export type AgeingRow = z.infer<typeof ageingRow>

/** What is asked of the ageing beside what every list is: the day at whose end it stands. */
export const ageingOf = { asOf: day.optional() }

export const policyAccount = z.object({
  owedCents: cents,
  overdueCents: cents,
  /** What was paid and is set against no invoice; null for a reader who sees no receipts. */
  creditCents: cents.nullable(),
  /** The last day of the months that are billed and paid without a gap; null where none is. */
  paidUpTo: day.nullable(),
  /** The first day of the month that the next invoice is for; null for a policy that is not billed. */
  nextInvoiceFor: day.nullable(),
  invoices: z.int(),
  creditNotes: z.int(),
  claims: z.int(),
  /** Null for a reader who sees no receipts. */
  receipts: z.int().nullable(),
  /** Null for a reader who sees no payments. */
  refunds: z.int().nullable(),
  /** The employer's own people on Milkwood, by name. */
  people: z.array(z.object({ userId: z.uuid(), name: z.string(), role: z.enum(["group_admin", "policy_holder"]) })),
})
export type PolicyAccount = z.infer<typeof policyAccount>

export const reportsContract = {
  /** The six cards in figures of the groups that the reader sees, today and last month (see domain: dashboard). Amounts in cents. */
  dashboard: read("dashboard.read")
    .route({ method: "GET", path: "/dashboard", summary: "Show the dashboard's figures", tags })
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

  /** The charts of the reader's dashboard, over the groups that the reader sees (see domain: dashboardCharts). */
  dashboardCharts: read("dashboard.read")
    .route({ method: "GET", path: "/dashboard/charts", summary: "Show the dashboard's charts", tags })
    .input(z.object({}))
    .output(dashboardChartsAnswer),

  /**
   * How an employer's own people stand with the insurer: members, this month's invoices, what they owe, their last staff
   * list. Null for the insurer's people, who have the lists of all groups.
   */
  employerStanding: read("dashboard.read")
    .route({ method: "GET", path: "/dashboard/employer", summary: "Show how my groups stand", tags })
    .input(z.object({}))
    .output(employerStanding.nullable()),

  /**
   * What waits for the reader now, in the order in which it is worked through (see domain: needs): how many, how many of
   * them are late, and what is at risk in cents. Each count is what its list counts; what nobody waits for is left out.
   */
  needsYou: read("dashboard.read")
    .route({ method: "GET", path: "/dashboard/needs-you", summary: "Show what waits for me", tags })
    .input(z.object({}))
    .output(
      z.array(
        z.object({
          key: z.enum(needKeys as [NeedKey, ...NeedKey[]]),
          count: z.int(),
          late: z.int(),
          cents: cents.nullable(),
          /** The first of their deadlines; null where there is none. */
          dueOn: day.nullable(),
          /** The page of the record to begin with, where one is decided after the other. */
          next: z.string().nullable(),
        }),
      ),
    ),

  /** What happened last to records that the reader may see, newest first. */
  recentActivity: read("dashboard.read")
    .route({ method: "GET", path: "/dashboard/activity", summary: "Show recent activity", tags })
    .input(z.object({ limit: z.coerce.number().int().min(1).max(50).default(12) }))
    .output(z.array(activityEntry)),

  /**
   * A policy as an account: what it owes today, how far it is paid, what is billed next, how much of each kind belongs
   * to it, and who of the employer decides its claims. NOT_FOUND as well when it belongs to a group that the reader
   * does not see.
   */
  policyAccount: read("policies.read")
    .route({ method: "GET", path: "/policies/{policyId}/account", summary: "One policy as an account", tags })
    .input(z.object({ policyId: z.uuid() }))
    .output(policyAccount),

  /**
   * What each policy owed on a day, by how long it was overdue, and the credit it held; policies with neither are left
   * out. The amounts of a row add up to its total, the rows to the sums, and these to the balances of premium debtors
   * and of unallocated receipts on that day; documents count on their own day, also those that the ledger has later
   * because their month was closed.
   */
  debtorsAgeing: read("reports.financial")
    .route({ method: "GET", path: "/reports/debtors-ageing", summary: "Show debtors' ageing", tags })
    .input(listInput(debtorsAgeingList, ageingOf))
    .output(listOutput(debtorsAgeingList, ageingRow, { asOf: day })),

  /** The reports that the reader may read, when each was made last, and how the quick ones stand today. */
  catalogue: read("reports.read")
    .route({ method: "GET", path: "/reports", summary: "List the reports", tags })
    .input(z.object({}))
    .output(reportsCatalogue),

  /**
   * A page of a report on screen, with its totals and its picture. `query` is what its address has: page, pageSize, sort,
   * dir, its filters, and its dates (`asOf`, or `from` and `to`). INVALID for a range the wrong way round; FORBIDDEN for
   * financial reports to those who may not read them.
   */
  rows: read("reports.read")
    .route({ method: "GET", path: "/reports/{report}/rows", summary: "Show a report", tags })
    .input(z.object({ report: reportId, query: reportQuery.default({}) }))
    .output(reportAnswer),

  /**
   * Has a report made as a file, by a job whose progress `platform.jobs` tells: with the rights that the asker has when
   * it is made, of everything that matches. Once a key. Refused as `rows` is.
   */
  generate: write("reports.read", { idempotent: true })
    .route({ method: "POST", path: "/reports/{report}/runs", summary: "Generate a report", tags })
    .input(
      z.object({ report: reportId, format: reportFormat, query: reportQuery.default({}), idempotencyKey: z.uuid() }),
    )
    .output(z.object({ runId: z.uuid(), jobId: z.uuid() })),

  custom: customReportsContract,

  /** The reports that the reader had made, each with what it was asked with and the hash of its file. */
  runs: read("reports.read")
    .route({ method: "GET", path: "/reports/runs", summary: "List generated reports", tags })
    .input(listInput(reportRunsList))
    .output(listOutput(reportRunsList, reportRunRow)),

  /**
   * The schedules of the reader, and for administrators and managers those of others, newest first: when each runs next,
   * what its last run came to, and what the reader may do with it. `failed` gives only those that stopped after failures,
   * or whose last run failed.
   */
  schedules: read("reports.read")
    .route({ method: "GET", path: "/reports/schedules", summary: "List report schedules", tags })
    .input(z.object({ failed: z.boolean().optional() }))
    .output(z.array(reportSchedule)),

  /**
   * How each recipient of a scheduled report would get it: with the file as an attachment, with a link that asks for
   * sign-in, or not at all and why. FORBIDDEN for a report that the asker may not read.
   */
  deliveries: read("reports.read")
    .route({ method: "POST", path: "/reports/schedules/deliveries", summary: "Preview deliveries of a schedule", tags })
    .input(askedDeliveries)
    .output(z.array(recipientDelivery)),

  /**
   * Schedules a report: made each time with the rights that its owner, who asks, has then, about the days before it, and
   * sent to the recipients. INVALID names each recipient to whom the report cannot be sent, and why. FORBIDDEN for a
   * report that the asker may not read, and for programs. Once a key.
   */
  createSchedule: write("reports.schedule", { idempotent: true })
    .route({ method: "POST", path: "/reports/schedules", summary: "Schedule a report", tags })
    .input(scheduleForm.extend({ idempotencyKey: z.uuid() }))
    .output(reportSchedule),

  /**
   * Changes one's own schedule; it runs next at the next of its new times. INVALID as `createSchedule`. STALE when
   * somebody else changed it first.
   */
  updateSchedule: write("reports.schedule")
    .route({ method: "PUT", path: "/reports/schedules/{scheduleId}", summary: "Change a report schedule", tags })
    .input(scheduleForm.extend({ scheduleId: z.uuid(), version: z.int() }))
    .output(reportSchedule),

  /**
   * Pauses a schedule, or activates it again: what was missed meanwhile is not made up for. INVALID when one of its
   * recipients can no longer get the report.
   */
  toggleSchedule: write("reports.schedule")
    .route({
      method: "POST",
      path: "/reports/schedules/{scheduleId}/active",
      summary: "Pause or activate a schedule",
      tags,
    })
    .input(z.object({ scheduleId: z.uuid(), version: z.int(), isActive: z.boolean() }))
    .output(reportSchedule),

  /** Deletes a schedule; the reports that it made are kept. */
  deleteSchedule: write("reports.schedule")
    .route({ method: "DELETE", path: "/reports/schedules/{scheduleId}", summary: "Delete a report schedule", tags })
    .input(z.object({ scheduleId: z.uuid() }))
    .output(z.object({})),

  /** Runs one's own schedule now, beside its times: to its recipients, or as a test to oneself alone. Once a key. */
  runSchedule: write("reports.schedule", { idempotent: true })
    .route({ method: "POST", path: "/reports/schedules/{scheduleId}/runs", summary: "Run a schedule now", tags })
    .input(z.object({ scheduleId: z.uuid(), isTest: z.boolean().default(false), idempotencyKey: z.uuid() }))
    .output(z.object({ runId: z.uuid(), jobId: z.uuid() })),

  /**
   * Finds records by number, name, ID number or e-mail, at most `limit` of each kind: what begins with the text
   * first, who has left last. What the asker may not see is never found; masked fields are not searched for those
   * who see them masked.
   */
  search: read("session")
    .route({
      method: "GET",
      path: "/search",
      summary: "Find records by number, name, ID number or e-mail",
      tags: ["Platform"],
    })
    .input(z.object({ text: line(100), limit: z.coerce.number().int().min(1).max(20).default(6) }))
    .output(z.array(foundRecord)),
}
