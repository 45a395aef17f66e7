import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { listEndings } from "@milkwood/domain/platform/documents"
import { hasPayerAndAmount, suggestColumns } from "@milkwood/domain/reconciliation/remittance-columns"
import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { sql } from "drizzle-orm"
import { z } from "zod"
import type { HttpRoute } from "../http/file-route.ts"
import { type UploadedFile, upload } from "../http/upload.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, invalidInput } from "../platform/calls/commands.ts"
import { lockRecord } from "../platform/database/record.ts"
import { acceptedFiles } from "../platform/files/accepted-files.ts"
import { readInSubprocess } from "../platform/files/read-apart.ts"
import { UnreadableFile } from "../platform/files/unreadable.ts"
import { record } from "../platform/trail/facts.ts"
import { compareStoredRemittance } from "./lay-remittance.ts"
import { remittanceContents, remittances } from "./reconciliation.tables.ts"
import type { RemittancePart, RemittanceTask } from "./remittance-reader.ts"

const reader = join(import.meta.dirname, "remittance-reader.ts")

interface RemittanceListRead {
  headers: string[]
  rows: [line: number, ...cells: string[]][]
}

const fieldError = (path: string, message: string) => invalidInput([{ path, message }], message)

/**
 * Upload of a remittance list: field `invoiceId`, then the file. Parsed in a separate process within the limits of
 * staff lists. Returns `{ remittanceId }`.
 */
export const uploadRemittance: HttpRoute = upload(
  {
    path: "/api/remittances",
    permission: "collection.write",
    summary: "Upload an employer's remittance list",
    words: { fields: { invoiceId: "The invoice to compare the list with" }, answers: ["remittanceId"] },
    accepts: acceptedFiles(listEndings),
  },
  async ({ transaction, fields, file, app, actor, signal }) => {
    const { data: invoiceId } = z.uuid().safeParse(fields.invoiceId)
    if (!invoiceId) throw fieldError("invoiceId", "Choose the invoice to compare the list with.")
    await transaction((cx) => readBilledInvoice(cx, invoiceId))
    const sent = { path: file.content.path, extension: file.extension }
    const list = await app.limits.readers
      .hold(() => readList(sent), signal, { owner: actorUserId(actor) ?? "" })
      .catch((error: unknown) => {
        throw error instanceof UnreadableFile ? fieldError("file", `${error.message} Nothing was imported.`) : error
      })
    if (list.rows.length === 0) throw fieldError("file", "The list has column names but no rows. Nothing was imported.")
    await app.files.put(file.content)
    return { remittanceId: await transaction((cx) => storeRemittance(cx, { invoiceId, file, list })) }
  },
)

async function readList(task: RemittanceTask): Promise<RemittanceListRead> {
  const { memory, time } = staffListLimits
  const limits = { memory: task.extension === "xls" ? memory.xls : memory.others, time }
  const list: RemittanceListRead = { headers: [], rows: [] }
  await readInSubprocess<RemittanceTask, RemittancePart>(reader, task, limits, async (part) => {
    if ("headers" in part) list.headers = part.headers
    else for (const row of part.rows) list.rows.push(row)
  })
  return list
}

interface BilledInvoice {
  number: string
  groupId: string
  status: string
  bills: boolean
}

/** Requires a sent invoice with member lines. */
async function readBilledInvoice({ tx }: Cx, invoiceId: string): Promise<BilledInvoice> {
  const invoice = await tx.row<BilledInvoice>(sql`
    select number, group_id as "groupId", status,
      exists (select from invoice_lines l where l.invoice_id = i.id and l.member_id is not null) as bills
    from invoices i where id = ${invoiceId}`)
  if (!invoice) throw fieldError("invoiceId", "This invoice does not exist.")
  if (invoice.status !== "sent") throw fieldError("invoiceId", "This invoice was not sent. Choose a sent invoice.")
  if (!invoice.bills) throw fieldError("invoiceId", "This invoice has no member lines to compare a list with.")
  return invoice
}

interface UploadedRemittance {
  invoiceId: string
  file: UploadedFile
  list: RemittanceListRead
}

async function storeRemittance(cx: Cx, { invoiceId, file, list }: UploadedRemittance): Promise<string> {
  const { tx, app, actor, now } = cx
  const { number, groupId } = await readBilledInvoice(cx, invoiceId)
  const { sha256 } = file.content
  const id = randomUUID()
  const stored = await app.files.save(cx, {
    ...{ kind: "remittance", name: file.name, mime: file.mime, groupId: null, content: file.content },
  })
  const kept = await tx
    .insert(remittances)
    .values({
      ...{ id, groupId, invoiceId, fileId: stored.id, fileName: file.name, sha256, headers: list.headers },
      ...{ createdBy: actorUserId(actor), createdAt: now },
    })
    .onConflictDoNothing({ target: [remittances.invoiceId, remittances.sha256] })
    .returning({ id: remittances.id })
  if (kept.length === 0)
    throw fieldError("file", "This file was already compared with this invoice. Nothing was imported.")
  await tx.insert(remittanceContents).values({ remittanceId: id, groupId, rows: list.rows })
  const about = { kind: "invoice" as const, id: invoiceId, label: number }
  await record(cx, [{ type: "RemittanceUploaded", record: about, groupId: null, fileName: file.name, sha256 }])
  const last = await tx.row<Parameters<typeof suggestColumns>[1] & object>(sql`
    select headers, columns from remittances where group_id = ${groupId} and columns is not null
    order by created_at desc, id limit 1`)
  const columns = suggestColumns(list.headers, last)
  if (hasPayerAndAmount(columns)) await compareStoredRemittance(cx, await lockRecord(tx, remittances, id), columns)
  return id
}
