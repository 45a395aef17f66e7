import { createHash } from "node:crypto"
import { readFile, rename, writeFile } from "node:fs/promises"
import { sql } from "drizzle-orm"
import type { App } from "../app.ts"
import { type Database, isAway, type Tx } from "../database/database.ts"

const lockName = "milkwood audit sealer"
const batch = 5_000
/** A process that hangs while it seals is put out by the database after this, and another goes on. */
export const sealing = { patience: "30s" }

/** The row as it is sealed: every column, in a text that the database writes the same way each time. */
const sealedText = sql`jsonb_build_array(a.id, extract(epoch from a.at)::text, a.actor_id, a.actor_name, a.actor_role, a.request_id, a.fact,
  a.record_kind, a.record_id, a.record_label, a.group_id, a.detail)::text`

const chain = (previous: string, text: string): string =>
  createHash("sha256").update(previous).update("\n").update(text).digest("hex")

interface Seal {
  seq: number
  hash: string
}

/**
 * Chains the audit rows that were committed since the last time. One process at a time; the others find the lock
 * taken. The last seal is also written to a file outside the database, so that cutting off the newest rows shows, and
 * goes on to show whatever happens afterwards.
 */
export async function sealAudit(app: App, sealFile: string): Promise<number> {
  const sealed = await sealNext(app, sealFile)
  if (!sealed) return 0
  const { last, rows, isCutOff } = sealed
  if (isCutOff) {
    app.log.error("the end of the audit trail was cut off: see audit:verify")
    return rows
  }
  // Only after the commit: the file never names a seal that the database does not keep.
  const next = `${sealFile}.${last.seq}`
  await writeFile(next, `${JSON.stringify(last)}\n`, { mode: 0o600, flush: true })
  await rename(next, sealFile)
  return rows
}

/** Undefined when nothing waits, or another process seals. */
function sealNext(app: App, sealFile: string): Promise<{ last: Seal; rows: number; isCutOff: boolean } | undefined> {
  return app.database.transaction("staff", async (tx) => {
    await tx.run(sql.raw(`set local idle_in_transaction_session_timeout = '${sealing.patience}'`))
    const mine = await tx.row<{ taken: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${lockName}, 0)) as taken`,
    )
    if (!mine?.taken) return undefined
    const rows = await tx.rows<{ id: number; text: string }>(sql`
      with next as (
        delete from audit_unsealed where audit_id in (select audit_id from audit_unsealed order by audit_id limit ${batch})
        returning audit_id
      )
      select a.id, ${sealedText} as text from next join audit_log a on a.id = next.audit_id order by a.id`)
    if (rows.length === 0) return undefined
    const kept = await keptSeal(sealFile)
    const stands = kept && (await tx.row<Pick<Seal, "hash">>(sql`select hash from audit_seals where seq = ${kept.seq}`))
    const isCutOff = kept !== undefined && stands?.hash !== kept.hash
    let { seq, hash } = (await lastSeal(tx)) ?? { seq: 0, hash: "" }
    const seals = rows.map((row) => {
      hash = chain(hash, row.text)
      seq += 1
      return { seq, id: row.id, hash }
    })
    await tx.run(sql`
      insert into audit_seals (seq, audit_id, hash, sealed_at)
      select seq, id, hash, ${app.clock.now()}::timestamptz
      from unnest(${sql.param(seals.map((s) => s.seq))}::bigint[], ${sql.param(seals.map((s) => s.id))}::bigint[], ${sql.param(seals.map((s) => s.hash))}::text[]) as t (seq, id, hash)`)
    return { last: { seq, hash }, rows: rows.length, isCutOff }
  })
}

function lastSeal(tx: Tx): Promise<Seal | undefined> {
  return tx.row(sql`select seq, hash from audit_seals order by seq desc limit 1`)
}

/** The seal outside the database, if there is one. */
async function keptSeal(sealFile: string): Promise<Seal | undefined> {
  try {
    return JSON.parse(await readFile(sealFile, "utf8")) as Seal
  } catch {
    return undefined
  }
}

export interface AuditVerdict {
  ok: boolean
  rows: number
  unsealed: number
  /** What is wrong, a sentence each. */
  faults: string[]
}

/** Recomputes the whole chain: finds an edited row, a removed one, and a cut-off end (by the seal kept in the file). */
export async function verifyAudit(database: Database, sealFile: string): Promise<AuditVerdict> {
  const faults: string[] = []
  let rows = 0
  let unsealed = 0
  // Before the seals: a server goes on sealing meanwhile, and the database is never behind the file.
  const kept = await keptSeal(sealFile)
  await database
    .transaction("staff", async (tx) => {
      let hash = ""
      let seq = 0
      for (;;) {
        const part = await tx.rows<{ seq: number; auditId: number; hash: string; text: string | null }>(sql`
        select s.seq, s.audit_id as "auditId", s.hash, ${sealedText} as text, a.id
        from audit_seals s left join audit_log a on a.id = s.audit_id
        where s.seq > ${seq} order by s.seq limit ${batch}`)
        for (const seal of part) {
          if (seal.seq !== seq + 1) faults.push(`Seals ${seq + 1} to ${seal.seq - 1} are missing.`)
          if (seal.text === null || (seal as unknown as { id: number | null }).id === null)
            faults.push(`Audit row ${seal.auditId} was removed.`)
          else if (chain(hash, seal.text) !== seal.hash)
            faults.push(`Audit row ${seal.auditId} or its seal was edited.`)
          if (seal.seq === kept?.seq && seal.hash !== kept.hash)
            faults.push(`Seal ${seal.seq} is not the one that was made.`)
          hash = seal.hash
          seq = seal.seq
          rows++
        }
        if (part.length < batch) break
      }
      if (kept && kept.seq > seq)
        faults.push(`The trail was cut off: it ends at seal ${seq}, and seal ${kept.seq} had been made.`)
      unsealed = (await tx.row<{ n: number }>(
        sql`select count(*) as n from audit_log a where not exists (select from audit_seals s where s.audit_id = a.id)`,
      ))!.n
    })
    .catch((error) => {
      if (isAway(error)) throw new Error("The database cannot be reached.", { cause: error })
      throw error
    })
  return { ok: faults.length === 0, rows, unsealed, faults }
}
