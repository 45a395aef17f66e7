import { daysBetween, formatDay } from "@milkwood/domain/kernel/calendar"
import { fillMail, type MailValues } from "@milkwood/domain/platform/mail-template"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type expiryTemplate, relativeDays } from "@milkwood/domain/policies/expiry-mail"
import { policiesSettings } from "@milkwood/domain/policies/policies-settings"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { job } from "../platform/work/jobs.ts"
import { queueMail } from "../platform/work/mail.ts"
import { policyRecipients } from "./policy-recipients.ts"

interface EndingPolicy {
  id: string
  groupId: string
  number: string
  group: string
  contact: string
  email: string
  endsOn: string
}

/**
 * Daily: mails the contact of each policy that ends within the configured days, one transaction per policy. Idempotent;
 * catches up on missed days, and warns again after a renewal.
 */
export const warnOfExpiry = job("policies.expiryWarnings", async ({ transaction, signal }) => {
  let warned = 0
  while (await transaction(warnOfNextExpiry)) {
    warned++
    signal.throwIfAborted()
  }
  return { warned }
})

async function warnOfNextExpiry(cx: Cx): Promise<boolean> {
  const { tx, today, now } = cx
  const { policyExpiryWarnings, policyExpiryDays, policyExpiryMail, organisation, dateFormat } = await readSettings(
    tx,
    {
      ...policiesSettings,
      ...platformSettings,
    },
  )
  if (!policyExpiryWarnings) return false
  const found = await tx.row<EndingPolicy>(sql`
    select p.id, p.group_id as "groupId", p.number, g.name as "group", ${policyRecipients("notices").contact} as contact,
      ${policyRecipients("notices").to} as email, p.end_on as "endsOn"
    from policies p join employer_groups g on g.id = p.group_id
    where p.status in ('Active', 'Suspended') and p.end_on between ${today}::date and ${today}::date + ${policyExpiryDays}::int
      and not exists (select from policy_expiry_warnings w where w.policy_id = p.id and w.ends_on = p.end_on)
    order by p.end_on, p.id limit 1 for update of p skip locked`)
  if (!found) return false
  const { id, groupId, number, group, contact, email, endsOn } = found
  const mail = fillMail(policyExpiryMail, {
    contact: contact || "client",
    group,
    policy: number,
    endsOn: formatDay(endsOn, dateFormat),
    days: relativeDays(daysBetween(today, endsOn)),
    organisation: organisation.name,
  } satisfies MailValues<typeof expiryTemplate>)
  const mailId =
    email === "" ? null : await queueMail(cx, { to: email, groupId, ...mail, about: { kind: "policy", id } })
  await tx.run(sql`
    insert into policy_expiry_warnings (group_id, policy_id, ends_on, mail_id, made_at)
    values (${groupId}, ${id}, ${endsOn}, ${mailId}, ${now})`)
  await record(cx, [
    { type: "PolicyExpiryWarned", record: { kind: "policy", id, label: number }, groupId, on: endsOn, to: email },
  ])
  return true
}
