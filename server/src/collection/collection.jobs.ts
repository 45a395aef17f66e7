import { type CalendarTask, calendarStep, lastDueOn } from "@milkwood/domain/collection/calendar"
import { collectionSettings } from "@milkwood/domain/collection/collection-settings"
import { type Day, firstOfMonth, formatDay, isoMonthOf } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { isOpen } from "../billing/invoice-money.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { job, startJob } from "../platform/work/jobs.ts"
import { queueMail } from "../platform/work/mail.ts"
import { debtSql } from "./owed.queries.ts"
import { createMailsJob } from "./premium-mails.ts"

/**
 * Daily: sends the month's reminders and alerts if due or missed. Recorded in the same transaction, so each runs once a
 * month.
 */
export const collectionDaily = job("collection.daily", ({ transaction }) =>
  transaction(async (cx) => {
    const settings = await readSettings(cx.tx, collectionSettings)
    const reminders = await runCalendarTask(
      cx,
      "reminders",
      settings.premiumReminders,
      lastDueOn(cx.today, settings.premiumReminderDay),
      sendReminders,
    )
    const alerts = await runCalendarTask(
      cx,
      "alerts",
      settings.outstandingAlerts,
      lastDueOn(cx.today, settings.outstandingAlertDay, 1),
      sendAlerts,
    )
    return { reminders, alerts }
  }),
)

async function runCalendarTask(
  cx: Cx,
  task: CalendarTask,
  isOn: boolean,
  dueOn: Day,
  run: (cx: Cx, dueOn: Day) => Promise<void>,
) {
  const { tx, today, now } = cx
  const hasRecord = (await tx.row(sql`select from premium_calendar where task = ${task} limit 1`)) !== undefined
  const outcome = calendarStep({ dueOn, isOn, hasRecord }, today)
  const isNew = await tx.run(sql`
    insert into premium_calendar (task, month, due_on, outcome, done_at)
    values (${task}, ${firstOfMonth(dueOn)}, ${dueOn}, ${outcome}, ${now}) on conflict do nothing`)
  if (isNew === 0) return "done before"
  if (outcome === "run") await run(cx, dueOn)
  return outcome
}

/** Selects all debtors; the mail job skips those who promised or dispute payment. */
async function sendReminders(cx: Cx, dueOn: Day): Promise<void> {
  const owing = await cx.tx.rows<{ id: string }>(sql`
    select policy_id as id from (${debtSql(cx.today)}) f
    where f."openCents" > f."creditCents" order by policy_id`)
  if (owing.length === 0) return
  const policyIds = owing.map(({ id }) => id)
  const run = `calendar:${isoMonthOf(dueOn)}`
  const { reminderMail } = await readSettings(cx.tx, { reminderMail: collectionSettings.reminderMail })
  await startJob(cx, createMailsJob({ kind: "reminder", run, policyIds, isAutomatic: true, ...reminderMail }))
}

/** Maximum number of policies named in an alert, highest debt first. */
const maxPoliciesNamed = 10

async function sendAlerts(cx: Cx): Promise<void> {
  const { tx, today, app } = cx
  const overdue = await tx.rows<{ group: string; policy: string; cents: number; since: Day }>(sql`
    select g.name as "group", p.number as policy, f."overdueCents" as cents,
      (select min(i.due_on) from invoices i where i.policy_id = p.id and ${isOpen}) as since
    from (${debtSql(today)}) f join policies p on p.id = f.policy_id join employer_groups g on g.id = p.group_id
    where f."overdueCents" > 0 order by f."overdueCents" desc, p.number`)
  if (overdue.length === 0) return
  const { organisation, dateFormat } = await readSettings(tx, platformSettings)
  const managers = await tx.rows<{ name: string; email: string }>(sql`
    select name, email from users where role = 'manager' and disabled_at is null and email_verified order by email`)
  const total = formatMoney(
    overdue.reduce((sum, { cents }) => sum + cents, 0),
    cx.currency,
  )
  const policies = overdue.length === 1 ? "1 policy" : `${overdue.length} policies`
  const lines = overdue
    .slice(0, maxPoliciesNamed)
    .map(
      ({ group, policy, cents, since }) =>
        `${group}, ${policy}: ${formatMoney(cents, cx.currency)} since ${formatDay(since, dateFormat)}`,
    )
  for (const { name, email } of managers) {
    await queueMail(cx, {
      to: email,
      subject: `Premiums overdue: ${total} on ${policies}`,
      text: [
        `Dear ${name}`,
        `As at ${formatDay(today, dateFormat)}, premiums of ${total} are overdue on ${policies}.`,
        [
          overdue.length > maxPoliciesNamed ? `The ${maxPoliciesNamed} with the highest overdue amounts:` : "Overdue:",
          ...lines,
        ].join("\n"),
        `See all: ${app.publicUrl}/invoices/collection?month=all`,
        organisation.name,
      ].join("\n\n"),
    })
  }
}
