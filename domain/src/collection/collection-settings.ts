import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { templateSetting } from "../platform/mail-template-shape.ts"
import { premiumTemplates } from "./premium-mail.ts"

/** Up to 28: every month has these days. */
const dayOfMonth = z.int("Enter a day of the month").min(1, "From 1 to 28").max(28, "From 1 to 28")

export const collectionSettings = {
  /** Sends reminders to debtors on a day of the month, except those who promised or dispute payment. */
  premiumReminders: setting(z.boolean(), true, {
    kind: "switch",
    label: "Premium reminders",
    help: "Sent once a month, with a statement, for every policy that owes premium, unless payment was promised or the amount is disputed",
  }),
  premiumReminderDay: setting(dayOfMonth, 20, {
    kind: "number",
    label: "Reminder day",
    help: "Day of the month, 1 to 28",
    unit: "a day of the month",
  }),
  /** Managers are notified of overdue premiums the day after this one. */
  outstandingAlerts: setting(z.boolean(), true, {
    kind: "switch",
    label: "Outstanding premium alerts",
    help: "Sent once a month to managers, with all overdue amounts",
  }),
  outstandingAlertDay: setting(dayOfMonth, 5, {
    kind: "number",
    label: "Alert after day",
    help: "Alerts are sent on the day after this one",
    unit: "a day of the month",
  }),
  reminderMail: templateSetting(premiumTemplates.reminder),
  graceNoticeMail: templateSetting(premiumTemplates.notice),
}
