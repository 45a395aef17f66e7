import { randomUUID } from "node:crypto"
import { planKeys } from "@milkwood/domain/users/account-service"
import { sql } from "drizzle-orm"
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose"
import type { App } from "../../platform/app.ts"
import type { Tx } from "../../platform/database/database.ts"
import { holdLock } from "../../platform/database/locks.ts"
import { openSecret, sealSecret } from "../../platform/secrets.ts"

/** ECDSA on P-256: supported by every client of the protocol. */
export const algorithm = "ES256"

/** Lifetime of the keys in a process's cache; new keys are published long before they sign. */
const keyCacheMs = 60_000
/** Minimum interval between reloads for tokens with unknown keys. */
const minReloadMs = 5_000
/** Days until keys encrypted in another data folder, which cannot be decrypted, are deleted. */
const unreadableKeyRetentionDays = 90

interface Key {
  id: string
  signsFrom: Temporal.Instant
  published: JWK
  verifies: CryptoKey
  /** Undefined if the key was encrypted in another data folder. */
  signs: CryptoKey | undefined
}

const keyPurpose = (id: string) => `signing key ${id}`
const keyCache = new WeakMap<App, { keys: Promise<Key[]>; readAt: number }>()

async function readKeys(app: App, tx: Tx): Promise<Key[]> {
  const rows = await tx.rows<{ id: string; publicKey: JWK; privateKey: string; signsFrom: string }>(sql`
    select id, public_key as "publicKey", private_key as "privateKey", signs_from as "signsFrom" from signing_keys`)
  return Promise.all(
    rows.map(async ({ id, publicKey, privateKey, signsFrom }) => ({
      id,
      signsFrom: Temporal.Instant.from(signsFrom),
      published: { ...publicKey, kid: id, alg: algorithm, use: "sig", key_ops: ["verify"] },
      verifies: (await importJWK(publicKey, algorithm)) as CryptoKey,
      signs: await openPrivateKey(app, id, privateKey),
    })),
  )
}

async function openPrivateKey(app: App, id: string, sealed: string): Promise<CryptoKey | undefined> {
  let secret: string
  try {
    secret = openSecret(app, keyPurpose(id), sealed)
  } catch {
    return undefined
  }
  return (await importJWK(JSON.parse(secret), algorithm)) as CryptoKey
}

function readCachedKeys(app: App, olderThanMs = keyCacheMs): Promise<Key[]> {
  const before = keyCache.get(app)
  if (before && performance.now() - before.readAt < olderThanMs) return before.keys
  return cacheKeys(app, readKeys(app, app.database.direct("auth")))
}

function cacheKeys(app: App, keys: Promise<Key[]>): Promise<Key[]> {
  const entry = { keys, readAt: performance.now() }
  keyCache.set(app, entry)
  // A failed read is not cached, so that the next caller retries.
  keys.catch(() => keyCache.get(app) === entry && keyCache.delete(app))
  return keys
}

const openKeysOf = (keys: Key[]) => keys.filter(({ signs }) => signs !== undefined)

/** Creates the next signing key and deletes keys without valid signatures. One process at a time. */
async function renewKeys(app: App): Promise<Key[]> {
  const now = app.clock.now()
  return app.database.transaction("auth", async (tx) => {
    await holdLock(tx, "signingKeys")
    const opened = openKeysOf(await readKeys(app, tx))
    const { makeFrom, drop } = planKeys(opened, now)
    if (makeFrom) {
      const id = randomUUID()
      const made = await generateKeyPair(algorithm, { extractable: true })
      const secret = JSON.stringify(await exportJWK(made.privateKey))
      await tx.run(sql`
        insert into signing_keys (id, public_key, private_key, signs_from, created_at)
        values (${id}, ${JSON.stringify(await exportJWK(made.publicKey))}::jsonb,
          ${sealSecret(app, keyPurpose(id), secret)}, ${makeFrom}, ${now})`)
    }
    await tx.run(sql`
      delete from signing_keys where id = any (${sql.param(drop.map(({ id }) => id))}::uuid[])
        or signs_from < ${now.subtract({ hours: unreadableKeyRetentionDays * 24 })} and id <> all (${sql.param(opened.map(({ id }) => id))}::uuid[])`)
    return readKeys(app, tx)
  })
}

async function readCurrentKeys(app: App): Promise<Key[]> {
  const keys = await readCachedKeys(app)
  const { makeFrom, drop } = planKeys(openKeysOf(keys), app.clock.now())
  return makeFrom || drop.length > 0 ? cacheKeys(app, renewKeys(app)) : keys
}

/** Call it before a transaction: it may create the key in its own transaction. */
export async function signingKey(app: App): Promise<{ id: string; key: CryptoKey }> {
  const { signs } = planKeys(openKeysOf(await readCurrentKeys(app)), app.clock.now())
  return { id: signs!.id, key: signs!.signs! }
}

/** The public key with this id, or undefined. */
export async function verifyingKey(app: App, id: string): Promise<CryptoKey | undefined> {
  const find = (keys: Key[]) => keys.find((key) => key.id === id)?.verifies
  return find(await readCachedKeys(app)) ?? find(await readCachedKeys(app, minReloadMs))
}

/** The public keys that sign now or soon, and those with valid tokens. */
export async function publishedKeys(app: App): Promise<{ keys: JWK[] }> {
  const keys = await readCurrentKeys(app)
  return { keys: keys.map(({ published }) => published) }
}
