import { collectionActionsOf, owedCents } from "@milkwood/domain/collection/collection"
import {
  collectionContract,
  type PolicyContacts,
  type PremiumContact,
} from "@milkwood/domain/collection/collection.contract"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { openCents } from "../billing/invoice-money.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import { policyRecipients } from "../policies/policy-recipients.ts"
import { creditOf } from "../receipts/credit.queries.ts"
import { phoneOf } from "./collection-list.queries.ts"
import { promiseSql } from "./promises.queries.ts"

const maxContactsListed = 100

export const listContacts = query(collectionContract.contacts, (cx) => loadPolicyContacts(cx, cx.input.policyId))

/** NOT_FOUND if the actor may not see the policy. */
export async function loadPolicyContacts(
  { tx, today, actor, app }: Pick<Cx, "tx" | "today" | "actor" | "app">,
  policyId: string,
): Promise<PolicyContacts> {
  const found = await tx.row<Omit<PolicyContacts, "contacts" | "allowedActions">>(sql`
    select p.id as "policyId", p.number as "policyNumber", g.name as "groupName", p.contact_name as "contactName",
      ${policyRecipients("statements").to} as "contactEmail", ${phoneOf} as phone, owed.*,
      (${creditOf(sql`p.id`)}) as "creditCents"
    from policies p join employer_groups g on g.id = p.group_id
    cross join lateral (
      select coalesce(sum(${openCents}), 0)::bigint as "outstandingCents",
        coalesce(sum(${openCents}) filter (where i.due_on < ${today}::date), 0)::bigint as "overdueCents",
        min(i.due_on) filter (where ${openCents} > 0) as "oldestDueOn"
      from invoices i where i.policy_id = p.id and i.status = 'sent'
    ) owed
    where p.id = ${policyId}`)
  if (!found) throw refused("NOT_FOUND")
  const contacts = await tx.rows<PremiumContact>(sql`
    select c.id, c.kind, to_char(c.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "madeAt", u.name as "madeByName",
      c.outcome, c.promised_cents as "promisedCents", c.promised_on as "promisedOn",
      ${promiseSql(today, await app.timezone())} as promise, c.note, c.sent_to as "sentTo", m.state as mail
    from premium_contacts c left join users u on u.id = c.made_by left join mails m on m.id = c.mail_id
    where c.policy_id = ${policyId} order by c.made_at desc, c.id desc limit ${maxContactsListed}`)
  return {
    ...found,
    contacts,
    allowedActions: collectionActionsOf(
      { ...found, owedCents: owedCents(found) },
      hasPermission(ruleActor(actor).role, "collection.write"),
    ),
  }
}
