import { randomUUID } from "node:crypto"
import { memberFields } from "@milkwood/domain/members/member-fields"
import { listEndings } from "@milkwood/domain/platform/documents"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import {
  type ColumnMapping,
  listFieldLabels,
  listFields,
  type RememberedMapping,
  requiredListFields,
  suggestMapping,
} from "@milkwood/domain/staff-lists/staff-list-columns"
import { staffListFactHead } from "@milkwood/domain/staff-lists/staff-list-facts"
import { problemSentence, type RowProblem, refusesRow } from "@milkwood/domain/staff-lists/staff-list-problems"
import { sql } from "drizzle-orm"
import { z } from "zod"
import { download } from "../http/download.ts"
import type { HttpRoute } from "../http/file-route.ts"
import { type UploadedFile, upload } from "../http/upload.ts"
import { actorUserId, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, invalidInput, refused } from "../platform/calls/commands.ts"
import { jsonPairsOf } from "../platform/database/declared-fields.ts"
import { acceptedFiles } from "../platform/files/accepted-files.ts"
import type { ReceivedFile } from "../platform/files/files.ts"
import { UnreadableFile } from "../platform/files/unreadable.ts"
import { toCsv } from "../platform/lists/csv.ts"
import { record } from "../platform/trail/facts.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { rowsFile } from "./divide-staff-list.ts"
import type { ListHead } from "./reader-messages.ts"
import { readListFile } from "./reading.ts"
import { staffLists } from "./staff-lists.tables.ts"

/** Expects the field `policyId` first, then the file. Returns `{ importId }`; the next step maps the columns. */
const uploadStaffList = upload(
  {
    path: "/api/members/imports",
    permission: "members.import",
    summary: "Upload a staff list",
    words: { fields: { policyId: "The policy that the list belongs to" }, answers: ["importId"] },
    accepts: acceptedFiles(listEndings),
  },
  async ({ transaction, fields, file, app, actor, signal }) => {
    const { data: policyId } = z.uuid().safeParse(fields.policyId)
    if (!policyId) throw invalidInput([{ path: "policyId", message: "Choose the policy that the list belongs to." }])
    const policy = await transaction(({ tx }) => readPolicy(tx, policyId))
    if (!isOpen(policy.status)) {
      throw invalidInput([{ path: "policyId", message: "The policy has ended. You cannot add members to it." }])
    }
    const sent = { path: file.content.path, extension: file.extension }
    const owner = actorUserId(actor) ?? ""
    const { head, rows } = await app.limits.readers
      .hold(() => readListFile(app.files, sent), signal, { owner })
      .catch((error: unknown) => {
        throw error instanceof UnreadableFile
          ? invalidInput([{ path: "file", message: error.message }], error.message)
          : error
      })
    const importId = randomUUID()
    try {
      if (head.rowCount === 0) {
        const message = "The list has column names but no rows."
        throw invalidInput([{ path: "file", message }], message)
      }
      await app.files.put(file.content)
      await app.files.put(rows)
      await transaction((cx) => saveList(cx, { importId, policy, file, head, rows }))
    } finally {
      await app.files.discard(rows)
    }
    return { importId }
  },
)

interface ReadStaffList {
  importId: string
  policy: { id: string; number: string; groupId: string }
  file: UploadedFile
  head: ListHead
  rows: ReceivedFile
}

async function saveList(cx: Cx, { importId, policy, file, head, rows }: ReadStaffList): Promise<void> {
  const { tx, now, actor, app } = cx
  const { groupId } = policy
  const keep = (name: string, kind: string, mime: string, content: ReceivedFile) =>
    app.files.save(cx, { kind, name, mime, groupId, content })
  const stored = await keep(file.name, "staff_list", file.mime, file.content)
  const storedRows = await keep(file.name, rowsFile.kind, rowsFile.mime, rows)
  const mapping = await readMappingFor(cx, groupId, head.headers)
  const list = { id: importId, groupId, fileName: file.name, policyNumber: policy.number }
  const { headers, headerLine, sheet, sample, rowCount } = head
  await tx.insert(staffLists).values({
    ...{ id: importId, groupId, policyId: policy.id, fileId: stored.id, rowsFileId: storedRows.id },
    ...{ fileName: file.name, extension: file.extension as "csv" | "xlsx" | "xls", status: "uploaded" },
    ...{ headers, headerLine, sheet, notes: listNotesOf(head), sample, mapping, rowCount },
    createdBy: ruleActor(actor).userId,
    createdAt: now,
  })
  await record(cx, [{ type: "StaffListUploaded", ...staffListFactHead(list), rows: rowCount }])
}

