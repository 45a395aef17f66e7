import { randomUUID } from "node:crypto"
import { Readable } from "node:stream"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { personFileKeptDays } from "@milkwood/domain/privacy/person-file"
import { type PersonFile, type PersonFiles, privacyContract } from "@milkwood/domain/privacy/privacy.contract"
import { sql } from "drizzle-orm"
import { recordOpeningsOfMember } from "../claims/document-openings.ts"
import { download } from "../http/download.ts"
import { type HttpRoute, uuidOrNotFound } from "../http/file-route.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, query, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { isDiskFull, sqlState } from "../platform/database/database.ts"
import type { ReceivedFile } from "../platform/files/files.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { isInfrastructureUnavailable, job, startJob } from "../platform/work/jobs.ts"
import { requireUser } from "../users/sessions.ts"
import { type ArchiveContents, streamPersonArchive } from "./person-archive.ts"

const jobKind = "privacy.personFile"
const maxArchiveBytes = 8 * 1024 ** 3

interface PersonMember {
  id: string
  groupId: string
  number: string
  name: string
}

const readMemberOf = ({ tx }: Pick<Cx, "tx">, memberId: string) =>
  tx.row<PersonMember>(sql`
    select id, group_id as "groupId", number, first_name || ' ' || last_name as name from members where id = ${memberId}`)

const factHeadOf = ({ id, number }: Pick<PersonMember, "id" | "number">) => ({
  record: { kind: "member" as const, id, label: number },
  groupId: null,
})

async function readPersonFiles(cx: Pick<Cx, "tx">, memberId: string): Promise<PersonFiles> {
  const member = await readMemberOf(cx, memberId)
  if (!member) throw refused("NOT_FOUND", "This member does not exist.")
  const rows = await cx.tx.rows<Omit<PersonFile, "allowedActions">>(sql`
    select f.id, f.state, u.name as "askedBy", f.asked_at as "askedAt", f.finished_at as "finishedAt", f.size, f.sha256, f.message,
      f.job_id as "jobId"
    from person_files f join users u on u.id = f.asked_by where f.member_id = ${memberId} order by f.asked_at desc, f.id limit 50`)
  const { id, number, name } = member
  return {
    member: { id, number, name },
    files: rows.map((row) => ({ ...row, allowedActions: row.state === "made" ? ["download"] : [] })),
  }
}

export const listPersonFiles = query(privacyContract.personFiles, (cx) => readPersonFiles(cx, cx.input.memberId))

export const requestPersonFile = command(privacyContract.makePersonFile, async (cx) => {
  expectProof(cx)
  const { memberId } = cx.input
  const member = await readMemberOf(cx, memberId)
  if (!member) throw refused("NOT_FOUND", "This member does not exist.")
  const id = randomUUID()
  const jobId = await startJob(cx, {
    kind: jobKind,
    label: `Everything recorded about ${member.number}`,
    payload: { fileId: id },
    resultPath: `/settings/about/${memberId}`,
  })
  const begun = await cx.tx.run(sql`
    insert into person_files (id, group_id, member_id, job_id, asked_by, asked_at)
    values (${id}, ${member.groupId}, ${memberId}, ${jobId}, ${actorUserId(cx.actor)}, ${cx.now}) on conflict do nothing`)
  if (begun === 0) throw refused("UNDERWAY")
  await record(cx, [{ type: "PersonFileAsked", ...factHeadOf(member) }])
  return readPersonFiles(cx, memberId)
})

interface PersonFileTask extends PersonMember {
  memberId: string
  state: string
  askedBy: string
  askedAt: string
}

const readPersonFileTask = (cx: Cx, fileId: string) =>
  cx.tx.row<PersonFileTask>(sql`
    select f.state, f.member_id as "memberId", m.id, m.group_id as "groupId", m.number, m.first_name || ' ' || m.last_name as name,
      u.name as "askedBy", f.asked_at as "askedAt"
    from person_files f join members m on m.id = f.member_id join users u on u.id = f.asked_by where f.id = ${fileId}`)

