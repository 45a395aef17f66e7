import { billingSettings } from "@milkwood/domain/billing/billing-settings"
import { type CollectionTask, daysUntilNextCall } from "@milkwood/domain/collection/collection"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { numberSetting } from "../platform/settings/store.ts"
import { standingsSql } from "./promises.queries.ts"

interface LocalDay {
  today: Day
  timezone: string
}

/** Columns: id, group_id, due_on (oldest), cents (open). */
const policiesInDefault = (today: Day): SQL => sql`
  select p.id, p.group_id, min(i.due_on) as due_on, sum(${openCents})::bigint as cents
  from invoices i join policies p on p.id = i.policy_id and p.status = 'Active'
  where ${isOpen} and i.kind = 'premium' and i.due_on < ${today}::date group by p.id`

/**
 * Policies in default per task: no notice sent since the premium fell due (domain `graceOf`); grace over; or no call
 * for a week without promise or dispute.
 */
export const policiesByTask: Record<CollectionTask, (cx: LocalDay) => SQL> = {
  notice: ({ today }) => sql`
    select * from (${policiesInDefault(today)}) d
    where not exists (select from premium_contacts c
      where c.policy_id = d.id and c.kind = 'notice' and c.made_at >= d.due_on + 1)`,
  grace_over: ({ today }) => sql`
    select * from (${policiesInDefault(today)}) d
    where d.due_on + ${numberSetting("premiumGraceDays", billingSettings.premiumGraceDays)} < ${today}::date`,
  call: ({ today, timezone }) => sql`
    select * from (${policiesInDefault(today)}) d
    where not exists (select from premium_contacts c where c.policy_id = d.id and c.kind = 'call'
        and (c.made_at at time zone ${timezone})::date > ${today}::date - ${daysUntilNextCall}::int)
      and not exists (select from (${standingsSql(today, timezone)}) said
        where said.policy_id = d.id and said.standing in ('promised', 'broken', 'disputed'))`,
}

/** Policies with a broken promise that still owe; `cents` is the unpaid part of the promise. */
export const brokenPromises = ({ today, timezone }: LocalDay): SQL => sql`
  select said.policy_id, said.promised_on, least(said.promised_cents, owed.cents)::bigint as cents
  from (${standingsSql(today, timezone)}) said
  join (select i.policy_id, sum(${openCents}) as cents from invoices i where ${isOpen} group by i.policy_id) owed using (policy_id)
  where said.standing = 'broken'`
