import { memberLabels, type Relationship, relationships } from "@milkwood/domain/members/member"
import { memberField, memberFields } from "@milkwood/domain/members/member-fields"
import type { ReactNode } from "react"
import { DayText } from "../ui/day.tsx"
import { optionsOf, shownValue } from "../ui/declared-fields.tsx"

export const word = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const options = <T extends string>(values: readonly T[]) => values.map((value) => ({ value, label: word(value) }))

export const genderOptions = optionsOf(memberFields.gender)
export const relationshipOptions = options<Relationship>(relationships)

export function memberHistory(name: string): { label?: string; show?: (value: unknown) => ReactNode } | undefined {
  const label = memberLabels[name]
  if (name === "dependents" || name === "dependentIdNumbers")
    return { label, show: (value) => ((value as string[] | null) ?? []).join(", ") || "none" }
  const field = memberField(name)
  if (field) return { label, show: (value) => shownValue(field, value) }
  if (name.endsWith("On")) return { label, show: (value) => <DayText day={value as string} /> }
  return label ? { label } : undefined
}