/** Reads one snapshot. Restarts from the beginning after a crash. */
export const makePersonFile = job<{ fileId: string }>(
  jobKind,
  async ({ app, jobId, signal, payload: { fileId }, transaction, complete }) => {
    const making = await transaction((cx) => readPersonFileTask(cx, fileId))
    if (making?.state !== "making") return {}
    const contents: ArchiveContents = { documents: 0, missing: [] }
    let received: ReceivedFile | undefined
    try {
      const moment = await app.moment()
      const content = await app.database.transaction(
        "jobs",
        async (tx) => {
          const actor = { kind: "system" as const, name: "Milkwood", onBehalfOf: null }
          const cx: Cx = { app, tx, actor, ...moment, requestId: fileId }
          const { organisation } = await readSettings(tx, { organisation: platformSettings.organisation })
          const about = { ...making, organisation: organisation.name }
          const archive = streamPersonArchive(cx, about, contents)
          try {
            return await app.files.receive(Readable.from(archive), maxArchiveBytes)
          } finally {
            // Ends the archive's reads before its transaction and connection close.
            await archive.return(undefined)
          }
        },
        undefined,
        undefined,
        { isOneMoment: true },
      )
      received = content
      await app.files.put(content)
      await transaction(async (cx) => {
        const name = `everything-about-${making.number}-${cx.today}.zip`
        const kept = { kind: "person_file", name, mime: "application/zip", groupId: null, content }
        const { id, size, sha256 } = await app.files.save(cx, kept)
        await cx.tx.run(sql`
          update person_files set state = 'made', finished_at = ${cx.now}, file_id = ${id}, size = ${size}, sha256 = ${sha256}
          where id = ${fileId}`)
        await record(cx, [
          { type: "PersonFileMade", ...factHeadOf(making), size, sha256, documents: contents.documents },
        ])
        await complete(cx, { fileId })
      })
      return { fileId }
    } catch (error) {
      if (signal.aborted || isInfrastructureUnavailable(error)) throw error
      app.log.error({ job: jobId, code: sqlState(error), err: (error as Error).name }, "a file about a person failed")
      await transaction(async (cx) => {
        await failPersonFile(
          cx,
          fileId,
          isDiskFull(error) ? "The disk is full." : "The file could not be created. The server log has the reason.",
        )
        await complete(cx, {})
      })
      return {}
    } finally {
      if (received) await app.files.discard(received)
    }
  },
  ({ payload: { fileId }, transaction }) =>
    transaction((cx) => failPersonFile(cx, fileId, "The server stopped each time before it finished.")),
)

async function failPersonFile(cx: Cx, fileId: string, message: string): Promise<void> {
  await cx.tx.run(sql`
    update person_files set state = 'failed', finished_at = ${cx.now}, message = ${message} where id = ${fileId} and state = 'making'`)
}

export const openPersonFile = command(privacyContract.openPersonFile, async (cx) => {
  expectProof(cx)
  const ticket = randomUUID()
  const opened = await cx.tx.row<{ id: string; number: string }>(sql`
    update person_files f set ticket = ${ticket}, ticket_of = ${requireUser(cx).userId} from members m
    where f.id = ${cx.input.fileId} and f.state = 'made' and m.id = f.member_id returning m.id, m.number`)
  if (!opened) throw refused("NO_FILE")
  return { address: `/api/privacy/person-files/${ticket}` }
})

interface FetchedFile {
  id: string
  number: string
  fileId: string
  name: string
  mime: string
  madeAt: string
}

export const fetchPersonFile: HttpRoute = download(
  {
    path: "/api/privacy/person-files/:ticket",
    permission: "privacy.manage",
    summary: "Download the file with everything recorded about a person",
  },
  async ({ transaction, params, actor }) => {
    const ticket = uuidOrNotFound(params.ticket)
    return transaction(async (cx) => {
      const found = await cx.tx.row<FetchedFile>(sql`
        with used as (
          update person_files set ticket = null, ticket_of = null where ticket = ${ticket} and ticket_of = ${actorUserId(actor)}
          returning file_id, member_id, finished_at
        )
        select m.id, m.number, f.id as "fileId", f.name, f.mime, used.finished_at as "madeAt" from used join files f on f.id = used.file_id join members m on m.id = used.member_id`)
      if (!found) throw refused("NOT_FOUND", "This file was already downloaded. Open it again.")
      const { fileId, name, mime, madeAt, ...member } = found
      await recordOpeningsOfMember(cx, member.id, madeAt)
      await record(cx, [{ type: "PersonFileFetched", ...factHeadOf(member) }])
      return { fileId, name, mime }
    })
  },
)

/** Deletes expired files but keeps their rows. Returns the count. */
export async function removeOldPersonFiles(cx: Cx): Promise<number> {
  const old = await cx.tx.rows<{ id: string; number: string; fileId: string }>(sql`
    select m.id, m.number, f.file_id as "fileId" from person_files f join members m on m.id = f.member_id
    where f.state = 'made' and f.finished_at < ${cx.now.subtract({ hours: 24 * personFileKeptDays })} for update of f skip locked`)
  if (old.length === 0) return 0
  const ids = sql.param(old.map(({ fileId }) => fileId))
  await cx.tx.run(sql`
    update person_files set state = 'removed', file_id = null, ticket = null, ticket_of = null where file_id = any (${ids}::uuid[])`)
  // Housekeeping deletes the bytes later, as for every unreferenced file.
  await cx.tx.run(sql`delete from files where id = any (${ids}::uuid[])`)
  await record(
    cx,
    old.map((member) => ({ type: "PersonFileRemoved" as const, ...factHeadOf(member) })),
  )
  return old.length
}

export const privacyDaily = job("privacy.daily", ({ transaction }) => transaction(removeOldPersonFiles))
