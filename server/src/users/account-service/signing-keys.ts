import { randomUUID } from "node:crypto"
import { keyPlan } from "@milkwood/domain/users/account-service"
import { sql } from "drizzle-orm"
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose"
import type { App } from "../../platform/app.ts"
import type { Tx } from "../../platform/database/database.ts"
import { holdLock } from "../../platform/database/locks.ts"
import { openSecret, sealSecret } from "../../platform/secrets.ts"

/** ECDSA on P-256: supported by every client of the protocol. */
export const algorithm = "ES256"

/** How long a process caches the keys; a new key is published long before it signs. */
const keyCacheMs = 60_000
/** At most one reload per this time for tokens with unknown keys. */
const minReloadMs = 5_000
/** Keys sealed in another data folder cannot be opened, and are deleted after this. */
const unreadableKeyDays = 90

interface Key {
  id: string
  signsFrom: Temporal.Instant
  published: JWK
  verifies: CryptoKey
  /** Undefined if sealed in another data folder. */
  signs: CryptoKey | undefined
}

const about = (id: string) => `signing key ${id}`
const known = new WeakMap<App, { keys: Promise<Key[]>; readAt: number }>()

async function readKeys(app: App, tx: Tx): Promise<Key[]> {
  const rows = await tx.rows<{ id: string; publicKey: JWK; privateKey: string; signsFrom: string }>(sql`
    select id, public_key as "publicKey", private_key as "privateKey", signs_from as "signsFrom" from signing_keys`)
  return Promise.all(
    rows.map(async ({ id, publicKey, privateKey, signsFrom }) => ({
      id,
      signsFrom: Temporal.Instant.from(signsFrom),
      published: { ...publicKey, kid: id, alg: algorithm, use: "sig", key_ops: ["verify"] },
      verifies: (await importJWK(publicKey, algorithm)) as CryptoKey,
      signs: await opened(app, id, privateKey),
    })),
  )
}

async function opened(app: App, id: string, sealed: string): Promise<CryptoKey | undefined> {
  let secret: string
  try {
    secret = openSecret(app, about(id), sealed)
  } catch {
    return undefined
  }
  return (await importJWK(JSON.parse(secret), algorithm)) as CryptoKey
}

function cachedKeys(app: App, olderThanMs = keyCacheMs): Promise<Key[]> {
  const before = known.get(app)
  if (before && performance.now() - before.readAt < olderThanMs) return before.keys
  return remember(app, readKeys(app, app.database.direct("auth")))
}

function remember(app: App, keys: Promise<Key[]>): Promise<Key[]> {
  const entry = { keys, readAt: performance.now() }
  known.set(app, entry)
  // The next caller retries after a failure.
  keys.catch(() => known.get(app) === entry && known.delete(app))
  return keys
}

const openedOf = (keys: Key[]) => keys.filter(({ signs }) => signs !== undefined)

/** Creates the next signing key and deletes keys without valid signatures. One process at a time. */
async function renewKeys(app: App): Promise<Key[]> {
  const now = app.clock.now()
  return app.database.transaction("auth", async (tx) => {
    await holdLock(tx, "signingKeys")
    const opened = openedOf(await readKeys(app, tx))
    const { makeFrom, drop } = keyPlan(opened, now)
    if (makeFrom) {
      const id = randomUUID()
      const made = await generateKeyPair(algorithm, { extractable: true })
      const secret = JSON.stringify(await exportJWK(made.privateKey))
      await tx.run(sql`
        insert into signing_keys (id, public_key, private_key, signs_from, created_at)
        values (${id}, ${JSON.stringify(await exportJWK(made.publicKey))}::jsonb,
          ${sealSecret(app, about(id), secret)}, ${makeFrom}, ${now})`)
    }
    await tx.run(sql`
      delete from signing_keys where id = any (${sql.param(drop.map(({ id }) => id))}::uuid[])
        or signs_from < ${now.subtract({ hours: unreadableKeyDays * 24 })} and id <> all (${sql.param(opened.map(({ id }) => id))}::uuid[])`)
    return readKeys(app, tx)
  })
}

async function currentKeys(app: App): Promise<Key[]> {
  const keys = await cachedKeys(app)
  const { makeFrom, drop } = keyPlan(openedOf(keys), app.clock.now())
  return makeFrom || drop.length > 0 ? remember(app, renewKeys(app)) : keys
}

/** Call it before a transaction: it may create the key in its own transaction. */
export async function signingKey(app: App): Promise<{ id: string; key: CryptoKey }> {
  const { signs } = keyPlan(openedOf(await currentKeys(app)), app.clock.now())
  return { id: signs!.id, key: signs!.signs! }
}

/** The public key with this id, or undefined. */
export async function verifyingKey(app: App, id: string): Promise<CryptoKey | undefined> {
  const find = (keys: Key[]) => keys.find((key) => key.id === id)?.verifies
  return find(await cachedKeys(app)) ?? find(await cachedKeys(app, minReloadMs))
}

/** The public keys that sign now or soon, and those with valid tokens. */
export async function publishedKeys(app: App): Promise<{ keys: JWK[] }> {
  const keys = await currentKeys(app)
  return { keys: keys.map(({ published }) => published) }
}
