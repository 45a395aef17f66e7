import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Member } from "@milkwood/domain/members/member"
import { memberFactHead } from "@milkwood/domain/members/member-facts"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { checkNomination, type Nominee, nomineesText } from "@milkwood/domain/members/nomination"
import { and, eq } from "drizzle-orm"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { lockMember } from "./member-record.ts"
import { nominations, nominees } from "./members.tables.ts"
import { loadNominations, memberNominations, type StoredNomination } from "./nominations.queries.ts"

const contract = membersContract.nominations

export const recordNomination = command(contract.record, async (cx) => {
  const member = await lockMember(cx, cx.input.memberId)
  const people = orRefuse(checkNomination(cx.input, cx.today))
  await insertNomination(cx, member, cx.input.fromOn, people)
  const after = recordedOf({ fromOn: cx.input.fromOn, nominees: people })
  await record(cx, [{ type: "MemberNominationRecorded", ...memberFactHead(member), after }])
  return memberNominations(cx, member.id)
})

export const correctNomination = command(contract.correct, async (cx) => {
  const { fromOn, reason } = cx.input
  const { member, nomination } = await supersedeNomination(cx, cx.input)
  const people = orRefuse(checkNomination(cx.input, cx.today))
  await insertNomination(cx, member, fromOn, people, nomination.id)
  const [before, after] = [recordedOf(nomination), recordedOf({ fromOn, nominees: people })]
  await record(cx, [{ type: "MemberNominationCorrected", ...memberFactHead(member), reason, before, after }])
  return memberNominations(cx, member.id)
})

export const withdrawNomination = command(contract.withdraw, async (cx) => {
  const { reason } = cx.input
  const { member, nomination } = await supersedeNomination(cx, cx.input)
  const before = recordedOf(nomination)
  await record(cx, [{ type: "MemberNominationWithdrawn", ...memberFactHead(member), reason, before }])
  return memberNominations(cx, member.id)
})

const recordedOf = ({
  fromOn,
  nominees,
}: {
  fromOn: Day
  nominees: readonly Pick<Nominee, "name" | "shareBasisPoints">[]
}) => ({
  nominationOn: fromOn,
  beneficiaries: nomineesText(nominees),
})

/** Two nominations from one day cannot be ordered: NOMINATION_EXISTS. */
async function insertNomination(
  cx: Cx,
  { id: memberId, groupId }: Pick<Member, "id" | "groupId">,
  fromOn: Day,
  people: readonly Nominee[],
  corrects: string | null = null,
): Promise<void> {
  const { tx, now, actor } = cx
  const id = randomUUID()
  const stamp = { recordedBy: actorUserId(actor)!, recordedAt: now }
  await refuseDuplicates(
    () => tx.insert(nominations).values({ id, groupId, memberId, fromOn, corrects, ...stamp }),
    "NOMINATION_EXISTS",
  )
  if (people.length === 0) return
  await tx
    .insert(nominees)
    .values(people.map((nominee, position) => ({ id: randomUUID(), groupId, nominationId: id, position, ...nominee })))
}

/** NOT_FOUND for another member's nomination; CONFLICT for one that was superseded before. */
async function supersedeNomination(
  cx: Cx,
  { memberId, nominationId, reason }: { memberId: string; nominationId: string; reason: string },
): Promise<{ member: Member; nomination: StoredNomination }> {
  const { tx, now, actor } = cx
  const member = await lockMember(cx, memberId)
  const nomination = (await loadNominations(tx, memberId)).find(({ id }) => id === nominationId)
  if (!nomination) throw refused("NOT_FOUND", "This nomination does not exist.")
  if (nomination.supersededAt !== null) {
    throw refused("CONFLICT", "This nomination was corrected or withdrawn in the meantime. Nothing was changed.")
  }
  await tx
    .update(nominations)
    .set({ supersededBy: actorUserId(actor)!, supersededAt: now, supersededReason: reason })
    .where(and(eq(nominations.id, nominationId), eq(nominations.memberId, memberId)))
  return { member, nomination }
}
