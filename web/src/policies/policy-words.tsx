import type { Cents } from "@milkwood/domain/kernel/money"
import { type EndRule, endRuleNames } from "@milkwood/domain/policies/end-rule"
import { type CoverageType, coverageTypes, policyLabels } from "@milkwood/domain/policies/policy"
import type { ReactNode } from "react"
import { DayText } from "../ui/day.tsx"
import { MoneyText } from "../ui/money.tsx"

const word = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const coverageOptions = coverageTypes.map((value) => ({ value, label: word(value) }))

export const coverageWord = (type: CoverageType | null) => (type === null ? undefined : word(type))

export const endRuleWord = (rule: EndRule) => endRuleNames[rule]

export const months = (count: number) => (count === 1 ? "1 month" : `${count} months`)

export function policyField(name: string): { label?: string; show?: (value: unknown) => ReactNode } | undefined {
  const label = policyLabels[name]
  if (name.endsWith("Cents")) return { label, show: (value) => <MoneyText cents={value as Cents | null} /> }
  if (name.endsWith("On")) return { label, show: (value) => <DayText day={value as string | null} /> }
  if (name === "waitingPeriodMonths") return { label, show: (value) => months(Number(value)) }
  if (name === "endRule") return { label, show: (value) => endRuleWord(value as EndRule) }
  if (name === "rates") return { label, show: (value) => (Array.isArray(value) ? value.join("; ") : "None") }
  return label ? { label } : undefined
}
