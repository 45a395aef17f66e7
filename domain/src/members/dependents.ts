import { ageOn, type Day } from "../kernel/calendar.ts"
import { pick, withoutUndefined } from "../kernel/declared-field.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import { dependentFieldNames } from "./dependent-fields.ts"
import { completeIdentity } from "./member-identity.ts"
import type { DependentInput } from "./member-shape.ts"

export type Dependent = DatedDependent & { id: string }

export type DatedDependent = Omit<DependentInput, "id" | "fromOn" | "untilOn"> & { fromOn: Day; untilOn: Day | null }

/** Dependents in none of the lists are unchanged. */
export interface DependentsDiff {
  added: DatedDependent[]
  changed: Dependent[]
  removed: Dependent[]
}

const fields = [...dependentFieldNames, "fromOn", "untilOn"] as const

/**
 * Compares stored dependents with the saved list, so that saving keeps their ids. Refuses an unknown `id` as INVALID,
 * to protect other members' dependents. A new dependent is covered from `newFrom` by default.
 */
export function diffDependents(
  stored: readonly Dependent[],
  saved: readonly DependentInput[],
  newFrom: Day,
): Decision<DependentsDiff, "INVALID"> {
  const byId = new Map(stored.map((dependent) => [dependent.id, dependent]))
  const diff: DependentsDiff = { added: [], changed: [], removed: [] }
  const kept = new Set<string>()
  for (const [index, { id, ...given }] of saved.entries()) {
    const before = id === undefined ? undefined : byId.get(id)
    const values = withDates(given, before ? pick(before, fields) : { fromOn: newFrom, untilOn: null })
    if (values.untilOn !== null && values.untilOn < values.fromOn) {
      const message = "The last day of cover is before the first"
      return refuse("INVALID", message, { fields: [{ path: `dependents.${index}.untilOn`, message }] })
    }
    if (id === undefined) {
      diff.added.push(values)
      continue
    }
    if (!before || kept.has(id)) {
      const message = "This dependent does not belong to the member"
      return refuse("INVALID", message, { fields: [{ path: `dependents.${index}`, message }] })
    }
    kept.add(id)
    if (fields.some((field) => before[field] !== values[field])) diff.changed.push({ id, ...values })
  }
  diff.removed = stored.filter(({ id }) => !kept.has(id))
  return diff
}

/** Omitted values stay as they are. */
const withDates = (
  { fromOn, ...given }: Omit<DependentInput, "id">,
  otherwise: Pick<DatedDependent, "fromOn" | "untilOn">,
): DatedDependent => ({ ...given, ...otherwise, ...withoutUndefined(given), fromOn: fromOn ?? otherwise.fromOn })

/** Applies the rules of ID numbers to each dependent; a number is optional. INVALID names the row and field. */
export function checkDependents<T extends Omit<DependentInput, "id">>(
  dependents: readonly T[],
  today: Day,
): Decision<T[], "INVALID"> {
  const settled: T[] = []
  for (const [index, dependent] of dependents.entries()) {
    const person = completeIdentity({ ...dependent, passportNumber: null }, today, false)
    if (isRefusal(person)) {
      const { fields } = person.data as { fields: { path: string; message: string }[] }
      const placed = fields.map(({ path, message }) => ({ path: `dependents.${index}.${path}`, message }))
      return refuse("INVALID", `${dependent.firstName} ${dependent.lastName}: ${person.message}`, { fields: placed })
    }
    const { passportNumber: _, ...rest } = person
    settled.push(rest as unknown as T)
  }
  return settled
}

/** Warnings that do not block saving: more than one spouse, a child over 21. */
export function warningsOfDependents(
  dependents: readonly Pick<Dependent, "firstName" | "lastName" | "relationship" | "dateOfBirth">[],
  today: Day,
): string[] {
  const warnings: string[] = []
  const spouses = dependents.filter(({ relationship }) => relationship === "spouse").length
  if (spouses > 1) warnings.push(`${spouses} spouses are on record`)
  for (const { firstName, lastName, relationship, dateOfBirth } of dependents) {
    if (relationship !== "child" || !dateOfBirth) continue
    const age = ageOn(dateOfBirth, today)
    if (age > 21) warnings.push(`${firstName} ${lastName} is a child aged ${age}, over 21`)
  }
  return warnings
}
