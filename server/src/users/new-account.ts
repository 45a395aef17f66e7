import { randomUUID } from "node:crypto"
import type { Role } from "@milkwood/domain/platform/permission"
import { passwordProblems } from "@milkwood/domain/users/password-policy"
import { sql } from "drizzle-orm"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { violatedConstraint } from "../platform/database/database.ts"
import { holdLock } from "../platform/database/locks.ts"
import { hashPassword } from "./passwords.ts"
import { readEntranceSettings } from "./users.queries.ts"

/** WEAK_PASSWORD with the reasons if the password policy refuses the password. */
export async function checkPassword({ tx }: Pick<Cx, "tx">, password: string, owner: string[]): Promise<void> {
  const { passwordPolicy } = await readEntranceSettings(tx)
  const reasons = passwordProblems(password, passwordPolicy, owner)
  if (reasons.length > 0) throw refused("WEAK_PASSWORD", undefined, { reasons })
}

export async function checkAddressIsFree({ tx }: Pick<Cx, "tx">, email: string): Promise<void> {
  if (await tx.row(sql`select from users where email = ${email}`)) throw refused("USER_ALREADY_REGISTERED")
}

export interface NewUser {
  name: string
  email: string
  password: string
  role: Role | null
  groupIds?: string[]
  /** True if the user opened an e-mailed link, which confirms the address. */
  confirmed: boolean
}

/** Requires a checked address and password. The second of two concurrent calls for one address is refused. */
export async function createUser(cx: Pick<Cx, "tx" | "now">, user: NewUser): Promise<string> {
  const { tx, now } = cx
  // Serialises creations of this account, so that the second finds the first one's row.
  await holdLock(tx, "account", user.email)
  await checkAddressIsFree(cx, user.email)
  try {
    const id = randomUUID()
    await tx.run(sql`
      insert into users (id, name, email, email_verified, role, created_at, updated_at)
      values (${id}, ${user.name}, ${user.email}, ${user.confirmed}, ${user.role}, ${now}, ${now})`)
    await tx.run(sql`
      insert into passwords (user_id, hash, changed_at) values (${id}, ${await hashPassword(user.password)}, ${now})`)
    if (user.groupIds?.length) {
      await tx.run(sql`
        insert into user_groups (user_id, group_id)
        select ${id}, unnest(${sql.param(user.groupIds)}::uuid[])`)
    }
    return id
  } catch (error) {
    if (violatedConstraint(error) === "users_email_key") throw refused("USER_ALREADY_REGISTERED")
    throw error
  }
}
