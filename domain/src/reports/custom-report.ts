import { invoiceFields } from "../billing/invoice-fields.ts"
import { claimFields } from "../claims/claim-fields.ts"
import { canSeeMedical } from "../claims/claim-privacy.ts"
import { addDays, addMonths, type Day, type DayFormat, formatDay } from "../kernel/calendar.ts"
import type { Field, Fields } from "../kernel/field.ts"
import { type Column, calendarMonth, count, type ListWords } from "../kernel/list.ts"
import type { Currency } from "../kernel/money.ts"
import type { FieldError } from "../kernel/procedure.ts"
import { memberReportFields } from "../members/member-report-fields.ts"
import { payoutFields } from "../payouts/payout-fields.ts"
import { hasPermission, type Role } from "../platform/permission.ts"
import { policyReportFields } from "../policies/policy-report-fields.ts"
import { receiptFields } from "../receipts/receipt-fields.ts"
import { refundFields } from "../refunds/refund-fields.ts"
import { type CustomFilter, describeFilter, findConditionProblem } from "./custom-filter.ts"
import { permissionOf, type ReportCategory, type ReportFormat, type ReportWords } from "./report.ts"
import { periodText } from "./report-period.ts"

export const customId = "custom"

export const customTypes = ["claims", "members", "financial", "groups", "receipts", "payments", "refunds"] as const
export type CustomType = (typeof customTypes)[number]

interface Source {
  name: string
  category: ReportCategory
  noun: { one: string; many: string }
  fields: Fields
  rangeBy: string
}

/** Types and fields of custom reports (specification 2, section 3). */
export const customSources: Record<CustomType, Source> = {
  claims: {
    name: "Claims",
    category: "claims",
    noun: { one: "claim", many: "claims" },
    fields: claimFields,
    rangeBy: "submittedOn",
  },
  members: {
    name: "Members",
    category: "member",
    noun: { one: "member", many: "members" },
    fields: memberReportFields,
    rangeBy: "startOn",
  },
  financial: {
    name: "Financial",
    category: "financial",
    noun: { one: "invoice", many: "invoices" },
    fields: invoiceFields,
    rangeBy: "invoiceOn",
  },
  groups: {
    name: "Groups",
    category: "group",
    noun: { one: "policy", many: "policies" },
    fields: policyReportFields,
    rangeBy: "startOn",
  },
  receipts: {
    name: "Receipts",
    category: "financial",
    noun: { one: "receipt", many: "receipts" },
    fields: receiptFields,
    rangeBy: "receivedOn",
  },
  payments: {
    name: "Claim payments",
    category: "financial",
    noun: { one: "payment", many: "payments" },
    fields: payoutFields,
    rangeBy: "preparedOn",
  },
  refunds: {
    name: "Premium refunds",
    category: "financial",
    noun: { one: "refund", many: "refunds" },
    fields: refundFields,
    rangeBy: "requestedOn",
  },
}

export const customRanges = ["last_7_days", "last_30_days", "last_90_days", "last_year", "custom", "all"] as const
export type CustomRange = (typeof customRanges)[number]
export const customRangeNames: Record<CustomRange, string> = {
  last_7_days: "Last 7 days",
  last_30_days: "Last 30 days",
  last_90_days: "Last 90 days",
  last_year: "Last year",
  custom: "Custom range",
  all: "All dates",
}

export interface CustomDefinition {
  type: CustomType
  fields: string[]
  range: CustomRange
  /** For a custom range only; null = open at that end. */
  from: Day | null
  to: Day | null
  filters: CustomFilter[]
  /** null = sorted by the first column. */
  order: { by: string; dir: "asc" | "desc" } | null
  /** One row per value of this field, with row count and totals; null = ungrouped. */
  groupBy: string | null
  chart: "bars" | "lines" | null
}

/** Reports of members and policies start with all dates. */
export const defaultRange = (type: CustomType): CustomRange =>
  type === "members" || type === "groups" ? "all" : defaultDefinition.range

/** Defaults of the dialog (specification 2, section 9). */
export const defaultDefinition: CustomDefinition = {
  type: "claims",
  fields: [],
  range: "last_30_days",
  from: null,
  to: null,
  filters: [],
  order: null,
  groupBy: null,
  chart: null,
}
export const defaultFormat: ReportFormat = "pdf"

