import { randomBytes, randomUUID } from "node:crypto"
import {
  allowedStepDrift,
  isStepUnused,
  readCode,
  recoveryCodeCount,
  stepSeconds,
} from "@milkwood/domain/users/second-factor"
import { sql } from "drizzle-orm"
import { Secret, TOTP } from "otpauth"
import type { App } from "../platform/app.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { keyedHash, openSecret, sealSecret } from "../platform/secrets.ts"
import type { Attempt } from "./attempts.ts"

type CodeCx = Pick<Cx, "app" | "tx" | "now">

const secretPurpose = (userId: string) => `second factor ${userId}`

/** RFC 6238 defaults that every authenticator app reads: SHA-1, six digits, 30 seconds. */
const createTotp = (secret: Secret, issuer?: string, label?: string) =>
  new TOTP({ secret, period: stepSeconds, ...(issuer && { issuer }), ...(label && { label }) })

/** Counted by account over all addresses, because only callers with the password can try codes. */
export const codeAttemptOf = (app: App, userId: string): Attempt => ({
  subject: keyedHash(app, "code attempt", userId),
  address: "second factor",
})

/** Creates an unconfirmed secret, replacing an earlier one. Undefined if the account has a second factor. */
export async function createSecret(
  { app, tx, now }: CodeCx,
  person: { userId: string; email: string },
  organisation: string,
  name: string | null = null,
): Promise<{ id: string; secret: string; address: string } | undefined> {
  const id = randomUUID()
  const secret = new Secret({ size: 20 })
  const kept = await tx.run(sql`
    insert into second_factors as f (user_id, secret, created_at, id, name)
    values (${person.userId}, ${sealSecret(app, secretPurpose(person.userId), secret.base32)}, ${now}, ${id}, ${name})
    on conflict (user_id) do update
      set secret = excluded.secret, created_at = excluded.created_at, last_step = null, id = excluded.id, name = excluded.name
    where f.confirmed_at is null`)
  if (kept === 0) return undefined
  return { id, secret: secret.base32, address: createTotp(secret, organisation, person.email).toString() }
}

/**
 * Accepts a code once: an app code of the current or a neighbouring step and later than the last accepted one, or a
 * recovery code of a confirmed factor. Undefined if invalid.
 */
export async function consumeCode(
  { app, tx, now }: CodeCx,
  userId: string,
  typed: string,
  of: "confirmed" | "unconfirmed" = "confirmed",
): Promise<"app" | "recovery" | undefined> {
  const given = readCode(typed)
  const factor = await tx.row<{ secret: string; lastStep: number | null; isConfirmed: boolean }>(sql`
    select secret, last_step as "lastStep", confirmed_at is not null as "isConfirmed"
    from second_factors where user_id = ${userId} for update`)
  if (!given || !factor || factor.isConfirmed !== (of === "confirmed")) return undefined
  if (given.kind === "recovery") {
    const used = await tx.run(sql`
      update recovery_codes set used_at = ${now}
      where user_id = ${userId} and hash = ${recoveryCodeHashOf(app, userId, given.code)} and used_at is null`)
    return used === 1 ? "recovery" : undefined
  }
  const secret = Secret.fromBase32(openSecret(app, secretPurpose(userId), factor.secret))
  const steps = createTotp(secret).validate({
    token: given.code,
    timestamp: now.epochMilliseconds,
    window: allowedStepDrift,
  })
  if (steps === null) return undefined
  const step = Math.floor(now.epochMilliseconds / 1000 / stepSeconds) + steps
  if (!isStepUnused(step, factor.lastStep)) return undefined
  await tx.run(sql`
    update second_factors set last_step = ${step}, confirmed_at = coalesce(confirmed_at, ${now}) where user_id = ${userId}`)
  return "app"
}

const recoveryCodeHashOf = (app: App, userId: string, code: string) => keyedHash(app, `recovery code ${userId}`, code)

/** Replaces the recovery codes; the database stores hashes. */
export async function createRecoveryCodes({ app, tx }: CodeCx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, createRecoveryCode)
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.run(sql`
    insert into recovery_codes (user_id, hash)
    select ${userId}, unnest(${sql.param(codes.map((code) => recoveryCodeHashOf(app, userId, code)))}::text[])`)
  return codes
}

const recoveryCodeLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** Fifty bits in unambiguous letters. */
const createRecoveryCode = (): string => Array.from(randomBytes(10), (byte) => recoveryCodeLetters[byte % 32]).join("")
