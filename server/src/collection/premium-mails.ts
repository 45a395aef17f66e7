import { randomUUID } from "node:crypto"
import { billingSettings } from "@milkwood/domain/billing/billing-settings"
import { owedCents } from "@milkwood/domain/collection/collection"
import {
  collectionContract,
  type MailDraft,
  type PolicyContacts,
} from "@milkwood/domain/collection/collection.contract"
import { collectionSettings } from "@milkwood/domain/collection/collection-settings"
import { graceOf } from "@milkwood/domain/collection/grace"
import {
  type PremiumMailField,
  type PremiumMailKind,
  premiumMailFields,
} from "@milkwood/domain/collection/premium-mail"
import { statementStart } from "@milkwood/domain/collection/statement"
import type { ContactPurpose } from "@milkwood/domain/employers/employer-contact"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { fillMail, type MailText, unknownFieldMessage, unknownFields } from "@milkwood/domain/platform/mail-template"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type CallCx, type Cx, command, invalidInput, query, refused } from "../platform/calls/commands.ts"
import { holdLock } from "../platform/database/locks.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { job, startJob } from "../platform/work/jobs.ts"
import { queueMail } from "../platform/work/mail.ts"
import { loadRecipients } from "../policies/policy-recipients.ts"
import { premiumContacts } from "./collection.tables.ts"
import { loadPolicyContacts } from "./contacts.queries.ts"
import { loadUnpaidPremiums } from "./grace.queries.ts"
import { standingsSql } from "./promises.queries.ts"
import { fileName, loadStatementDocument, statementPdf } from "./statement.queries.ts"

/** A run mails each policy at most once, even if the job restarts. */
interface MailJobPayload extends MailText {
  kind: PremiumMailKind
  run: string
  policyIds: string[]
  /** Sent by the calendar: skips policies with a promise or dispute. */
  isAutomatic: boolean
}

type SkipReason = "paid_up" | "no_address" | "promised" | "disputed"

export const remind = command(collectionContract.remind, async (cx) => {
  const { policyIds, subject, text, idempotencyKey } = cx.input
  return startMails(cx, {
    kind: "reminder",
    policyIds: [...new Set(policyIds)],
    subject,
    text,
    run: `asked:${idempotencyKey}`,
  })
})

export const sendNotice = command(collectionContract.sendNotice, async (cx) => {
  const { policyId, subject, text, idempotencyKey } = cx.input
  if ((await loadUnpaidPremiums(cx.tx, policyId, cx.today)).length === 0) throw refused("NOTHING_UNPAID")
  return startMails(cx, { kind: "notice", policyIds: [policyId], subject, text, run: `asked:${idempotencyKey}` })
})

async function startMails(cx: CallCx<unknown>, run: Omit<MailJobPayload, "isAutomatic">) {
  for (const path of ["subject", "text"] as const) {
    const [unknown] = unknownFields(premiumMailFields, run[path])
    if (unknown !== undefined) throw invalidInput([{ path, message: unknownFieldMessage(unknown) }])
  }
  const skipped: { policyId: string; policyNumber: string; reason: SkipReason }[] = []
  const policyIds: string[] = []
  for (const policyId of run.policyIds) {
    const policy = await loadPolicyContacts(cx, policyId)
    const reason = skipReasonOf(policy, await loadRecipients(cx.tx, policyId, purposeOf[run.kind]))
    if (reason) skipped.push({ policyId, policyNumber: policy.policyNumber, reason })
    else policyIds.push(policyId)
  }
  if (policyIds.length > 0) await startJob(cx, createMailsJob({ ...run, policyIds, isAutomatic: false }))
  return { sending: policyIds.length, skipped }
}

const jobKind = "collection.mails"

export function createMailsJob(run: MailJobPayload) {
  const what = run.kind === "reminder" ? "Premium reminder" : "Notice of non-payment"
  const count = run.policyIds.length
  return { kind: jobKind, label: count === 1 ? what : `${what} to ${count} policies`, payload: run }
}

const purposeOf = { reminder: "statements", notice: "notices" } as const satisfies Record<
  PremiumMailKind,
  ContactPurpose
>

const skipReasonOf = (policy: PolicyContacts, { to }: { to: string }): SkipReason | null =>
  owedCents(policy) === 0 ? "paid_up" : to === "" ? "no_address" : null

/** Makes each statement outside a transaction, then stores mail, contact and fact in one. */
export const sendPremiumMails = job<MailJobPayload>(
  jobKind,
  async ({ payload: run, app, transaction, progress, signal }) => {
    let sent = 0
    for (const [index, policyId] of run.policyIds.entries()) {
      signal.throwIfAborted()
      const asked = await transaction(async (cx) =>
        (await isDue(cx, run, policyId)) ? await createStatement(cx, policyId) : null,
      )
      if (asked) {
        const pdf = await statementPdf({ app, line: "records" }, () => asked)
        if (await transaction((cx) => sendMail(cx, run, policyId, asked, pdf))) sent++
      }
      await progress(index + 1, run.policyIds.length)
    }
    return { sent }
  },
)

