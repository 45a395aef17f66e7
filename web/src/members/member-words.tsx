import { memberLabels } from "@milkwood/domain/members/member"
import { memberField } from "@milkwood/domain/members/member-fields"
import { nominationFieldNames } from "@milkwood/domain/members/nomination"
import type { ReactNode } from "react"
import { DayText } from "../ui/day.tsx"
import { fieldValueText } from "../ui/declared-fields.tsx"

export function memberHistoryField(name: string): { label?: string; show?: (value: unknown) => ReactNode } | undefined {
  const label = memberLabels[name] ?? nominationFieldNames[name]
  if (name === "dependents" || name === "dependentIdNumbers")
    return { label, show: (value) => ((value as string[] | null) ?? []).join(", ") || "none" }
  const field = memberField(name)
  if (field) return { label, show: (value) => fieldValueText(field, value) }
  if (name.endsWith("On")) return { label, show: (value) => <DayText day={value as string} /> }
  return label ? { label } : undefined
}