/** Wording of specification 2, section 5. */
export const customIncomplete = "Please provide a report name and select at least one field."

export const maxFilters = 20

const rowCountColumn = "rows"

export const findField = (type: CustomType, name: string): Field | undefined =>
  Object.hasOwn(customSources[type].fields, name) ? customSources[type].fields[name] : undefined

/** A caller without a role sees no guarded field. */
export const canUseField = ({ guarded }: Field, role: Role | null): boolean =>
  guarded === undefined || (guarded === "medical" ? canSeeMedical(role) : role !== null && role !== "policy_holder")

export const typesAllowedFor = (role: Role | null): CustomType[] =>
  customTypes.filter((type) => hasPermission(role, permissionOf(customSources[type])))

export const fieldsAllowedFor = (type: CustomType, role: Role | null): [string, Field][] =>
  Object.entries(customSources[type].fields).filter(([, field]) => canUseField(field, role))

export const usedFieldsOf = ({ fields, filters, groupBy, order }: CustomDefinition): string[] => [
  ...new Set([
    ...fields,
    ...filters.map(({ field }) => field),
    ...(groupBy ? [groupBy] : []),
    ...(order && order.by !== rowCountColumn ? [order.by] : []),
  ]),
]

/** The role must see the type and every field used. */
export const canMakeReport = (definition: CustomDefinition, role: Role | null): boolean =>
  typesAllowedFor(role).includes(definition.type) &&
  usedFieldsOf(definition).every((name) => {
    const field = findField(definition.type, name)
    return field === undefined || canUseField(field, role)
  })

/** First and last day, inclusive, of a range that ends on `last`; missing = open at that end. */
export function daysOfRange({ range, from, to }: CustomDefinition, last: Day): { from?: Day; to?: Day } {
  if (range === "all") return {}
  if (range === "custom") return { ...(from && { from }), ...(to && { to }) }
  const first = { last_7_days: -6, last_30_days: -29, last_90_days: -89 } as const
  return { from: range === "last_year" ? addDays(addMonths(last, -12), 1) : addDays(last, first[range]), to: last }
}

export function customColumns(definition: CustomDefinition): [string, Column][] {
  const { type, fields, groupBy } = definition
  const { noun } = customSources[type]
  const chosen = fields.flatMap((name): [string, Field][] => {
    const field = findField(type, name)
    return field ? [[name, field]] : []
  })
  const group = groupBy === null ? undefined : findField(type, groupBy)
  if (!groupBy || !group) return chosen.map(([name, field]) => [name, columnOf(field)])
  return [
    [groupBy, groupColumn(group)],
    [rowCountColumn, { ...count(noun.many.charAt(0).toUpperCase() + noun.many.slice(1)), sort: true }],
    ...chosen
      .filter(([name, field]) => name !== groupBy && isSummable(field))
      .map(([name, field]): [string, Column] => [name, columnOf(field)]),
  ]
}

const columnOf = ({ guarded: _guarded, groups: _groups, adds: _adds, ...column }: Field): Column => ({
  ...column,
  sort: true,
})

const groupColumn = (field: Field): Column =>
  field.kind === "day"
    ? calendarMonth(`${field.title} (month)`, { sort: true, none: "None" })
    : { ...columnOf(field), none: "None" }

export const isSummable = ({ kind, adds }: Field): boolean => (kind === "money" || kind === "count") && adds !== false

/** The chosen fields that have no column in a grouped report. */
export const fieldsWithoutColumn = ({ type, fields, groupBy }: CustomDefinition): Field[] =>
  groupBy === null
    ? []
    : fields.flatMap((name) => {
        const field = findField(type, name)
        return field && name !== groupBy && !isSummable(field) ? [field] : []
      })

