import type { Day } from "../kernel/calendar.ts"
import { diffFields } from "../kernel/changes.ts"
import { pick, withoutUndefined } from "../kernel/declared-field.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import { dependentFieldNames, dependentFields } from "./dependent-fields.ts"
import {
  checkDependents,
  type DatedDependent,
  type Dependent,
  type DependentsDiff,
  diffDependents,
} from "./dependents.ts"
import { type Member, missingMemberFields } from "./member.ts"
import { memberFactHead } from "./member-facts.ts"
import { memberFieldNames } from "./member-fields.ts"
import { completeIdentity } from "./member-identity.ts"
import type { DependentInput, MemberContact, MemberEmployment, MemberPersonal } from "./member-shape.ts"
import { applyMemberChange, type MemberChange } from "./member-steps.ts"

/** Omitted sections stay as they are. */
export interface MemberEdit {
  personal?: MemberPersonal | undefined
  contact?: MemberContact | undefined
  employment?: MemberEmployment | undefined
  /** Only for pending members. */
  allocation?: { tierId: string; tierName: string; startOn: Day } | undefined
  dependents?: readonly DependentInput[] | undefined
}

/**
 * INVALID names the wrong fields. Tier and start date are editable only while the member is pending; later they change
 * through separate dated commands.
 */
export function editMember(
  member: Member,
  dependents: readonly Dependent[],
  edit: MemberEdit,
  today: Day,
): Decision<MemberChange & { dependents: DependentsDiff }, "WRONG_STATUS" | "INVALID"> {
  if (member.status === "Terminated") {
    return refuse("WRONG_STATUS", "The record of a terminated member cannot be changed.")
  }
  // A member imported without an ID number can be edited before the number is known.
  const hadNumber = Boolean(member.idNumber || member.passportNumber)
  const personal = edit.personal && completeIdentity(edit.personal, today, hadNumber)
  if (isRefusal(personal)) return personal
  const wrong = findAllocationError(member, edit.allocation)
  if (wrong) return refuse("INVALID", undefined, { fields: [wrong] })
  const family = edit.dependents && checkDependents(edit.dependents, today)
  if (isRefusal(family)) return family
  const diff = diffDependents(dependents, family ?? dependents, member.status === "Pending" ? member.startOn : today)
  if (isRefusal(diff)) return diff

  const value = {
    ...member,
    ...personal,
    ...withoutUndefined(edit.contact),
    ...withoutUndefined(edit.employment),
    ...edit.allocation,
  }
  return applyEdit(member, { ...value, toComplete: missingMemberFields(value) }, dependents, diff)
}

/**
 * Ends a dependent's cover on the day of death. Nothing changes if the cover ended earlier or had not begun. Allowed for
 * a terminated member too.
 */
export function endDependentOnDeath(
  member: Member,
  dependents: readonly Dependent[],
  dependentId: string,
  on: Day,
): MemberChange & { dependents: DependentsDiff } {
  const changed = dependents
    .filter(({ id, fromOn, untilOn }) => id === dependentId && fromOn <= on && (untilOn === null || untilOn > on))
    .map((dependent) => ({ ...dependent, untilOn: on }))
  return applyEdit(member, member, dependents, { added: [], changed, removed: [] })
}

function applyEdit(
  member: Member,
  value: Member,
  dependents: readonly Dependent[],
  diff: DependentsDiff,
): MemberChange & { dependents: DependentsDiff } {
  const [before, after] = [
    trailFieldsOf(member, dependents),
    trailFieldsOf(value, applyDependentsDiff(dependents, diff)),
  ]
  const fields = diffFields(before, after, Object.keys(after))
  const news = { type: "MemberUpdated" as const, ...memberFactHead(member), ...fields }
  return {
    ...applyMemberChange(member, value, ...(Object.keys(fields.after).length > 0 ? [news] : [])),
    dependents: diff,
  }
}

function findAllocationError(
  member: Member,
  wanted: MemberEdit["allocation"],
): { path: string; message: string } | null {
  if (!wanted || member.status === "Pending") return null
  if (wanted.startOn !== member.startOn) {
    const message = "The start date cannot be changed after the policy is activated"
    return { path: "allocation.startOn", message }
  }
  if (wanted.tierId === member.tierId) return null
  return { path: "allocation.tierId", message: "Use Change benefit tier on the member's page" }
}

function applyDependentsDiff(dependents: readonly Dependent[], { added, changed, removed }: DependentsDiff) {
  const kept = dependents.filter(({ id }) => !removed.some((one) => one.id === id))
  return [...kept.map((dependent) => changed.find(({ id }) => id === dependent.id) ?? dependent), ...added]
}

/** Names and identity numbers have their own places in the history; days are last. */
const described = dependentFieldNames
  .filter((name) => name !== "firstName" && name !== "lastName" && dependentFields[name].kind !== "identity")
  .sort((one, other) => Number(dependentFields[one].kind === "day") - Number(dependentFields[other].kind === "day"))

function trailFieldsOf(member: Member, dependents: readonly DatedDependent[]): Record<string, unknown> {
  return {
    ...pick(member, [...memberFieldNames, "tierName", "startOn"]),
    dependents: dependents.map((dependent) => {
      const { firstName, lastName, fromOn, untilOn } = dependent
      const days = untilOn === null ? `covered from ${fromOn}` : `covered ${fromOn} to ${untilOn}`
      const about = [...described.map((name) => dependent[name]), days].filter(Boolean).join(", ")
      return `${firstName} ${lastName} (${about})`
    }),
    dependentIdNumbers: dependents
      .filter(({ idNumber }) => idNumber)
      .map(({ firstName, lastName, idNumber }) => `${firstName} ${lastName}: ${idNumber}`),
  }
}
