import { createHash } from "node:crypto"
import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { sql } from "drizzle-orm"
import type { App } from "../app.ts"
import { type Database, isDatabaseUnavailable, type Tx } from "../database/database.ts"
import { tryLock } from "../database/locks.ts"

export const sealBatchLimits = { batch: 5_000, patience: "30s" }

export function sealFileOf({ data }: App): string {
  if (!data) throw new Error("the seal file is in the data folder")
  return join(data.folder, "audit-seal.json")
}

/** The sealed text of a row: every column, in a stable format. */
const sealedText = sql`jsonb_build_array(a.id, extract(epoch from a.at)::text, a.actor_id, a.actor_name, a.actor_role, a.request_id, a.fact,
  a.record_kind, a.record_id, a.record_label, a.group_id, a.detail)::text`

const chainHash = (previous: string, text: string): string =>
  createHash("sha256").update(previous).update("\n").update(text).digest("hex")

interface Seal {
  seq: number
  hash: string
}

/**
 * Chains the audit rows committed since the last run. One process at a time; others find the lock taken. The last seal
 * is also written to a file outside the database, so that cutting off the newest rows is detected. A missing or damaged
 * file is not regenerated, because rows may have been cut off (see `createSealFile`).
 */
export async function sealAudit(app: App, sealFile: string, signal?: AbortSignal): Promise<number> {
  let rows = 0
  for (;;) {
    const sealed = await sealNext(app, sealFile)
    if (!sealed) return rows
    rows += sealed.rows
    if (sealed.fault) app.log.error(`${sealed.fault}: see audit:verify`)
    else await writeSeal(sealFile, sealed.last)
    if (sealed.rows < sealBatchLimits.batch || signal?.aborted) return rows
  }
}

async function writeSeal(sealFile: string, seal: Seal): Promise<void> {
  const next = `${sealFile}.${seal.seq}`
  await writeFile(next, `${JSON.stringify(seal)}\n`, { mode: 0o600, flush: true })
  await rename(next, sealFile)
}

function sealNext(app: App, sealFile: string): Promise<{ last: Seal; rows: number; fault?: string } | undefined> {
  return app.database.transaction("jobs", async (tx) => {
    await tx.run(sql.raw(`set local idle_in_transaction_session_timeout = '${sealBatchLimits.patience}'`))
    if (!(await tryLock(tx, "sealer"))) return undefined
    const rows = await tx.rows<{ id: number; text: string }>(sql`
      with next as (
        delete from audit_unsealed where audit_id in (select audit_id from audit_unsealed order by audit_id limit ${sealBatchLimits.batch})
        returning audit_id
      )
      select a.id, ${sealedText} as text from next join audit_log a on a.id = next.audit_id order by a.id`)
    const kept = await readStoredSeal(sealFile)
    const last = await readLastSeal(tx)
    // Without new rows the file can still be out of date: after a crash before it was written, or a restored backup.
    if (rows.length === 0 && (!last || kept.state !== "kept" || kept.seal.seq >= last.seq)) return undefined
    const fault = await findSealFault(tx, kept, last)
    let { seq, hash } = last ?? { seq: 0, hash: "" }
    const seals = rows.map((row) => {
      hash = chainHash(hash, row.text)
      seq += 1
      return { seq, id: row.id, hash }
    })
    if (rows.length === 0) return fault ? undefined : { last: { seq, hash }, rows: 0 }
    await tx.run(sql`
      insert into audit_seals (seq, audit_id, hash, sealed_at)
      select seq, id, hash, ${app.clock.now()}::timestamptz
      from unnest(${sql.param(seals.map((s) => s.seq))}::bigint[], ${sql.param(seals.map((s) => s.id))}::bigint[], ${sql.param(seals.map((s) => s.hash))}::text[]) as t (seq, id, hash)`)
    return { last: { seq, hash }, rows: rows.length, ...(fault && { fault }) }
  })
}

function readLastSeal(tx: Tx): Promise<Seal | undefined> {
  return tx.row(sql`select seq, hash from audit_seals order by seq desc limit 1`)
}