/** Validation errors by field path; empty when valid. */
export function problemsOf(definition: CustomDefinition): FieldError[] {
  const { type, fields, filters, groupBy, order, chart, range, from, to } = definition
  const problems: FieldError[] = []
  const wrong = (path: string, message: string) => problems.push({ path, message })
  if (fields.length === 0) wrong("fields", customIncomplete)
  if (new Set(fields).size < fields.length) wrong("fields", "Select each field only once")
  for (const name of usedFieldsOf(definition))
    if (!findField(type, name)) wrong("fields", `Unknown field ${name} for ${customSources[type].noun.many}`)
  filters.forEach((filter, index) => {
    const field = findField(type, filter.field)
    const message = field && findConditionProblem(field, filter)
    if (message) wrong(`filters.${index}.value`, message)
  })
  const group = groupBy === null ? undefined : findField(type, groupBy)
  if (group && !group.groups) wrong("groupBy", `You cannot group by ${group.title}`)
  if (order && !customColumns(definition).some(([name]) => name === order.by))
    wrong("order", "Sort the report by one of its columns")
  if (chart && !group) wrong("chart", "Choose a field to group by before you add a chart")
  if (chart === "lines" && group?.kind !== "day") wrong("chart", "A line chart needs a date to group by")
  if (range === "custom" && from && to && to < from) wrong("to", "The last day is before the first day")
  return problems
}

export function customReport(definition: CustomDefinition, name: string): ReportWords & { list: ListWords } {
  const { type, fields, groupBy, chart, order } = definition
  const { category, noun } = customSources[type]
  const columns = customColumns(definition)
  const names = columns.map(([column]) => column)
  const added = fields.filter((one) => names.includes(one) && isSummable(findField(type, one)!))
  const sums = groupBy ? [rowCountColumn, ...added] : added
  const { by, dir } = order ?? { by: names[0]!, dir: "asc" }
  const subtotals = names.filter((one) => {
    const field = findField(type, one)
    return field?.groups && field.kind !== "day"
  })
  return {
    id: customId,
    name,
    category,
    medical: usedFieldsOf(definition).some((one) => findField(type, one)?.guarded === "medical"),
    ...(!groupBy && { subtotals }),
    ...(chart &&
      groupBy && {
        chart: { by: groupBy, of: [added[0] ?? rowCountColumn], as: chart },
      }),
    list: {
      key: customId,
      noun: groupBy ? { one: "line", many: "lines" } : noun,
      permission: permissionOf({ category }),
      order: dir === "desc" ? `-${by}` : by,
      columns: Object.fromEntries(columns),
      sums,
    },
  }
}

/** A stored definition reduced to fields that still exist. */
export interface ReducedDefinition {
  definition: CustomDefinition
  /** Names of removed fields used as column, group or order. */
  missing: string[]
  /** Names of removed fields used in filters. Without these filters the report would reveal more than intended. */
  missingFilters: string[]
}

/** Removes fields that no longer exist. */
export function reduceDefinition(stored: CustomDefinition): ReducedDefinition {
  const { type, filters, groupBy, order, chart } = stored
  const isThere = (name: string) => findField(type, name) !== undefined
  const holds = (filter: CustomFilter) => {
    const field = findField(type, filter.field)
    return field !== undefined && findConditionProblem(field, filter) === undefined
  }
  const group = groupBy !== null && findField(type, groupBy)?.groups ? groupBy : null
  const left = { ...stored, fields: stored.fields.filter(isThere), filters: filters.filter(holds), groupBy: group }
  const isOrdered = order && customColumns(left).some(([name]) => name === order.by)
  return {
    definition: { ...left, order: isOrdered ? order : null, chart: group ? chart : null },
    missing: usedFieldsOf({ ...stored, filters: [] }).filter((name) => !isThere(name)),
    missingFilters: [...new Set(filters.filter((one) => !holds(one)).map(({ field }) => field))],
  }
}

/** Parameters in words: "2026-10-24 to 2026-11-22 · Status is Approved · By Status". */
export function describeDefinition(
  definition: CustomDefinition,
  days: { from?: Day; to?: Day },
  format: DayFormat,
  currency: Currency,
): string {
  const { type, filters, groupBy } = definition
  const { from, to } = days
  const range =
    from && to
      ? periodText({ from, to }, format)
      : from
        ? `from ${formatDay(from, format)}`
        : to
          ? `until ${formatDay(to, format)}`
          : undefined
  const by = findField(type, customSources[type].rangeBy)!.title
  return [
    ...(range ? [`${by} ${range}`] : []),
    ...filters.map((filter) => describeFilter(findField(type, filter.field)!, filter, format, currency)),
    ...(groupBy ? [`By ${findField(type, groupBy)!.title}`] : []),
  ].join(" · ")
}
