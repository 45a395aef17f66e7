import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { revokeLinks } from "./account-links.ts"

/** Each hash records its cost, so that this can be raised later. Only tests lower it. */
export const hashing = { cost: 2 ** 14, blockSize: 16 }

const keyLength = 64

function derive(password: string, salt: Buffer, cost: number, blockSize: number): Promise<Buffer> {
  const options: ScryptOptions = { N: cost, r: blockSize, p: 1, maxmem: 256 * cost * blockSize }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, keyLength, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

/** `scrypt:cost:blockSize:salt:key`, salt and key in base64. Runs in the thread pool. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, hashing.cost, hashing.blockSize)
  return ["scrypt", hashing.cost, hashing.blockSize, salt.toString("base64"), key.toString("base64")].join(":")
}

export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [scheme, cost, blockSize, salt, key] = hash.split(":")
  if (scheme !== "scrypt" || !salt || !key) throw new Error("a stored password hash has an unknown format")
  const expected = Buffer.from(key, "base64")
  const found = await derive(password, Buffer.from(salt, "base64"), Number(cost), Number(blockSize))
  return expected.length === found.length && timingSafeEqual(expected, found)
}

type Work = Pick<Cx, "tx" | "now">

/** Also revokes the links that could set the password. The caller ends the sessions (`endSessions`). */
export async function setPassword({ tx, now }: Work, userId: string, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await tx.run(sql`select from users where id = ${userId} for no key update`)
  await revokeLinks({ tx, now }, userId, "password_reset")
  await tx.run(sql`update passwords set hash = ${hash}, changed_at = ${now} where user_id = ${userId}`)
}

export async function isPassword({ tx }: Pick<Work, "tx">, userId: string, password: string): Promise<boolean> {
  const stored = await tx.row<{ hash: string }>(sql`select hash from passwords where user_id = ${userId}`)
  return stored !== undefined && (await verifyPassword(stored.hash, password))
}
