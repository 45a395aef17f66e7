import { sql } from "drizzle-orm"
import type { Cx } from "../../platform/calls/commands.ts"
import type { Tx } from "../../platform/database/database.ts"
import { audience } from "./access-tokens.ts"
import { userMissingProblem } from "./problems.ts"

interface FactorRow {
  id: string
  name: string | null
  createdAt: string
  confirmedAt: string | null
}

export interface Factor {
  id: string
  friendly_name?: string
  factor_type: "totp"
  status: "verified" | "unverified"
  created_at: string
  updated_at: string
}

/** At most one. */
export async function readFactorsOf(tx: Tx, userId: string): Promise<Factor[]> {
  const rows = await tx.rows<FactorRow>(sql`
    select id, name, created_at as "createdAt", confirmed_at as "confirmedAt" from second_factors where user_id = ${userId}`)
  return rows.map(({ id, name, createdAt, confirmedAt }) => ({
    id,
    ...(name !== null && { friendly_name: name }),
    factor_type: "totp",
    status: confirmedAt === null ? "unverified" : "verified",
    created_at: createdAt,
    updated_at: confirmedAt ?? createdAt,
  }))
}

interface AccountRow {
  id: string
  name: string
  email: string
  isConfirmed: boolean
  confirmedAt: string | null
  lastSignInAt: string | null
  createdAt: string
  updatedAt: string
  newEmail: string | null
}

/** The account in the protocol's shape. The product's role is in `/api/v1/users/me`. */
export async function readAccount({ tx, now }: Pick<Cx, "tx" | "now">, userId: string) {
  const row = await tx.row<AccountRow>(sql`
    select u.id, u.name, u.email, u.email_verified as "isConfirmed", u.last_sign_in_at as "lastSignInAt",
      u.created_at as "createdAt", u.updated_at as "updatedAt",
      (select max(l.used_at) from account_links l where l.user_id = u.id
        and l.kind in ('confirmation', 'email_change', 'password_reset')) as "confirmedAt",
      (select l.email from account_links l where l.user_id = u.id and l.kind = 'email_change'
        and l.used_at is null and l.revoked_at is null and l.expires_at > ${now} order by l.created_at desc limit 1) as "newEmail"
    from users u where u.id = ${userId}`)
  if (!row) throw userMissingProblem()
  const { id, email, name, isConfirmed, createdAt, updatedAt } = row
  // Accepting an invitation also confirmed the address.
  const confirmedAt = isConfirmed ? (row.confirmedAt ?? createdAt) : undefined
  const lastSignIn = row.lastSignInAt === null ? {} : { last_sign_in_at: row.lastSignInAt }
  const written = { created_at: createdAt, updated_at: updatedAt }
  const data = { email, email_verified: isConfirmed, full_name: name }
  return {
    id,
    aud: audience,
    role: audience,
    email,
    ...(confirmedAt && { email_confirmed_at: confirmedAt, confirmed_at: confirmedAt }),
    ...(row.newEmail !== null && { new_email: row.newEmail }),
    ...lastSignIn,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: data,
    identities: [
      {
        identity_id: id,
        id,
        user_id: id,
        identity_data: { ...data, sub: id },
        provider: "email",
        ...lastSignIn,
        ...written,
      },
    ],
    factors: await readFactorsOf(tx, id),
    ...written,
    is_anonymous: false,
  }
}
export type Account = Awaited<ReturnType<typeof readAccount>>
