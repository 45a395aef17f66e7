import { type Day, type DayFormat, formatDay } from "../kernel/calendar.ts"
import type { Field } from "../kernel/field.ts"
import type { ColumnKind } from "../kernel/list.ts"
import { type Currency, formatMoney } from "../kernel/money.ts"

export const operatorNames = {
  contains: "contains",
  lacks: "does not contain",
  begins: "begins with",
  is: "is",
  isNot: "is not",
  atLeast: "is at least",
  atMost: "is at most",
  from: "is on or after",
  until: "is on or before",
  isEmpty: "is empty",
  isNotEmpty: "is not empty",
} as const
export type Operator = keyof typeof operatorNames
export const operators = Object.keys(operatorNames) as [Operator, ...Operator[]]

const textOperators = ["contains", "lacks", "begins", "is", "isNot", "isEmpty", "isNotEmpty"] as const
const numberOperators = ["atLeast", "atMost", "is", "isEmpty", "isNotEmpty"] as const
const dayOperators = ["from", "until", "is", "isEmpty", "isNotEmpty"] as const
const choiceOperators = ["is", "isNot"] as const

const operatorsByKind: Record<ColumnKind, readonly Operator[]> = {
  text: textOperators,
  reference: textOperators,
  person: textOperators,
  day: dayOperators,
  month: dayOperators,
  instant: dayOperators,
  money: numberOperators,
  count: numberOperators,
  words: choiceOperators,
  status: choiceOperators,
}

/** The operators of a field; the first is the default. */
export const operatorsOf = ({ kind }: Pick<Field, "kind">): readonly Operator[] => operatorsByKind[kind]

/** True for operators that compare with nothing (is empty, is not empty). */
export const hasNoValue = (operator: Operator): boolean => operator === "isEmpty" || operator === "isNotEmpty"

/** A text, cents or a count, a day, or several values of a closed list; null for operators without a value. */
export type FilterValue = string | number | string[] | null

export interface CustomFilter {
  field: string
  operator: Operator
  value: FilterValue
}

/** An error message for the user; undefined when the condition is valid. */
export function findConditionProblem(
  field: Field,
  { operator, value }: Omit<CustomFilter, "field">,
): string | undefined {
  if (!operatorsOf(field).includes(operator)) return `This comparison is not possible for ${field.title}`
  if (hasNoValue(operator)) return undefined
  const { kind, names } = field
  if (names) {
    if (!Array.isArray(value) || value.length === 0) return `Choose a value for ${field.title}`
    return value.every((one) => Object.hasOwn(names, one))
      ? undefined
      : `Choose a value from the list of ${field.title}`
  }
  if (kind === "money") return Number.isSafeInteger(value) ? undefined : "Enter an amount"
  if (kind === "count") return Number.isSafeInteger(value) ? undefined : "Enter a whole number"
  if (kind === "day") return typeof value === "string" && isDay(value) ? undefined : "Enter a date"
  return typeof value === "string" && value.trim() !== "" ? undefined : "Enter text to compare with"
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text, { overflow: "reject" }).toString() === text && /^(18|19|2\d)/.test(text)
  } catch {
    return false
  }
}

/** The condition in words: "Claim amount is at least R 1 000,00". */
export function describeFilter(
  field: Field,
  { operator, value }: CustomFilter,
  format: DayFormat,
  currency: Currency,
): string {
  const words = `${field.title} ${operatorNames[operator]}`
  return hasNoValue(operator) ? words : `${words} ${formatFilterValue(field, value, format, currency)}`
}

function formatFilterValue({ kind, names }: Field, value: FilterValue, format: DayFormat, currency: Currency): string {
  if (Array.isArray(value)) return value.map((one) => names?.[one] ?? one).join(" or ")
  if (kind === "money") return formatMoney(value as number, currency)
  if (kind === "day") return formatDay(value as Day, format)
  return kind === "count" ? String(value) : `"${value}"`
}
