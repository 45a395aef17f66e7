import { randomUUID } from "node:crypto"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import { type Cx, signInActor } from "../platform/calls/commands.ts"
import { holdLock } from "../platform/database/locks.ts"
import { record } from "../platform/trail/facts.ts"
import { createLink, readValidLink } from "./account-links.ts"
import { checkPassword, createUser } from "./new-account.ts"
import { setPassword } from "./passwords.ts"
import { actorRecord, endSessions, userRecord } from "./sessions.ts"
import { readActor } from "./users.queries.ts"

/** A new setup link at every start; null once an account exists. */
export async function createSetupLink(app: App): Promise<string | null> {
  const moment = await app.moment()
  return app.database.transaction("auth", async (tx) => {
    // A setup ends existing links; without the lock, a link made meanwhile would stay valid.
    await holdLock(tx, "setup")
    if (await tx.row(sql`select from users limit 1`)) return null
    const link = await createLink({ app, tx, ...moment }, { kind: "setup" })
    return link.url
  })
}

/** For a locked-out administrator. Access to the server's command line is sufficient authority. */
export async function createAdministratorLink(app: App): Promise<{ url: string; expiresAt: string }> {
  const moment = await app.moment()
  return app.database.transaction("auth", async (tx) => {
    const cx: Cx = { app, tx, ...moment, actor: { ...signInActor, name: "Server" }, requestId: randomUUID() }
    const link = await createLink(cx, { kind: "setup" })
    await record(cx, [
      { type: "AdministratorLinkMade", record: { kind: "user", id: link.id, label: "Administrator" }, groupId: null },
    ])
    return link
  })
}

export interface SetupInput {
  token: string
  fullName: string
  email: string
  password: string
}

export interface SetUpResult {
  /** The new administrator's context, for the rest of the setup. */
  cx: Cx
  /** True for the first account, which must provide the organisation. */
  first: boolean
}

/**
 * Creates an administrator from a setup link, which works once and confirms the address. An existing account is enabled
 * with the role and the new password. All other setup links are revoked. Runs in the transaction of the settings' setup
 * command.
 */
export async function createAdministrator(cx: Cx, input: SetupInput): Promise<SetUpResult> {
  const { tx, now } = cx
  // The second of two concurrent links is refused.
  await holdLock(tx, "setup")
  await readValidLink(cx, "setup", input.token)
  await checkPassword(cx, input.password, [input.fullName, input.email])
  await tx.run(sql`update account_links set used_at = ${now} where kind = 'setup' and used_at is null`)
  const first = !(await tx.row(sql`select from users limit 1`))
  const known = await tx.row<{ id: string }>(sql`select id from users where email = ${input.email} for update`)
  const id = known ? await restoreAdministrator(cx, known.id, input) : await createAdministratorUser(cx, input)
  const actor = await readActor(tx, id)
  const ownCx = { ...cx, actor }
  await record(ownCx, [{ type: "AdministratorSetUp", ...actorRecord(actor), after: { email: actor.email } }])
  return { cx: ownCx, first }
}

const createAdministratorUser = (cx: Cx, { fullName, email, password }: SetupInput) =>
  createUser(cx, { name: fullName, email, password, role: "admin", confirmed: true })

async function restoreAdministrator(cx: Cx, id: string, { fullName, password }: SetupInput): Promise<string> {
  await setPassword(cx, id, password)
  await endSessions(cx, id)
  // Also removes a lost second factor.
  const had = await cx.tx.run(sql`delete from second_factors where user_id = ${id} and confirmed_at is not null`)
  if (had > 0) {
    const about = userRecord({ id, name: fullName })
    await record(cx, [{ type: "SecondFactorRemoved", ...about, own: false }])
  }
  await cx.tx.run(sql`
    update users set name = ${fullName}, role = 'admin', email_verified = true, disabled_at = null,
      version = version + 1, updated_at = ${cx.now}
    where id = ${id}`)
  await cx.tx.run(sql`delete from user_groups where user_id = ${id}`)
  return id
}