type StoredSeal = { state: "kept"; seal: Seal } | { state: "missing" | "damaged" }

async function readStoredSeal(sealFile: string): Promise<StoredSeal> {
  let text: string
  try {
    text = await readFile(sealFile, "utf8")
  } catch (error) {
    return { state: (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "damaged" }
  }
  try {
    const { seq, hash } = JSON.parse(text) as Seal
    if (Number.isSafeInteger(seq) && /^[0-9a-f]{64}$/.test(hash)) return { state: "kept", seal: { seq, hash } }
  } catch {}
  return { state: "damaged" }
}

/**
 * When a migration last resealed the trail. This database entry does not excuse a file that does not match the chain:
 * an operator must check and regenerate it.
 */
async function readLastResealAt(tx: Tx): Promise<string | undefined> {
  return (await tx.row<{ at: string }>(sql`select max(at) as at from audit_reseals having max(at) is not null`))?.at
}

async function findSealFault(tx: Tx, kept: StoredSeal, last: Seal | undefined): Promise<string | undefined> {
  if (kept.state !== "kept") return last ? `the seal file of the audit trail is ${kept.state}` : undefined
  const stands = await tx.row<Pick<Seal, "hash">>(sql`select hash from audit_seals where seq = ${kept.seal.seq}`)
  if (stands?.hash === kept.seal.hash) return undefined
  return (await readLastResealAt(tx)) === undefined
    ? "the end of the audit trail was cut off"
    : "the seal file belongs to another chain than the resealed audit trail"
}

/**
 * Regenerates the seal file, for an operator who has no copy and whose chain is intact. Earlier cut-offs can no longer
 * be detected.
 */
export async function createSealFile(database: Database, sealFile: string): Promise<void> {
  const last = await database.transaction("jobs", readLastSeal)
  if (last) await writeSeal(sealFile, last)
}

export interface AuditVerdict {
  ok: boolean
  rows: number
  until: string | null
  unsealed: number
  oldestUnsealed: string | null
  faults: string[]
  /** Whether the only fault is a seal file that is missing, damaged, or older than a reseal. */
  canRegenerateSealFile: boolean
}

/**
 * Recomputes the whole chain. Detects edited, removed and unsealed rows. The file's seal reveals a cut-off end;
 * accounts and ledger reveal a trail removed as a whole.
 */
export async function verifyAudit(database: Database, sealFile: string): Promise<AuditVerdict> {
  const kept = await readStoredSeal(sealFile)
  try {
    const walked = await database.transaction("jobs", (tx) => walkChain(tx, kept))
    const wrongFile = walked.faults.length > 0 ? [] : await findSealFileProblems(kept, walked, sealFile)
    const faults = [...walked.faults, ...wrongFile]
    return {
      ok: faults.length === 0,
      rows: walked.rows,
      until: walked.until,
      unsealed: walked.unsealed,
      oldestUnsealed: walked.oldestUnsealed,
      faults,
      canRegenerateSealFile: wrongFile.length > 0 && (kept.state !== "kept" || walked.otherChain !== undefined),
    }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw new Error("The database cannot be reached.", { cause: error })
    throw error
  }
}

/** Maximum milliseconds between the commit of a seal and its file. Tests change it. */
export const sealFileLag = { withinMs: 5_000 }

async function findSealFileProblems(
  kept: StoredSeal,
  { began: seals, otherChain }: Pick<Awaited<ReturnType<typeof walkChain>>, "began" | "otherChain">,
  sealFile: string,
): Promise<string[]> {
  if (otherChain)
    return [
      `The seal file ${sealFile} belongs to another chain. The audit trail records that it was resealed at ${otherChain}. If an update of this installation did this, create the seal file again. Otherwise rows may have been cut off.`,
    ]
  if (seals === 0) return []
  if (kept.state !== "kept")
    return [
      `The seal file ${sealFile} is ${kept.state}, but ${seals} seals exist: rows cut off since then cannot be detected.`,
    ]
  const until = performance.now() + sealFileLag.withinMs
  for (let now: StoredSeal = kept; ; now = await readStoredSeal(sealFile)) {
    if (now.state === "kept" && now.seal.seq >= seals) return []
    if (performance.now() < until) await setTimeout(50)
    else {
      const named = now.state === "kept" ? now.seal.seq : kept.seal.seq
      return [
        `The seal file ${sealFile} of the audit trail is out of date: it ends at seal ${named} of ${seals}. The server updates it while it runs.`,
      ]
    }
  }
}

interface WalkedSeal {
  seq: number
  auditId: number
  id: number | null
  at: string | null
  hash: string
  text: string
}

async function walkChain(tx: Tx, file: StoredSeal) {
  const kept = file.state === "kept" ? file.seal : undefined
  const began = (await readLastSeal(tx))?.seq ?? 0
  const faults: string[] = []
  const ofFile: string[] = []
  let rows = 0
  let hash = ""
  let seq = 0
  let until: string | null = null
  let isWhole = true
  for (;;) {
    const part = await tx.rows<WalkedSeal>(sql`
      select s.seq, s.audit_id as "auditId", s.hash, ${sealedText} as text, a.id, a.at
      from audit_seals s left join audit_log a on a.id = s.audit_id
      where s.seq > ${seq} order by s.seq limit ${sealBatchLimits.batch}`)
    for (const seal of part) {
      if (seal.seq !== seq + 1) faults.push(`Seals ${seq + 1} to ${seal.seq - 1} are missing.`)
      if (seal.id === null) faults.push(`Audit row ${seal.auditId} was removed.`)
      else if (chainHash(hash, seal.text) !== seal.hash)
        faults.push(`Audit row ${seal.auditId} or its seal was edited.`)
      if (seal.seq === kept?.seq && seal.hash !== kept.hash) ofFile.push(`Seal ${seal.seq} differs from the seal file.`)
      isWhole &&= faults.length === 0 && ofFile.length === 0
      if (isWhole) until = seal.at
      hash = seal.hash
      seq = seal.seq
      rows++
    }
    if (part.length < sealBatchLimits.batch) break
  }
  if (kept && kept.seq > seq)
    ofFile.push(`The trail was cut off: it ends at seal ${seq}, but seal ${kept.seq} existed.`)
  const otherChain = ofFile.length > 0 ? await readLastResealAt(tx) : undefined
  if (otherChain === undefined) faults.push(...ofFile)
  const waiting = (await tx.row<{ unsealed: number; oldestUnsealed: string | null; lost: number[] | null }>(sql`
    select count(*) as unsealed, min(a.at) as "oldestUnsealed",
      array_agg(a.id order by a.id) filter (where u.audit_id is null) as lost
    from audit_log a left join audit_unsealed u on u.audit_id = a.id
    where not exists (select from audit_seals s where s.audit_id = a.id)`))!
  for (const id of waiting.lost?.slice(0, 20) ?? [])
    faults.push(`Audit row ${id} has no seal and is not queued for one.`)
  faults.push(...(await findMissingBeginning(tx)))
  return { began, otherChain, faults, rows, until, unsealed: waiting.unsealed, oldestUnsealed: waiting.oldestUnsealed }
}

/**
 * The first account and every ledger entry are audited when created. A trail that is empty or begins later was
 * therefore removed, with its seals and seal file.
 */
async function findMissingBeginning(tx: Tx): Promise<string[]> {
  const { first, accounts, entries, posted } = (await tx.row<{
    first: string | null
    accounts: number
    entries: boolean
    posted: string | null
  }>(sql`
    select (select min(at) from audit_log) as first, (select count(*) from users) as accounts,
      exists (select from ledger_entries) as entries,
      (select min(posted_at) from ledger_entries
        where posted_at < coalesce((select min(at) from audit_log), 'infinity')) as posted`))!
  if (first === null) {
    const there = [...(accounts > 0 ? ["accounts"] : []), ...(entries ? ["ledger entries"] : [])].join(" and ")
    return there === "" ? [] : [`The audit trail is empty, but there are ${there}: its rows and seals were removed.`]
  }
  return posted === null
    ? []
    : [`The audit trail begins at ${first}, but the ledger at ${posted}: earlier rows were removed.`]
}