function listNotesOf(head: ListHead): string[] {
  return [
    ...head.titles.map((title) => `Skipped above the list: ${title}`),
    ...head.otherSheets.map((sheet) => `Sheet “${sheet}” was not read; the list is on “${head.sheet}”`),
    ...head.left.map((text) => `Skipped below the list: ${text}`),
  ]
}

/** In a group with a single policy the group policy column is optional. */
async function readMappingFor({ tx }: Cx, groupId: string, headers: readonly string[]): Promise<ColumnMapping> {
  const found = await tx.row<{ mapping: RememberedMapping | null; policies: number }>(sql`
    select (select mapping from staff_list_columns where group_id = ${groupId}) as mapping,
      (select count(*) from policies) as policies`)
  const mapping = suggestMapping(headers, found!.mapping ?? {})
  const onlyOne = mapping.groupPolicy === undefined && found!.policies === 1
  return onlyOne ? { ...mapping, groupPolicyChosen: true } : mapping
}

interface RejectedRow {
  line: number
  /** As in the file; null if the row was refused during the comparison with the policy. */
  cells: string[] | null
  read: Record<string, string | null>
  problems: RowProblem[]
}

function cellOfRejectedRow({ cells, read }: RejectedRow, index: number, mapping: ColumnMapping): string {
  if (cells) return cells[index] ?? ""
  const field = listFields.find((field) => mapping[field] === index)
  return (field && read[field]) ?? ""
}

/**
 * The refused rows with the reasons, to correct and import again. Formulas get an apostrophe, which the reader removes.
 */
const downloadRejectedRows = download(
  { path: "/api/members/imports/:importId/refused", permission: "members.import", summary: "Download rejected rows" },
  async ({ transaction, params }) => {
    const { data: importId } = z.uuid().safeParse(params.importId)
    if (!importId) throw refused("NOT_FOUND", "This import does not exist.")
    const { list, rows } = await transaction(async ({ tx }) => ({
      list: await tx.row<{ fileName: string; headers: string[]; mapping: ColumnMapping }>(
        sql`select file_name as "fileName", headers, mapping from staff_lists where id = ${importId}`,
      ),
      rows: await tx.rows<RejectedRow>(sql`
        select r.line, r.cells, r.problems, jsonb_build_object(${jsonPairsOf(memberFields, "r")}, 'startOn', r.start_on,
          'salary', to_char(r.salary_cents / 100.0, 'FM9999999999990.00'), 'tier', (select name from benefit_tiers where id = r.tier_id)) as read
        from staff_list_rows r where r.staff_list_id = ${importId} and r.status = 'error' order by r.row`),
    }))
    if (!list) throw refused("NOT_FOUND", "This import does not exist.")
    const columns = [
      ...list.headers.map((title, index) => ({
        title,
        value: (row: RejectedRow) => cellOfRejectedRow(row, index, list.mapping),
      })),
      { title: "Row in the list", value: ({ line }: RejectedRow) => line },
      {
        title: "Reason for rejection",
        value: ({ problems }: RejectedRow) =>
          problems
            .filter(({ code }) => refusesRow(code))
            .map(problemSentence)
            .join("; "),
      },
    ]
    const name = `${list.fileName.replace(/\.[^.]*$/, "")} - rejected rows.csv`
    return { bytes: toCsv(columns, rows), name, mime: "text/csv; charset=utf-8" }
  },
)

/** An empty list with the known columns, required ones first. */
const downloadTemplate = download(
  { path: "/api/members/imports/template", permission: "members.import", summary: "Download a staff list template" },
  async () => {
    const optional = listFields.filter((field) => !(requiredListFields as readonly string[]).includes(field))
    const columns = [...requiredListFields, ...optional].map((field) => ({
      title: listFieldLabels[field],
      value: () => "",
    }))
    return { bytes: toCsv(columns, []), name: "staff-list.csv", mime: "text/csv; charset=utf-8" }
  },
)

export const staffListsRoutes: HttpRoute[] = [uploadStaffList, downloadRejectedRows, downloadTemplate]