async function createStatement(cx: Cx, policyId: string) {
  const { oldestDueOn } = await loadPolicyContacts(cx, policyId)
  return loadStatementDocument(cx, { policyId, from: statementStart(cx.today, oldestDueOn), to: cx.today })
}

async function isDue(cx: Cx, { run, isAutomatic, kind }: MailJobPayload, policyId: string): Promise<boolean> {
  const { tx, today } = cx
  if (await tx.row(sql`select from premium_contacts where policy_id = ${policyId} and run = ${run}`)) return false
  if (kind === "notice" && (await loadUnpaidPremiums(tx, policyId, today)).length === 0) return false
  if (isAutomatic) {
    const found = await tx.row<{ standing: string | null }>(
      sql`select standing from (${standingsSql(today, await cx.app.timezone())}) said where policy_id = ${policyId}`,
    )
    if (found?.standing === "promised" || found?.standing === "disputed") return false
  }
  return (
    skipReasonOf(await loadPolicyContacts(cx, policyId), await loadRecipients(tx, policyId, purposeOf[kind])) === null
  )
}

async function sendMail(
  cx: Cx,
  run: MailJobPayload,
  policyId: string,
  statement: { policyNumber: string; from: string; to: string },
  pdf: Buffer,
): Promise<boolean> {
  // One mail of a run per policy at a time; a constraint also prevents a second one.
  await holdLock(cx.tx, "premiumMail", `${run.run} ${policyId}`)
  if (!(await isDue(cx, run, policyId))) return false
  const policy = await loadPolicyContacts(cx, policyId)
  const groupId = await loadGroupId(cx, policyId)
  const { to, contact } = await loadRecipients(cx.tx, policyId, purposeOf[run.kind])
  const values = await valuesFor(cx, policy, contact)
  const name = fileName(statement.policyNumber, statement.from, statement.to, "pdf")
  const file = await cx.app.files.save(cx, { kind: "statement", name, mime: "application/pdf", groupId, content: pdf })
  const mailId = await queueMail(cx, {
    to,
    groupId,
    ...fillMail(run, values),
    attachments: [{ fileId: file.id, name }],
    about: { kind: "policy", id: policyId },
  })
  await cx.tx.insert(premiumContacts).values({
    ...{ id: randomUUID(), groupId, policyId, kind: run.kind, run: run.run, mailId, sentTo: to },
    madeAt: cx.now,
    madeBy: actorUserId(cx.actor),
  })
  await record(cx, [
    {
      type: run.kind === "reminder" ? "PremiumReminderSent" : "NonPaymentNoticeSent",
      record: { kind: "policy", id: policyId, label: policy.policyNumber },
      groupId: null,
      to,
      owedCents: owedCents(policy),
    },
  ])
  return true
}

async function loadGroupId({ tx }: Cx, policyId: string): Promise<string> {
  return (await tx.row<{ groupId: string }>(sql`select group_id as "groupId" from policies where id = ${policyId}`))!
    .groupId
}

async function valuesFor(
  { tx, today, currency }: Pick<Cx, "tx" | "today" | "currency">,
  policy: PolicyContacts,
  contact: string,
): Promise<Record<PremiumMailField, string>> {
  const { organisation, dateFormat, premiumGraceDays } = await readSettings(tx, {
    ...platformSettings,
    ...billingSettings,
  })
  const day = (on: string) => formatDay(on, dateFormat)
  const unpaid = await loadUnpaidPremiums(tx, policy.policyId, today)
  const grace = graceOf(unpaid[0]?.dueOn ?? null, today, premiumGraceDays)
  const { overdueCents, oldestDueOn } = policy
  return {
    contact: contact || "client",
    group: policy.groupName,
    policy: policy.policyNumber,
    outstanding: formatMoney(owedCents(policy), currency),
    arrears:
      overdueCents > 0 && oldestDueOn
        ? `Of this, ${formatMoney(Math.min(overdueCents, owedCents(policy)), currency)} has been overdue since ${day(oldestDueOn)}.`
        : "No part of it is overdue yet.",
    unpaid: unpaid
      .map(({ number, dueOn, openCents }) => `${number}, due on ${day(dueOn)}, ${formatMoney(openCents, currency)}`)
      .join("; "),
    coverUntil: grace ? day(grace.coverUntil) : "–",
    day: day(today),
    organisation: organisation.name,
  }
}

async function loadMailText({ tx }: Pick<Cx, "tx">, kind: PremiumMailKind): Promise<MailText> {
  const { reminderMail, graceNoticeMail } = await readSettings(tx, collectionSettings)
  return kind === "reminder" ? reminderMail : graceNoticeMail
}

export const readReminderText = query(collectionContract.reminderText, (cx) => loadMailText(cx, "reminder"))

export const readMailDraft = query(collectionContract.mailDraft, async (cx): Promise<MailDraft> => {
  const { policyId, kind } = cx.input
  const policy = await loadPolicyContacts(cx, policyId)
  const { to, contact } = await loadRecipients(cx.tx, policyId, purposeOf[kind])
  const values = await valuesFor(cx, policy, contact)
  const words = await loadMailText(cx, kind)
  return { to, ...fillMail(words, values) }
})
