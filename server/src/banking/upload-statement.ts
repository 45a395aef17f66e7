import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { selectStatement } from "@milkwood/domain/banking/import-statement"
import { type StatementContent, statementLimits } from "@milkwood/domain/banking/statement"
import type { Currency } from "@milkwood/domain/kernel/money"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { sql } from "drizzle-orm"
import { z } from "zod"
import type { HttpRoute } from "../http/file-route.ts"
import { type UploadedFile, upload } from "../http/upload.ts"
import { actorUserId, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, invalidInput } from "../platform/calls/commands.ts"
import { readRecord } from "../platform/database/record.ts"
import { type FileKind, fileKinds } from "../platform/files/file-kinds.ts"
import { readInSubprocess } from "../platform/files/read-apart.ts"
import { UnreadableFile } from "../platform/files/unreadable.ts"
import { bankAccounts, bankUploads } from "./banking.tables.ts"

const reader = join(import.meta.dirname, "statement-reader.ts")

/** Extensions that banks use. First bytes are not checked, because the reader detects the format from the contents. */
const kinds: FileKind[] = [
  fileKinds.csv,
  ...["txt", "ofx", "qfx", "qbo", "sta", "mt940", "940", "xml"].map((extension) => ({
    extension,
    mime: "text/plain",
    magic: null,
  })),
].map((kind) => ({ ...kind, magic: "any" as const }))

const refuseFile = (message: string) => invalidInput([{ path: "file", message }], message)

/**
 * Fields `accountId`, then the file, which a separate process reads. An unreadable file is refused and not stored.
 * Returns `{ uploadId }`.
 */
const uploadStatement = upload(
  {
    path: "/api/bank-statements",
    permission: "banking.write",
    summary: "Upload a bank statement",
    words: { fields: { accountId: "The bank account" }, answers: ["uploadId"] },
    accepts: () => ({ kinds, bytes: statementLimits.bytes }),
  },
  async ({ transaction, fields, file, app, actor, signal }) => {
    const { data: accountId } = z.uuid().safeParse(fields.accountId)
    if (!accountId) throw invalidInput([{ path: "accountId", message: "Choose the bank account." }])
    const { account, currency } = await transaction(async (cx) => ({
      account: await readRecord(cx.tx, bankAccounts, accountId, "This bank account does not exist."),
      currency: cx.currency,
    }))
    const content = await app.limits.readers
      .hold(() => readStatementInSubprocess(file.content.path, currency), signal, { owner: actorUserId(actor) ?? "" })
      .catch((error: unknown) => {
        throw error instanceof UnreadableFile ? refuseFile(`${error.message} Nothing was imported.`) : error
      })
    const read = selectStatement(content, account, null, currency)
    if (isRefusal(read)) throw refuseFile(read.message!)
    const uploadId = randomUUID()
    await app.files.put(file.content)
    await transaction((cx) => keepUpload(cx, { uploadId, accountId, file, content }))
    return { uploadId }
  },
)

async function readStatementInSubprocess(path: string, currency: Currency): Promise<StatementContent> {
  const { memory, time } = statementLimits
  let content: StatementContent | undefined
  await readInSubprocess<{ path: string; currency: Currency }, StatementContent>(
    reader,
    { path, currency },
    { memory, time },
    async (part) => {
      content = part
    },
  )
  return content!
}

interface NewUpload {
  uploadId: string
  accountId: string
  file: Pick<UploadedFile, "name" | "mime" | "content">
  content: StatementContent
}

/** Refuses a file that was already imported. */
export async function keepUpload(cx: Cx, { uploadId, accountId, file, content }: NewUpload): Promise<void> {
  const { tx, app, actor, now } = cx
  const { sha256 } = file.content
  const before = await tx.row<{ number: string }>(
    sql`select number from bank_statements where account_id = ${accountId} and sha256 = ${sha256} and undone_at is null`,
  )
  if (before) throw refuseFile(`This file was already imported as ${before.number}. Nothing was imported.`)
  const { userId } = ruleActor(actor)
  await discardUploads(cx, sql`uploaded_by = ${userId} or uploaded_at < ${now.subtract({ hours: 24 })}`)
  const { name, mime } = file
  const stored = await app.files.save(cx, { kind: "bank_statement", name, mime, groupId: null, content: file.content })
  const of = { id: uploadId, accountId, fileId: stored.id, fileName: name, sha256 }
  await tx.insert(bankUploads).values({ ...of, content, uploadedBy: userId, uploadedAt: now })
}

/** The files on disk are deleted a day later. */
export async function discardUploads({ tx }: Pick<Cx, "tx">, which: ReturnType<typeof sql>): Promise<void> {
  const gone = await tx.rows<{ fileId: string }>(
    sql`delete from bank_uploads where ${which} returning file_id as "fileId"`,
  )
  const ids = gone.map(({ fileId }) => fileId)
  if (ids.length > 0) await tx.run(sql`delete from files where id = any (${sql.param(ids)}::uuid[])`)
}

export const bankingUploads: HttpRoute[] = [uploadStatement]
