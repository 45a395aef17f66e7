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

/** What is said where a schedule has no name or nobody to go to (specification 2, section 5). */
export const scheduleIncomplete = "Please provide a schedule name and at least one recipient email."

const recipient = line(200).refine(isEmail, "This is not an e-mail address").meta({ format: "email" })

/** Addresses that a report is sent to. */
const recipients = z
  .array(recipient)
  .max(50, "At most 50 recipients")
  .refine((all) => new Set(all.map((one) => one.toLowerCase())).size === all.length, "A recipient stands twice")

const scheduledReport = {
  report: z.enum([...reportIds, customId] as [AnyReportId, ...AnyReportId[]]),
  /** The saved report that it is of, where it is one of people's own. */
  customReportId: z.uuid().nullable().default(null),
}

/** Recipients of a report whose deliveries are asked for before the schedule is saved. */
export const askedDeliveries = z.object({ ...scheduledReport, recipients })

/** How a recipient gets the report: with the file, with a link, or not at all; `words` says it as a sentence. */
export const recipientDelivery = z.object({ address: z.string(), kind: z.enum(deliveryKinds), words: z.string() })
export type RecipientDelivery = z.infer<typeof recipientDelivery>

/** What somebody types into the dialog of a schedule. */
export const scheduleForm = z.object({
  name: line(120).refine((name) => name !== "", scheduleIncomplete),
  description: text(1_000).default(""),
  ...scheduledReport,
  format: reportFormat,
  /** Its filters; its dates are those before each run. */
  query: reportQuery.default({}),
  type: z.enum(scheduleTypes),
  /** 0 to 23, in the timezone of the settings. */
  hour: z.int().min(0).max(23),
  /** 0 to 6 from Monday; of a weekly one. */
  dayOfWeek: z.int().min(0).max(6).nullable().default(null),
  /** 1 to 28; of a monthly, quarterly or yearly one. */
  dayOfMonth: z.int().min(1).max(28).nullable().default(null),
  recipients: recipients.min(1, scheduleIncomplete),
  skipWhenEmpty: z.boolean().default(false),
})

export const reportSchedule = scheduleForm.extend({
  id: z.uuid(),
  query: reportQuery,
  /** How the saved report is called that it is of. */
  customName: z.string().nullable(),
  ownerId: z.uuid(),
  ownerName: z.string(),
  isActive: z.boolean(),
  /** Why it stands still, where nobody paused it. */
  pausedBecause: z.string().nullable(),
  nextRunAt: instant,
  lastRunAt: instant.nullable(),
  /** What its last run came to; null before the first. */
  lastRun: z.object({ state: z.enum(reportRunStates), message: z.string().nullable() }).nullable(),
  /** How each recipient gets the report as things are now. */
  deliveries: z.array(recipientDelivery),
  createdAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(scheduleActions)),
})
export type ReportSchedule = z.infer<typeof reportSchedule>
