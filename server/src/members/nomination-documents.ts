import type { Member } from "@milkwood/domain/members/member"
import { memberFactHead } from "@milkwood/domain/members/member-facts"
import { membersContract } from "@milkwood/domain/members/members.contract"
import {
  allowedNominationActions,
  type NominationDocumentType,
  nominationDocumentTypeNames,
} from "@milkwood/domain/members/nomination"
import type { MemberNominations } from "@milkwood/domain/members/nominations.contract"
import { type SQL, sql } from "drizzle-orm"
import { attachDocument, readDocument } from "../http/document-routes.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { type DocumentModule, removeDocument } from "../platform/files/documents.ts"
import { record } from "../platform/trail/facts.ts"
import { writeView } from "../platform/trail/looks.ts"
import { lockMember } from "./member-record.ts"
import { isMaskedFor } from "./members.queries.ts"
import { nominationDocuments } from "./members.tables.ts"
import { memberNominations } from "./nominations.queries.ts"

interface LockedNomination {
  id: string
  groupId: string
  fromOn: string
  member: Member
}

async function lockNomination(cx: Cx, nominationId: string): Promise<LockedNomination> {
  const found = await cx.tx.row<{ memberId: string; groupId: string; fromOn: string }>(sql`
    select member_id as "memberId", group_id as "groupId", from_on as "fromOn" from nominations where id = ${nominationId}`)
  if (!found) throw refused("NOT_FOUND", "This nomination does not exist.")
  const member = await lockMember(cx, found.memberId)
  const of = { isPending: member.status === "Pending", isForgotten: false }
  if (!allowedNominationActions(of, ruleActor(cx.actor)).includes("attach")) {
    throw refused("CONFLICT", "Documents can be added when the policy is active.")
  }
  return { id: nominationId, groupId: found.groupId, fromOn: found.fromOn, member }
}

/** Documents change no version, so an open form stays current. A signed form shows whole ID numbers and accounts. */
const documentsOfNominations: DocumentModule<LockedNomination, NominationDocumentType, MemberNominations> = {
  record: "nomination",
  path: "/api/nominations",
  permissions: { read: "members.read", write: "members.write" },
  types: () => nominationDocumentTypeNames,
  table: nominationDocuments,
  errors: {},
  lock: lockNomination,
  async save(cx, { member, fromOn: nominationOn }, { act, inWords: document }) {
    const news = { ...memberFactHead(member), nominationOn }
    await record(cx, [
      act === "attached"
        ? { type: "NominationDocumentAttached", ...news, after: { document } }
        : { type: "NominationDocumentRemoved", ...news, before: { document } },
    ])
    return memberNominations(cx, member.id)
  },
  visible: ({ actor }) => (isMaskedFor(actor) ? sql`false` : sql`true`),
  async opened(cx, { recordId, documentId, documentType }) {
    if (!(await cx.app.recordsLooks())) return
    const member = await cx.tx.row<{ id: string; number: string; groupId: string }>(sql`
      select m.id, m.number, m.group_id as "groupId" from nominations n join members m on m.id = n.member_id
      where n.id = ${recordId}`)
    const { id, number: label, groupId } = member!
    await writeView(cx, {
      type: "DocumentOpened",
      record: { kind: "member", id, label },
      groupId,
      documentId,
      documentType,
    })
  },
  fileName: async (_cx, { fileName }) => fileName,
}

export const attachNominationDocument = attachDocument(documentsOfNominations)
export const readNominationDocument = readDocument(documentsOfNominations)

export const removeNominationDocument = command(membersContract.nominations.removeDocument, (cx) =>
  removeDocument(cx, documentsOfNominations, cx.input.nominationId, cx.input.documentId),
)

/** `whose` selects member ids. Housekeeping deletes the bytes later. */
export async function deleteNominationDocuments(tx: Tx, whose: SQL): Promise<void> {
  await tx.run(sql`
    with gone as (
      delete from nomination_documents d using nominations n where n.id = d.nomination_id and n.member_id in (${whose})
      returning d.file_id
    ) delete from files where id in (select file_id from gone)`)
}
