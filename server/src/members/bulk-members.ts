import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import {
  type BulkRefusal,
  bulkEmptyMessage,
  maxBulkLines,
  readBulkAdd,
  readBulkRemove,
} from "@milkwood/domain/members/bulk-members"
import { missingMemberFields } from "@milkwood/domain/members/member"
import { checkLastDay } from "@milkwood/domain/members/member-cover"
import { memberFactHead, memberFactOnPolicy } from "@milkwood/domain/members/member-facts"
import { defaultStart } from "@milkwood/domain/members/member-start"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { inArray, sql } from "drizzle-orm"
import { type Cx, command, invalidInput } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { type PolicyHead, requirePolicyHead } from "../policies/policy-record.ts"
import { refuseEndedPolicy } from "./create-member.ts"
import { endCovers, openCovers, refreshMembers } from "./member-covers.ts"
import { takeMemberNumbers } from "./member-numbers.ts"
import { copyMembersToClaims } from "./members.ports.ts"
import { members } from "./members.tables.ts"

const compareLines = (a: BulkRefusal, b: BulkRefusal) => a.line - b.line

/** Adds the people in the pasted lines. A line whose e-mail address the policy already has is skipped and reported. */
export const bulkAddMembers = command(membersContract.bulkAdd, async (cx) => {
  const { tx, now, today, input } = cx
  const policy = await requirePolicyHead(tx, input.policyId)
  refuseEndedPolicy(policy)
  const { people, refused: unread } = readBulkAdd(input.text)
  checkLineCount(people.length + unread.length)

  const taken = await loadPeopleByEmail(
    cx,
    policy,
    people.map(({ email }) => email.toLowerCase()),
  )
  const refused = [...unread]
  const joiners = people.filter(({ line, text, email }) => {
    const there = taken.get(email.toLowerCase())?.[0]
    if (there) refused.push({ line, text, reason: `${there.number} in this policy already has this e-mail address` })
    return !there
  })
  if (joiners.length > 0) {
    const tier = await tx.row<{ id: string }>(sql`select id from benefit_tiers order by position limit 1`)
    if (!tier) throw invalidInput([{ path: "text", message: "Add a benefit tier first" }])
    const numbers = await takeMemberNumbers(tx, joiners.length)
    const startOn = defaultStart(policy, today)
    const made = joiners.map(({ firstName, lastName, email, position }, index) => ({
      id: randomUUID(),
      groupId: policy.groupId,
      policyId: policy.id,
      number: numbers[index]!,
      ...{ firstName, lastName, email, jobTitle: position },
      tierId: tier.id,
      status: policy.status === "Draft" ? ("Pending" as const) : ("Active" as const),
      startOn,
      toComplete: missingMemberFields({
        lastName,
        idNumber: null,
        passportNumber: null,
        email,
        phone: "",
        employmentStatus: null,
      }),
      createdAt: now,
      updatedAt: now,
    }))
    await tx.insert(members).values(made)
    if (policy.status !== "Draft") await openCovers(cx, { memberIds: made.map(({ id }) => id) })
    await record(cx, [
      ...made.map(({ id, number, groupId }) => ({
        type: "MemberAdded" as const,
        ...memberFactHead({ id, number, groupId }),
        startOn,
      })),
      { type: "MembersAdded", ...memberFactOnPolicy(policy, made) },
    ])
  }
  return { added: joiners.length, refused: refused.sort(compareLines) }
})

/**
 * Removes members by pasted e-mail addresses: deletes them from a draft, otherwise ends them after `on`. Refuses lines
 * of members whose cover starts later or ends by then.
 */
export const bulkRemoveMembers = command(membersContract.bulkRemove, async (cx) => {
  const { tx, now, input } = cx
  const policy = await requirePolicyHead(tx, input.policyId)
  refuseEndedPolicy(policy)
  const end = policy.status === "Draft" ? null : endInputOf(input)
  const { emails, refused: unread } = readBulkRemove(input.text)
  checkLineCount(emails.length + unread.length)

  const there = await loadPeopleByEmail(
    cx,
    policy,
    emails.map(({ email }) => email),
  )
  const refused = [...unread]
  const leavers: Person[] = []
  for (const { line, text, email } of emails) {
    const refuse = (reason: string) => refused.push({ line, text, reason })
    const [found, ...others] = there.get(email) ?? []
    if (!found) refuse("No member of this policy has this e-mail address")
    else if (others.length > 0) refuse(`${others.length + 1} members of this policy have this e-mail address`)
    else if (end && checkLastDay(found.coverFrom, end.on) !== true)
      refuse(`Cover starts only on ${found.coverFrom}. Set the last day on the member's page instead`)
    else if (end && found.endOn !== null && found.endOn <= end.on)
      refuse(`The membership already ends on ${found.endOn}`)
    else leavers.push(found)
  }
  if (leavers.length > 0) {
    const ids = leavers.map(({ id }) => id)
    if (!end) await tx.delete(members).where(inArray(members.id, ids))
    else {
      await endCovers(cx, { memberIds: ids }, end.on)
      await tx.run(sql`
        update members set end_on = ${end.on}::date, status_reason = ${end.reason}, updated_at = ${now}, version = version + 1
        where id = any (${sql.param(ids)}::uuid[])`)
      await copyMembersToClaims(tx, sql`select unnest(${sql.param(ids)}::uuid[])`)
      await refreshMembers(cx, { memberIds: ids })
    }
    await record(cx, [
      ...leavers.map(({ id, number }) => {
        const news = memberFactHead({ id, number, groupId: policy.groupId })
        return end
          ? { type: "MemberTerminated" as const, ...news, ...end }
          : { type: "MemberRemoved" as const, ...news }
      }),
      { type: "MembersRemoved", ...memberFactOnPolicy(policy, leavers) },
    ])
  }
  return { removed: leavers.length, refused: refused.sort(compareLines) }
})

/** Day and reason are required unless the policy is a draft. */
function endInputOf({ on, reason }: { on?: Day | undefined; reason?: string | undefined }): {
  on: Day
  reason: string
} {
  const missing = [
    ...(on ? [] : [{ path: "on", message: "Enter the last day" }]),
    ...(reason ? [] : [{ path: "reason", message: "Enter a reason" }]),
  ]
  if (!on || !reason) throw invalidInput(missing)
  return { on, reason }
}

function checkLineCount(lines: number): void {
  if (lines === 0) throw invalidInput([{ path: "text", message: bulkEmptyMessage }], bulkEmptyMessage)
  if (lines > maxBulkLines) {
    const message = `Enter at most ${maxBulkLines} lines; import a longer list as a file`
    throw invalidInput([{ path: "text", message }], message)
  }
}

interface Person {
  id: string
  number: string
  firstName: string
  lastName: string
  email: string
  coverFrom: Day | null
  endOn: Day | null
}

/** Locks the members; ignores terminated ones. */
async function loadPeopleByEmail({ tx }: Cx, policy: PolicyHead, emails: string[]): Promise<Map<string, Person[]>> {
  const people = await tx.rows<Person>(sql`
    select id, number, first_name as "firstName", last_name as "lastName", lower(email) as email, end_on as "endOn",
      (select min(lower(c.valid)) from member_covers c where c.member_id = members.id and c.superseded_at is null) as "coverFrom"
    from members
    where policy_id = ${policy.id} and status <> 'Terminated' and lower(email) = any (${sql.param(emails)}::text[])
    order by number for update`)
  return Map.groupBy(people, ({ email }) => email)
}
