import { contract } from "@milkwood/domain/contract"
import { addDays, addMonths, type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import type { ProcedureMeta } from "@milkwood/domain/kernel/procedure"
import type { PermissionName } from "@milkwood/domain/platform/permission"
import { catalogue } from "@milkwood/domain/reports/catalogue"
import { permissionOf } from "@milkwood/domain/reports/report"
import { z } from "zod"

export interface Call {
  procedure: string
  asked: string
  input: Record<string, unknown>
  permission: PermissionName | "session" | "public"
  isList: boolean
}

export interface Samples {
  today: Day
  ids: Record<string, string[]>
  searches: Record<string, string>
}

interface Shape {
  properties?: Record<string, Property>
  required?: string[]
}
interface Property {
  enum?: string[]
  anyOf?: { const?: number }[]
  type?: string
  format?: string
  items?: Property
  default?: unknown
}

interface Procedure {
  "~orpc": { meta: ProcedureMeta; inputSchema?: z.ZodType }
}

const handWrittenCalls: Record<string, (samples: Samples) => LabelledInput[]> = {
  "reports.rows": () => catalogue.map((report) => [`report ${report.id}`, { report: report.id }, permissionOf(report)]),
  "reports.search": ({ searches }) => Object.entries(searches).map(([kind, text]) => [`by ${kind}`, { text }]),
  "members.pick": ({ searches }) => [["by name", { search: searches.name }]],
  "employers.groups": () => [["by name", { search: "acacia" }]],
  "claims.payable": () => [["all", {}]],
  "reports.debtorsAgeing": ({ today }) => [
    ["today", {}],
    ["at an earlier day", { asOf: addDays(today, -100) }],
    ["by group", { sort: "groupName", dir: "asc" }],
    ["searched", { search: "acacia" }],
  ],
  "ledger.trialBalance": ({ today }) => [
    ["today", {}],
    ["at an earlier day", { asOf: addDays(today, -100) }],
  ],
  "reconciliation.detail": ({ ids, today }) => {
    const months = [today, addMonths(today, -1)].map(firstOfMonth)
    return ids.groupId!.flatMap((groupId, place) =>
      months.map(
        (month): LabelledInput => [`${place === 0 ? "usual" : "largest"} group, ${month}`, { groupId, month }],
      ),
    )
  },
  "receipts.creditOffer": ({ ids }) => [["of two invoices", { invoiceIds: ids.invoiceId }]],
  "members.sameIdentity": ({ searches }) => [["by ID number", { idNumber: searches["ID number"] }]],
}

export function allCalls(samples: Samples): Call[] {
  return listProcedures(contract).flatMap(([name, procedure]) => {
    const { meta, inputSchema } = procedure["~orpc"]
    if (meta.kind !== "read" || meta.permission === undefined) return []
    const shape = (inputSchema ? z.toJSONSchema(inputSchema, { io: "input", unrepresentable: "any" }) : {}) as Shape
    const isList = shape.properties?.pageSize !== undefined && shape.properties.sort !== undefined
    const asked =
      handWrittenCalls[name]?.(samples) ?? (isList ? listInputs(shape, samples) : recordInputs(shape, samples))
    return asked.map(([text, input, permission = meta.permission!]) => ({
      procedure: name,
      asked: text,
      input,
      permission,
      isList,
    }))
  })
}

function listProcedures(node: object, path: string[] = []): [string, Procedure][] {
  if ("~orpc" in node) return [[path.join("."), node as Procedure]]
  return Object.entries(node).flatMap(([key, child]) => listProcedures(child as object, [...path, key]))
}

type LabelledInput = [string, Record<string, unknown>, Call["permission"]?]

function listInputs(shape: Shape, samples: Samples): LabelledInput[] {
  const properties = shape.properties!
  const frames = shape.required?.length ? recordInputs(shape, samples) : [["", {}] satisfies LabelledInput]
  const asked: LabelledInput[] = [
    ["first page", {}],
    ["page of 100", { pageSize: 100 }],
    ["page 2", { page: 2 }],
    ["page 400", { page: 400 }],
  ]
  for (const sort of properties.sort!.enum!) {
    for (const dir of ["asc", "desc"]) asked.push([`sort ${sort} ${dir}`, { sort, dir }])
  }
  for (const [kind, search] of Object.entries(samples.searches)) asked.push([`search ${kind}`, { search }])
  for (const [name, property] of Object.entries(properties)) {
    if (["page", "pageSize", "sort", "dir", "search", ...(shape.required ?? [])].includes(name)) continue
    for (const value of valuesOf(name, property, samples))
      asked.push([`${name} ${shortenLabel(value)}`, { [name]: value }])
  }
  const largest = properties.policyId && samples.ids.policyId?.at(-1)
  if (largest) {
    for (const sort of properties.sort!.enum!) asked.push([`largest policy, sort ${sort}`, { sort, policyId: largest }])
  }
  return frames.flatMap(([frame, base]) =>
    asked.map(
      ([text, input]) => [[frame, text].filter(Boolean).join(", "), { ...base, ...input }] satisfies LabelledInput,
    ),
  )
}

function recordInputs(shape: Shape, samples: Samples): LabelledInput[] {
  const required = shape.required ?? []
  if (required.length === 0) return [["", {}]]
  const rounds = Math.max(...required.map((name) => valuesOf(name, shape.properties![name]!, samples).length))
  return Array.from({ length: rounds }, (_, place) => {
    const values = required.map((name) => [name, valuesOf(name, shape.properties![name]!, samples).at(place)] as const)
    const input = Object.fromEntries(
      values.map(([name, value], at) => [name, value ?? valuesOf(name, shape.properties![required[at]!]!, samples)[0]]),
    )
    return [values.map(([name, value]) => `${name} ${shortenLabel(value)}`).join(", "), input] satisfies LabelledInput
  })
}

function valuesOf(name: string, property: Property, samples: Samples): unknown[] {
  const { ids, today } = samples
  if (ids[name]) return ids[name]
  if (property.enum) return property.enum
  if (property.type === "boolean") return [true]
  if (property.format === "date") {
    const day = addDays(today, name.endsWith("To") ? 0 : -40)
    return [/month$/i.test(name) ? firstOfMonth(day) : day]
  }
  const [first] = property.items ? valuesOf(name, property.items, samples) : []
  return first === undefined ? [] : [[first]]
}

const shortenLabel = (value: unknown) => {
  const text = String(value)
  return /^[0-9a-f-]{36}$/.test(text) ? text.slice(0, 8) : text
}
