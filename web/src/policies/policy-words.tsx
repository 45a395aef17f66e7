import type { Cents } from "@milkwood/domain/kernel/money"
import { type EndRule, endRuleNames } from "@milkwood/domain/policies/end-rule"
import { policyLabels } from "@milkwood/domain/policies/policy"
import { policyField as declaredField } from "@milkwood/domain/policies/policy-fields"
import type { ReactNode } from "react"
import { DayText } from "../ui/day.tsx"
import { fieldValueText } from "../ui/declared-fields.tsx"
import { MoneyText } from "../ui/money.tsx"

export const endRuleName = (rule: EndRule) => endRuleNames[rule]

export const monthCountText = (count: number) => (count === 1 ? "1 month" : `${count} months`)

export function policyHistoryField(name: string): { label?: string; show?: (value: unknown) => ReactNode } | undefined {
  const label = policyLabels[name]
  const declared = declaredField(name)
  if (declared) return { label, show: (value) => fieldValueText(declared, value) }
  if (name.endsWith("Cents")) return { label, show: (value) => <MoneyText cents={value as Cents | null} /> }
  if (name.endsWith("On")) return { label, show: (value) => <DayText day={value as string | null} /> }
  if (name === "waitingPeriodMonths") return { label, show: (value) => monthCountText(Number(value)) }
  if (name === "endRule") return { label, show: (value) => endRuleName(value as EndRule) }
  if (name === "rates") return { label, show: (value) => (Array.isArray(value) ? value.join("; ") : "None") }
  return label ? { label } : undefined
}
