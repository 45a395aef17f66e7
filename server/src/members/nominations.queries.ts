import { maskAccountNumber } from "@milkwood/domain/kernel/bank-details"
import { addDays } from "@milkwood/domain/kernel/calendar"
import { nextChange } from "@milkwood/domain/kernel/timeline"
import { birthYearOf, maskIdNumber } from "@milkwood/domain/members/member"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { allowedNominationActions, nominationOn } from "@milkwood/domain/members/nomination"
import type { MemberNominations, NominationDetail } from "@milkwood/domain/members/nominations.contract"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { documentsList } from "../platform/files/documents.ts"
import { isMaskedFor } from "./members.queries.ts"
import { nominationDocuments } from "./members.tables.ts"

export interface StoredNomination extends Omit<NominationDetail, "untilOn" | "nominees"> {
  nominees: Omit<NominationDetail["nominees"][number], "birthYear">[]
  supersededAt: string | null
}

/** Latest first day first; superseded ones are included. */
export const loadNominations = (tx: Tx, memberId: string): Promise<StoredNomination[]> =>
  tx.rows<StoredNomination>(sql`
    select n.id, n.from_on as "fromOn", n.recorded_at as "recordedAt", n.superseded_at as "supersededAt",
      coalesce((select name from users where id = n.recorded_by), '') as "recordedBy", n.corrects is not null as "isCorrection",
      case when n.superseded_at is not null then jsonb_build_object('at', n.superseded_at, 'reason', n.superseded_reason,
        'by', coalesce((select name from users where id = n.superseded_by), '')) end as superseded,
      coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'relationship', p.relationship,
          'idNumber', p.id_number, 'dateOfBirth', p.date_of_birth, 'phone', p.phone, 'email', p.email, 'bank', p.bank,
          'branchCode', p.branch_code, 'accountNumber', p.account_number, 'shareBasisPoints', p.share_basis_points)
          order by p.position)
        from nominees p where p.nomination_id = n.id), '[]') as nominees,
      ${documentsList(nominationDocuments, sql`d.nomination_id = n.id`)} as documents
    from nominations n where n.member_id = ${memberId} order by n.from_on desc, n.superseded_at is not null, n.recorded_at desc, n.id`)

/** NOT_FOUND as for the member. */
export async function memberNominations(
  { tx, actor, today }: Pick<Cx, "tx" | "actor" | "today">,
  memberId: string,
): Promise<MemberNominations> {
  const member = await tx.row<{ isPending: boolean; isForgotten: boolean }>(sql`
    select status = 'Pending' as "isPending", forgotten_on is not null as "isForgotten" from members where id = ${memberId}`)
  if (!member) throw refused("NOT_FOUND", "This member does not exist.")
  const found = await loadNominations(tx, memberId)
  const days = found.filter(({ supersededAt }) => supersededAt === null).map(({ fromOn }) => fromOn)
  const masked = isMaskedFor(actor)
  return {
    memberId,
    currentId: nominationOn(found, today)?.id ?? null,
    nominations: found.map(({ supersededAt, superseded, nominees, documents, ...nomination }) => {
      const next = supersededAt === null ? nextChange(days, nomination.fromOn) : null
      return {
        ...nomination,
        superseded: superseded && { ...superseded, reason: masked ? null : superseded.reason },
        untilOn: next === null ? null : addDays(next, -1),
        nominees: nominees.map((nominee) => ({
          ...nominee,
          idNumber: masked ? maskIdNumber(nominee.idNumber) : nominee.idNumber,
          dateOfBirth: masked ? null : nominee.dateOfBirth,
          birthYear: birthYearOf(nominee.dateOfBirth),
          accountNumber: masked ? maskAccountNumber(nominee.accountNumber) : nominee.accountNumber,
        })),
        documents: masked ? [] : documents,
      }
    }),
    allowedActions: allowedNominationActions(member, ruleActor(actor)),
  }
}

export const readNominations = query(membersContract.nominations.list, (cx) => memberNominations(cx, cx.input.memberId))
