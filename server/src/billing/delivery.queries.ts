import { type MailedDocument, maxMailsListed } from "@milkwood/domain/billing/delivery"
import type { DeliveredMail } from "@milkwood/domain/billing/delivery-shape"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, seesAllGroups } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"

const mailIds = (kind: MailedDocument | "receipt", id: SQL): SQL => {
  const alone = sql`select id from mails where about_id = ${id} and about_kind = ${sql.raw(`'${kind}'`)}`
  return kind === "credit_note"
    ? sql`${alone} union all select mail_id from mail_documents where document_id = ${id}`
    : alone
}

/** Null unless the actor may read the outbox. */
export const mailState = (actor: Actor, kind: MailedDocument, id: SQL): SQL =>
  seesAllGroups(actor)
    ? sql`(select m.state from mails m where ${
        kind === "credit_note"
          ? sql`m.id in (${mailIds(kind, id)})`
          : sql`m.about_id = ${id} and m.about_kind = ${sql.raw(`'${kind}'`)}`
      }
        order by m.created_at desc, m.id desc limit 1)`
    : sql`null`

/** Whether the newest mail of document `s` is queued, failed or only stored. */
export const hasUndeliveredMail = (actor: Actor, kind: MailedDocument): SQL =>
  seesAllGroups(actor)
    ? sql`s.id in (select m.about_id from mails m where m.about_kind = ${kind} and m.state <> 'sent' and m.about_id is not null
        and not exists (select from mails n where n.about_id = m.about_id and n.about_kind = m.about_kind
          and (n.created_at, n.id) > (m.created_at, m.id))${kind === "credit_note" ? newestJointMailCondition : sql``})`
    : sql`false`

/** `hasUndeliveredMail` for credit notes that share a mail. */
const newestJointMailCondition = sql`
        and not exists (select from mail_documents d join mails n on n.id = d.mail_id where d.document_id = m.about_id
          and (n.created_at, n.id) > (m.created_at, m.id))
      union all
      select d.document_id from mails m join mail_documents d on d.mail_id = m.id where m.state <> 'sent'
        and not exists (select from mails n where n.about_id = d.document_id and n.about_kind = 'credit_note'
          and (n.created_at, n.id) > (m.created_at, m.id))
        and not exists (select from mail_documents e join mails n on n.id = e.mail_id where e.document_id = d.document_id
          and (n.created_at, n.id) > (m.created_at, m.id))`

/** Newest first; empty unless the actor may read the outbox. */
export async function loadMails(
  { tx, actor }: Pick<Cx, "tx" | "actor">,
  kind: MailedDocument | "receipt",
  id: string,
): Promise<DeliveredMail[]> {
  if (!seesAllGroups(actor)) return []
  return tx.rows<DeliveredMail>(sql`
    select id, to_address as "to", state, last_error as error, created_at as "createdAt", sent_at as "sentAt"
    from mails where id in (${mailIds(kind, sql`${id}::uuid`)}) order by created_at desc, id desc limit ${maxMailsListed}`)
}
