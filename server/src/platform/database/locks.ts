import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "./database.ts"

/** Everything that is held by an advisory lock of PostgreSQL: the seeds keep apart what may have the same name. */
const seeds = {
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
  webhookTries: 14,
  // The database takes it by its number, and nobody else (0427_shared_id_numbers.sql).
  sharedIdNumbers: 15,
  memberCover: 16,
  // The database takes it by its number as well (0191_closed_months.sql).
  books: 19,
} as const

type Held = keyof typeof seeds

/** Any numbers, the same in every process: held by a connection while a database is migrated, filled with the demo, or served. */
export const migrationLock = 20_261_121
export const demoLock = 20_261_122
export const serverLock = 20_261_123
export const installationLock = 20_261_124

const key = (held: Held, name: string | SQL): SQL => sql`hashtextextended(${name}, ${sql.raw(String(seeds[held]))})`

/** Waits for whoever holds it, then holds it to the end of the transaction. */
export async function holdLock(tx: Tx, held: Held, name: string | SQL = ""): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${key(held, name)})`)
}

/** Holds it to the end of the transaction, unless somebody else does. */
export async function tryLock(tx: Tx, held: Held): Promise<boolean> {
  const found = await tx.row<{ held: boolean }>(sql`select pg_try_advisory_xact_lock(${key(held, "")}) as held`)
  return found!.held
}

/** The lock of a job, of whose id `$1` is the text; held by a connection. */
export const jobLock = `hashtextextended($1, ${seeds.job})`
