import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { isEmail } from "../kernel/email.ts"
import { line, text } from "../kernel/text-shape.ts"
import { type AnyReportId, reportIds } from "./catalogue.ts"
import { customId } from "./custom-report.ts"
import { deliveryKinds } from "./report-delivery.ts"
import { reportRunStates } from "./report-runs.list.ts"
import { scheduleActions, scheduleTypes } from "./report-schedule.ts"
import { reportFormat, reportQuery } from "./report-shape.ts"

/** Wording of specification 2, section 5. */
export const scheduleIncomplete = "Please provide a schedule name and at least one recipient email."

const recipient = line(200).refine(isEmail, "This is not an e-mail address").meta({ format: "email" })

const recipients = z
  .array(recipient)
  .max(50, "At most 50 recipients")
  .refine((all) => new Set(all.map((one) => one.toLowerCase())).size === all.length, "Add each recipient only once")

const scheduledReport = {
  report: z.enum([...reportIds, customId] as [AnyReportId, ...AnyReportId[]]),
  customReportId: z.uuid().nullable().default(null),
}

export const askedDeliveries = z.object({ ...scheduledReport, recipients })

export const recipientDelivery = z.object({ address: z.string(), kind: z.enum(deliveryKinds), words: z.string() })
export type RecipientDelivery = z.infer<typeof recipientDelivery>

export const scheduleForm = z.object({
  name: line(120).refine((name) => name !== "", scheduleIncomplete),
  description: text(1_000).default(""),
  ...scheduledReport,
  format: reportFormat,
  /** Filters only; the dates follow from each run. */
  query: reportQuery.default({}),
  type: z.enum(scheduleTypes),
  /** 0 to 23, in the installation's timezone. */
  hour: z.int().min(0).max(23),
  /** Weekly schedules: 0 (Monday) to 6. */
  dayOfWeek: z.int().min(0).max(6).nullable().default(null),
  /** Monthly, quarterly and yearly schedules: 1 to 28. */
  dayOfMonth: z.int().min(1).max(28).nullable().default(null),
  recipients: recipients.min(1, scheduleIncomplete),
  skipWhenEmpty: z.boolean().default(false),
})

export const reportSchedule = scheduleForm.extend({
  id: z.uuid(),
  query: reportQuery,
  customName: z.string().nullable(),
  ownerId: z.uuid(),
  ownerName: z.string(),
  isActive: z.boolean(),
  /** Set when it was paused automatically. */
  pausedBecause: z.string().nullable(),
  nextRunAt: instant,
  lastRunAt: instant.nullable(),
  lastRun: z.object({ state: z.enum(reportRunStates), message: z.string().nullable() }).nullable(),
  deliveries: z.array(recipientDelivery),
  createdAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(scheduleActions)),
})
export type ReportSchedule = z.infer<typeof reportSchedule>
