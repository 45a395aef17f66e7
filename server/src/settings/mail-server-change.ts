import { randomUUID } from "node:crypto"
import {
  confirmerHours,
  heldLinkHours,
  type MailServer,
  mailServerStep,
  passwordStep,
} from "@milkwood/domain/platform/mail-server"
import { mailSettings } from "@milkwood/domain/platform/mail-settings"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, invalid, refused } from "../platform/calls/commands.ts"
import { expectSecondFactor } from "../platform/calls/proof.ts"
import { lockSettings, readSettings, writeSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import {
  deliverWaiting,
  forgetPassword,
  hasPassword,
  keepPassword,
  sealedMailPassword,
  sealedPassword,
} from "../platform/work/mail-server.ts"
import { signedIn } from "../users/sessions.ts"
import { administratorSince, administrators } from "../users/users.queries.ts"
import { mailServerNotice } from "./mail-server-notices.ts"
import { settingsDetail } from "./settings.queries.ts"

const about = { record: { kind: "settings" as const, id: null, label: "Settings" }, groupId: null }

/**
 * Requires the settings lock. Returns the server to save now: the former one if a second administrator must confirm.
 */
export async function changeMailServer(cx: Cx, after: MailServer, given?: string): Promise<MailServer> {
  const { mailServer: before } = await readSettings(cx.tx, mailSettings)
  const step = mailServerStep(before, after, await changeContext(cx))
  const isGuarded = step === "ask" || step === "hold"
  if (isGuarded) expectSecondFactor(cx)
  const sealed = await passwordFor(cx, before, after, given)
  if (isGuarded) await requestChange(cx, before, after, sealed, step)
  if (step === "ask") return before
  await keepSealed(cx, sealed)
  if (sealed !== undefined || JSON.stringify(before) !== JSON.stringify(after)) await deliverWaiting(cx.tx)
  return after
}

async function changeContext(cx: Cx): Promise<{ hasDelivered: boolean; otherAdministrators: number }> {
  return (await cx.tx.row(sql`
    select exists (select from mails where state = 'sent') as "hasDelivered",
      (select count(*)::int from ${administrators} a where a.id <> ${signedIn(cx).userId}) as "otherAdministrators"`))!
}

/** The sealed password; null deletes the stored one, undefined keeps it. */
async function passwordFor(cx: Cx, before: MailServer, after: MailServer, given?: string) {
  const step = passwordStep(before, after, { given, isKept: await hasPassword(cx.tx) })
  const wrong = (message: string) => invalid([{ path: "mailPassword", message }])
  if (step === "missing") throw wrong("Enter the password for this user")
  if (step === "again") throw wrong("Enter the password again: the stored password is for another server or user")
  if (step === "seal") return sealedMailPassword(cx.app, given!)
  return step === "remove" ? null : undefined
}

async function keepSealed(cx: Cx, sealed: string | null | undefined): Promise<void> {
  if (sealed === undefined) return
  if (sealed !== null) {
    await keepPassword(cx, sealed)
    await record(cx, [{ type: "MailPasswordKept", ...about }])
  } else if (await forgetPassword(cx.tx)) await record(cx, [{ type: "MailPasswordForgotten", ...about }])
}

async function requestChange(
  cx: Cx,
  former: MailServer,
  server: MailServer,
  sealed: string | null | undefined,
  step: "ask" | "hold",
): Promise<void> {
  const { tx, now } = cx
  const { userId, name } = signedIn(cx)
  if (await tx.row(sql`select from mail_server_changes where state = 'waiting'`)) throw alreadyWaiting()
  const id = randomUUID()
  const isApplied = step === "hold"
  const linksFrom = isApplied ? now.add({ hours: heldLinkHours }) : null
  await tx.run(sql`
    insert into mail_server_changes
      (id, state, former, former_password, server, password, asked_at, asked_by, decided_at, decided_by, links_from)
    values (${id}, ${isApplied ? "applied" : "waiting"}, ${JSON.stringify(former)}::jsonb, ${await sealedPassword(tx)},
      ${JSON.stringify(server)}::jsonb, ${isApplied ? null : (sealed ?? null)}, ${now}, ${userId},
      ${isApplied ? now : null}, ${isApplied ? userId : null}, ${linksFrom})`)
  if (!isApplied) await record(cx, [{ type: "MailServerAsked", ...about, server }])
  await mailServerNotice(cx, { id, former, server, by: name, linksFrom, state: isApplied ? "held" : "asked" })
}

const alreadyWaiting = () =>
  invalid([
    {
      path: "settings.mailServer.host",
      message: "Another change of the mail server is not confirmed yet. Confirm or withdraw it first",
    },
  ])

interface Change {
  former: MailServer
  server: MailServer
  password: string | null
  askedBy: string
}

async function waitingChange({ tx }: Cx, id: string): Promise<Change> {
  const found = await tx.row<Change>(sql`
    select former, server, password, asked_by as "askedBy" from mail_server_changes
    where id = ${id} and state = 'waiting' for update`)
  if (!found) throw refused("NOT_FOUND", "This change was already confirmed or withdrawn.")
  return found
}

async function decide({ tx, now, actor }: Cx, id: string, state: "applied" | "withdrawn"): Promise<void> {
  await tx.run(sql`
    update mail_server_changes set state = ${state}, password = null, decided_at = ${now},
      decided_by = ${signedIn({ actor }).userId}
    where id = ${id}`)
}

export const confirmMailServer = command(settingsContract.mailServer.confirm, async (cx) => {
  expectSecondFactor(cx)
  const { tx, now, input } = cx
  await lockSettings(cx)
  const { server, password, askedBy } = await waitingChange(cx, input.changeId)
  const { userId, name } = signedIn(cx)
  if (askedBy === userId) throw refused("OWN_CHANGE")
  const since = await administratorSince(tx, userId)
  if (Temporal.Instant.compare(since.add({ hours: confirmerHours }), now) > 0) throw refused("TOO_NEW")
  const { mailServer: before } = await readSettings(tx, mailSettings)
  await decide(cx, input.changeId, "applied")
  await keepSealed(cx, password)
  await writeSettings(cx, { mailServer: server })
  await record(cx, [
    { type: "MailServerConfirmed", ...about, before: { mailServer: before }, after: { mailServer: server } },
  ])
  await mailServerNotice(cx, {
    id: input.changeId,
    former: before,
    server,
    by: name,
    linksFrom: null,
    state: "confirmed",
  })
  await deliverWaiting(tx)
  return settingsDetail(cx)
})

/** Needs no password confirmation, so that a suspicious change can be stopped at once. */
export const withdrawMailServer = command(settingsContract.mailServer.withdraw, async (cx) => {
  await lockSettings(cx)
  const { server } = await waitingChange(cx, cx.input.changeId)
  await decide(cx, cx.input.changeId, "withdrawn")
  await record(cx, [{ type: "MailServerWithdrawn", ...about, server }])
  return settingsDetail(cx)
})
