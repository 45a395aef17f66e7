import type { claimDecisionTemplate } from "@milkwood/domain/claims/claim-mails"
import { claimsSettings } from "@milkwood/domain/claims/claims-settings"
import {
  claimOutcomeText,
  kindDetailsOf,
  type NotificationDetail,
  type NotificationKind,
  type NotifiedRecord,
  notificationKinds,
  notificationPath,
  notificationText,
} from "@milkwood/domain/notifications/notification"
import { fillMail, type MailValues } from "@milkwood/domain/platform/mail-template"
import { groupRoles } from "@milkwood/domain/platform/permission"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { queueMail } from "../platform/work/mail.ts"

interface WaitingNotice {
  id: number
  userId: string
  name: string
  email: string
  kind: NotificationKind
  record: { kind: NotifiedRecord; id: string }
  label: string
  detail: NotificationDetail
}

/** People mailed per batch, and notifications named per mail. */
const recipientsPerBatch = 100
const maxNoticesListed = 20

/** Claim outcomes are separate mails by template, unless one batch decided more than this. */
const maxSeparateDecisionMails = 5
const isDecision = ({ kind }: WaitingNotice): boolean => kind === "claim_decided"

const rolesOfKinds = JSON.stringify(
  Object.fromEntries(
    Object.keys(notificationKinds).map((kind) => [kind, kindDetailsOf(kind as NotificationKind).roles]),
  ),
)

/**
 * Sends waiting notifications, one mail per person; claim outcomes are separate. The mails enter the outbox in the
 * transaction that marks them. Notifications that are read, done or no longer visible are skipped. Returns the number
 * processed.
 */
export async function mailNotices(cx: Cx, channel: "mail" | "digest"): Promise<number> {
  const { tx, app, now } = cx
  const isWaiting = sql`n.channel = ${channel} and n.mailed_at is null and n.read_at is null and n.done_at is null`
  const waiting = await tx.rows<WaitingNotice & { isSharedStorage: boolean }>(sql`
    select n.id, n.user_id as "userId", u.name, u.email, n.kind, n.record_label as label, n.detail,
      jsonb_build_object('kind', n.record_kind, 'id', n.record_id) as record,
      u.disabled_at is null and u.role is not null and ${rolesOfKinds}::jsonb -> n.kind ? u.role
        and (u.role <> all (${sql.param(groupRoles)}::text[])
          or exists (select from user_groups g where g.user_id = u.id and g.group_id = n.group_id)) as "isSharedStorage"
    from notifications n join users u on u.id = n.user_id
    where ${isWaiting} and n.user_id in (select distinct n.user_id from notifications n where ${isWaiting} limit ${recipientsPerBatch})
    order by n.id for update of n skip locked`)
  if (waiting.length === 0) return 0
  const { organisation, dateFormat, claimDecisionMail } = await readSettings(tx, {
    ...platformSettings,
    ...claimsSettings,
  })
  const people = Map.groupBy(
    waiting.filter(({ isSharedStorage }) => isSharedStorage),
    ({ userId }) => userId,
  )
  for (const theirs of people.values()) {
    const { name, email } = theirs[0]!
    const decisions = channel === "mail" ? theirs.filter(isDecision) : []
    const isApart = decisions.length <= maxSeparateDecisionMails
    for (const { record, label, detail } of isApart ? decisions : []) {
      const mail = fillMail(claimDecisionMail, {
        name,
        claim: label,
        outcome: claimOutcomeText(detail.outcome),
        link: `${app.publicUrl}${notificationPath("claim_decided", record)}`,
        profile: `${app.publicUrl}/profile`,
        organisation: organisation.name,
      } satisfies MailValues<typeof claimDecisionTemplate>)
      await queueMail(cx, { to: email, ...mail })
    }
    const notices = isApart ? theirs.filter((notice) => !decisions.includes(notice)) : theirs
    if (notices.length === 0) continue
    const lines = notices.slice(0, maxNoticesListed).map((notice) => {
      const { kind, record } = notice
      return `${notificationText(notice, dateFormat, cx.currency)}.\n${app.publicUrl}${notificationPath(kind, record)}`
    })
    const more = notices.length - lines.length
    await queueMail(cx, {
      to: email,
      subject: noticeSubjectOf(
        notices.map((notice) => notificationText(notice, dateFormat, cx.currency)),
        channel,
      ),
      text: [
        `Hello ${name},`,
        ...lines,
        ...(more > 0 ? [`And ${more} more: ${app.publicUrl}/notifications`] : []),
        `Change your e-mail settings on your profile: ${app.publicUrl}/profile`,
        organisation.name,
      ]
        .filter((part) => part !== "")
        .join("\n\n"),
    })
  }
  await tx.run(sql`
    update notifications set mailed_at = ${now} where id = any (${sql.param(waiting.map(({ id }) => id))}::bigint[])`)
  return waiting.length
}

function noticeSubjectOf(texts: string[], channel: "mail" | "digest"): string {
  if (channel === "digest")
    return texts.length === 1 ? "This morning: 1 notification" : `This morning: ${texts.length} notifications`
  return texts.length === 1 ? texts[0]! : `${texts.length} notifications in Milkwood`
}

export async function mailImmediateNotices(app: App): Promise<number> {
  const moment = await app.moment()
  return app.database.transaction("jobs", (tx) =>
    mailNotices(
      { app, tx, ...moment, actor: { kind: "system", name: "Milkwood", onBehalfOf: null }, requestId: "notifications" },
      "mail",
    ),
  )
}
