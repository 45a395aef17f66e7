import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "./database.ts"

/** Seeds of PostgreSQL advisory locks; they keep equal names of different kinds apart. */
const lockSeeds = {
  attemptsOfSubject: 0,
  attemptsFromAddress: 1,
  account: 2,
  setup: 3,
  settings: 4,
  invitations: 5,
  savedViews: 6,
  job: 7,
  sealer: 8,
  receiptNumber: 9,
  premiumMail: 10,
  bankAccounts: 11,
  bankLine: 12,
  signingKeys: 13,
  webhookAttempts: 14,
  memberCover: 16,
  childCover: 17,
  // A database function also takes this lock (0191_closed_months.sql).
  books: 19,
  startingSet: 20,
} as const

type LockKind = keyof typeof lockSeeds

/** Arbitrary numbers, the same in every process. Held while a database is migrated, filled with the demo, or served. */
export const migrationLock = 20_261_121
export const demoLock = 20_261_122
export const serverLock = 20_261_123
export const installationLock = 20_261_124

const lockKey = (held: LockKind, name: string | SQL): SQL =>
  sql`hashtextextended(${name}, ${sql.raw(String(lockSeeds[held]))})`

/** Waits for the lock and holds it until the transaction ends. */
export async function holdLock(tx: Tx, held: LockKind, name: string | SQL = ""): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${lockKey(held, name)})`)
}

export async function tryLock(tx: Tx, held: LockKind): Promise<boolean> {
  const found = await tx.row<{ held: boolean }>(sql`select pg_try_advisory_xact_lock(${lockKey(held, "")}) as held`)
  return found!.held
}

/** `$1` is the job's id as text; a connection holds it. */
export const jobLock = `hashtextextended($1, ${lockSeeds.job})`
