import { randomUUID } from "node:crypto"
import {
  heldLinkHours,
  type MailServer,
  mailServerStep,
  minAdministratorHours,
  passwordStep,
} from "@milkwood/domain/platform/mail-server"
import { mailSettings } from "@milkwood/domain/platform/mail-settings"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, invalidInput, refused } from "../platform/calls/commands.ts"
import { expectSecondFactor } from "../platform/calls/proof.ts"
import { lockSettings, readSettings, writeSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import {
  deletePassword,
  hasPassword,
  readSealedPassword,
  retryQueuedMails,
  sealMailPassword,
  storePassword,
} from "../platform/work/mail-server.ts"
import { requireUser } from "../users/sessions.ts"
import { administratorsSql, readAdministratorSince } from "../users/users.queries.ts"
import { queueMailServerNotice } from "./mail-server-notices.ts"
import { readSettingsDetail } from "./settings.queries.ts"

const settingsRecord = { record: { kind: "settings" as const, id: null, label: "Settings" }, groupId: null }

/**
 * Requires the settings lock. Returns the server to save now: the former one if a second administrator must confirm.
 */
export async function changeMailServer(cx: Cx, after: MailServer, given?: string): Promise<MailServer> {
  const { mailServer: before } = await readSettings(cx.tx, mailSettings)
  const step = mailServerStep(before, after, await readChangeContext(cx))
  const isGuarded = step === "ask" || step === "hold"
  if (isGuarded) expectSecondFactor(cx)
  const sealed = await resolvePassword(cx, before, after, given)
  if (isGuarded) await requestChange(cx, before, after, sealed, step)
  if (step === "ask") return before
  await storeSealedPassword(cx, sealed)
  if (sealed !== undefined || JSON.stringify(before) !== JSON.stringify(after)) await retryQueuedMails(cx.tx)
  return after
}

async function readChangeContext(cx: Cx): Promise<{ hasDelivered: boolean; otherAdministrators: number }> {
  return (await cx.tx.row(sql`
    select exists (select from mails where state = 'sent') as "hasDelivered",
      (select count(*)::int from ${administratorsSql} a where a.id <> ${requireUser(cx).userId}) as "otherAdministrators"`))!
}

/** The sealed password; null deletes the stored one, undefined keeps it. */
async function resolvePassword(cx: Cx, before: MailServer, after: MailServer, given?: string) {
  const step = passwordStep(before, after, { given, isKept: await hasPassword(cx.tx) })
  const wrong = (message: string) => invalidInput([{ path: "mailPassword", message }])
  if (step === "missing") throw wrong("Enter the password for this user")
  if (step === "again") throw wrong("Enter the password again: the stored password is for another server or user")
  if (step === "seal") return sealMailPassword(cx.app, given!)
  return step === "remove" ? null : undefined
}

async function storeSealedPassword(cx: Cx, sealed: string | null | undefined): Promise<void> {
  if (sealed === undefined) return
  if (sealed !== null) {
    await storePassword(cx, sealed)
    await record(cx, [{ type: "MailPasswordKept", ...settingsRecord }])
  } else if (await deletePassword(cx.tx)) await record(cx, [{ type: "MailPasswordForgotten", ...settingsRecord }])
}

async function requestChange(
  cx: Cx,
  former: MailServer,
  server: MailServer,
  sealed: string | null | undefined,
  step: "ask" | "hold",
): Promise<void> {
  const { tx, now } = cx
  const { userId, name } = requireUser(cx)
  if (await tx.row(sql`select from mail_server_changes where state = 'waiting'`)) throw changeAlreadyWaiting()
  const id = randomUUID()
  const isApplied = step === "hold"
  const linksFrom = isApplied ? now.add({ hours: heldLinkHours }) : null
  await tx.run(sql`
    insert into mail_server_changes
      (id, state, former, former_password, server, password, asked_at, asked_by, decided_at, decided_by, links_from)
    values (${id}, ${isApplied ? "applied" : "waiting"}, ${JSON.stringify(former)}::jsonb, ${await readSealedPassword(tx)},
      ${JSON.stringify(server)}::jsonb, ${isApplied ? null : (sealed ?? null)}, ${now}, ${userId},
      ${isApplied ? now : null}, ${isApplied ? userId : null}, ${linksFrom})`)
  if (!isApplied) await record(cx, [{ type: "MailServerAsked", ...settingsRecord, server }])
  await queueMailServerNotice(cx, { id, former, server, by: name, linksFrom, state: isApplied ? "held" : "asked" })
}

const changeAlreadyWaiting = () =>
  invalidInput([
    {
      path: "settings.mailServer.host",
      message: "Another change of the mail server is not confirmed yet. Confirm or withdraw it first",
    },
  ])

interface MailServerChange {
  former: MailServer
  server: MailServer
  password: string | null
  askedBy: string
}

async function lockWaitingChange({ tx }: Cx, id: string): Promise<MailServerChange> {
  const found = await tx.row<MailServerChange>(sql`
    select former, server, password, asked_by as "askedBy" from mail_server_changes
    where id = ${id} and state = 'waiting' for update`)
  if (!found) throw refused("NOT_FOUND", "This change was already confirmed or withdrawn.")
  return found
}

async function decideChange({ tx, now, actor }: Cx, id: string, state: "applied" | "withdrawn"): Promise<void> {
  await tx.run(sql`
    update mail_server_changes set state = ${state}, password = null, decided_at = ${now},
      decided_by = ${requireUser({ actor }).userId}
    where id = ${id}`)
}

export const confirmMailServer = command(settingsContract.mailServer.confirm, async (cx) => {
  expectSecondFactor(cx)
  const { tx, now, input } = cx
  await lockSettings(cx)
  const { server, password, askedBy } = await lockWaitingChange(cx, input.changeId)
  const { userId, name } = requireUser(cx)
  if (askedBy === userId) throw refused("OWN_CHANGE")
  const since = await readAdministratorSince(tx, userId)
  if (Temporal.Instant.compare(since.add({ hours: minAdministratorHours }), now) > 0) throw refused("TOO_NEW")
  const { mailServer: before } = await readSettings(tx, mailSettings)
  await decideChange(cx, input.changeId, "applied")
  await storeSealedPassword(cx, password)
  await writeSettings(cx, { mailServer: server })
  await record(cx, [
    { type: "MailServerConfirmed", ...settingsRecord, before: { mailServer: before }, after: { mailServer: server } },
  ])
  await queueMailServerNotice(cx, {
    id: input.changeId,
    former: before,
    server,
    by: name,
    linksFrom: null,
    state: "confirmed",
  })
  await retryQueuedMails(tx)
  return readSettingsDetail(cx)
})

/** Needs no password confirmation, so that a suspicious change can be stopped at once. */
export const withdrawMailServer = command(settingsContract.mailServer.withdraw, async (cx) => {
  await lockSettings(cx)
  const { server } = await lockWaitingChange(cx, cx.input.changeId)
  await decideChange(cx, cx.input.changeId, "withdrawn")
  await record(cx, [{ type: "MailServerWithdrawn", ...settingsRecord, server }])
  return readSettingsDetail(cx)
})
