import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { revokeLinks } from "./account-links.ts"

/** Each hash records its cost, so that this can be raised later. Only tests lower it. */
export const scryptParameters = { cost: 2 ** 14, blockSize: 16 }

const keyLength = 64

function deriveKey(password: string, salt: Buffer, cost: number, blockSize: number): Promise<Buffer> {
  const options: ScryptOptions = { N: cost, r: blockSize, p: 1, maxmem: 256 * cost * blockSize }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, keyLength, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

/** `scrypt:cost:blockSize:salt:key`, salt and key in base64. Runs in the thread pool. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, scryptParameters.cost, scryptParameters.blockSize)
  return [
    "scrypt",
    scryptParameters.cost,
    scryptParameters.blockSize,
    salt.toString("base64"),
    key.toString("base64"),
  ].join(":")
}

export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [scheme, cost, blockSize, salt, key] = hash.split(":")
  if (scheme !== "scrypt" || !salt || !key) throw new Error("a stored password hash has an unknown format")
  const expected = Buffer.from(key, "base64")
  const found = await deriveKey(password, Buffer.from(salt, "base64"), Number(cost), Number(blockSize))
  return expected.length === found.length && timingSafeEqual(expected, found)
}

type PasswordCx = Pick<Cx, "tx" | "now">

/** Also revokes the links that could set the password. The caller ends the sessions (`endSessions`). */
export async function setPassword({ tx, now }: PasswordCx, userId: string, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await tx.run(sql`select from users where id = ${userId} for no key update`)
  await revokeLinks({ tx, now }, userId, "password_reset")
  await tx.run(sql`update passwords set hash = ${hash}, changed_at = ${now} where user_id = ${userId}`)
}

export async function isCurrentPassword(
  { tx }: Pick<PasswordCx, "tx">,
  userId: string,
  password: string,
): Promise<boolean> {
  const stored = await tx.row<{ hash: string }>(sql`select hash from passwords where user_id = ${userId}`)
  return stored !== undefined && (await verifyPassword(stored.hash, password))
}
