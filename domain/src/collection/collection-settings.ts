import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { templateSetting } from "../platform/mail-template-shape.ts"
import { premiumTemplates } from "./premium-mail.ts"

/** Every month has these days. */
const dayOfMonth = z.int("Give a day of the month").min(1, "From 1 to 28").max(28, "From 1 to 28")

export const collectionSettings = {
  /** on this day of the month whoever owes is reminded, but who has promised or disputes it */
  premiumReminders: setting(z.boolean(), true),
  premiumReminderDay: setting(dayOfMonth, 20),
  /** on the day after this one managers are told what is overdue */
  outstandingAlerts: setting(z.boolean(), true),
  outstandingAlertDay: setting(dayOfMonth, 5),
  reminderMail: templateSetting(premiumTemplates.reminder),
  graceNoticeMail: templateSetting(premiumTemplates.notice),
}
