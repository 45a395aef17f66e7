import type { Day } from "@milkwood/domain/kernel/calendar"
import { membersContract } from "@milkwood/domain/members/members.contract"
import { sql } from "drizzle-orm"
import { invalidInput, query, refused } from "../platform/calls/commands.ts"
import { sqlState, type Tx, violatedConstraint } from "../platform/database/database.ts"

interface Numbers {
  idNumber: string | null
  passportNumber: string | null
}

interface IdentityMatch {
  memberId: string
  number: string
  name: string
  policyId: string
  policyNumber: string
  groupName: string
  ended: { on: Day; reason: string } | null
}

/** Members with one of the numbers in policies visible to the actor; terminated members last. */
async function findMembersByIdentity(tx: Tx, numbers: Numbers, exceptMemberId?: string): Promise<IdentityMatch[]> {
  if (!numbers.idNumber && !numbers.passportNumber) return []
  return tx.rows<IdentityMatch>(sql`
    select m.id as "memberId", m.number, m.first_name || ' ' || m.last_name as name, m.policy_id as "policyId",
      p.number as "policyNumber", g.name as "groupName",
      case when m.status = 'Terminated'
        then jsonb_build_object('on', m.end_on, 'reason', coalesce(m.status_reason, '')) end as ended
    from members m join policies p on p.id = m.policy_id join employer_groups g on g.id = m.group_id
    where (m.id_number = ${numbers.idNumber}::text or lower(m.passport_number) = lower(${numbers.passportNumber}::text))
      and m.id is distinct from ${exceptMemberId ?? null}::uuid
    order by m.status = 'Terminated', p.number, m.number limit 20`)
}

export const readSameIdentity = query(membersContract.sameIdentity, async ({ tx, input }) => {
  const numbers = {
    idNumber: input.idNumber?.replace(/\s/g, "") || null,
    passportNumber: input.passportNumber?.replace(/\s/g, "") || null,
  }
  const people = await findMembersByIdentity(tx, numbers, input.exceptMemberId)
  return people.map((person) => ({ ...person, inThisPolicy: person.policyId === input.policyId }))
})

/**
 * DUPLICATE_IN_POLICY for a person already in the policy (product: one person is once in a policy, unless terminated).
 */
export async function refuseDuplicateInPolicy(tx: Tx, policyId: string, numbers: Numbers, exceptMemberId?: string) {
  const there = (await findMembersByIdentity(tx, numbers, exceptMemberId)).find(
    (person) => person.policyId === policyId && person.ended === null,
  )
  if (!there) return
  throw refused(
    "DUPLICATE_IN_POLICY",
    `${there.name} (${there.number}) is already in policy ${there.policyNumber} with this number.`,
    { memberId: there.memberId, number: there.number },
  )
}

/** INVALID if another member of the policy has the number; terminated members release it. */
export async function refuseTakenEmployeeNumber(
  tx: Tx,
  policyId: string,
  employeeNumber: string | undefined,
  exceptMemberId?: string,
): Promise<void> {
  if (!employeeNumber) return
  const holder = await tx.row<{ number: string; name: string }>(sql`
    select m.number, m.first_name || ' ' || m.last_name as name from members m
    where m.policy_id = ${policyId} and m.status <> 'Terminated' and m.employee_number <> ''
      and lower(m.employee_number) = lower(${employeeNumber}::text) and m.id is distinct from ${exceptMemberId ?? null}::uuid`)
  if (!holder) return
  const message = `${holder.name} (${holder.number}) already has this employee number in the policy`
  throw invalidInput([{ path: "employment.employeeNumber", message }], `${message}.`)
}

const identityConstraints = ["members_id_number_once", "members_passport_once", "members_employee_number_once"]

export function isDuplicatePerson(error: unknown): boolean {
  return sqlState(error) === "23505" && identityConstraints.includes(violatedConstraint(error) ?? "")
}

/** Turns a unique violation from a concurrent insert into DUPLICATE_IN_POLICY. */
export async function refuseDuplicatePerson<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isDuplicatePerson(error) ? refused("DUPLICATE_IN_POLICY") : error
  }
}
