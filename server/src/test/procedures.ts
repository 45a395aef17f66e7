import { randomUUID } from "node:crypto"
import { contract } from "@milkwood/domain/contract"
import type { ProcedureMeta } from "@milkwood/domain/kernel/procedure"
import { isMailTemplate, mailTemplates } from "@milkwood/domain/settings/mail-templates"
import { type AnyContractProcedure, isContractProcedure } from "@orpc/contract"
import { type AnyProcedure, unlazy } from "@orpc/server"
import { z } from "zod"
import { router } from "../router.ts"

export interface FoundProcedure {
  path: string
  contract: AnyContractProcedure
  meta: ProcedureMeta
}

function proceduresOf(node: unknown, path: string[] = []): FoundProcedure[] {
  if (isContractProcedure(node)) {
    return [{ path: path.join("."), contract: node, meta: node["~orpc"].meta as ProcedureMeta }]
  }
  return Object.entries(node as object).flatMap(([key, child]) => proceduresOf(child, [...path, key]))
}

export const procedures = proceduresOf(contract)

const texts: Record<string, string> = {
  email: "somebody@example.test",
  to: "somebody@example.test",
  recipients: "somebody@example.test",
  phone: "0215550100",
  cell: "0825550100",
  payeeBank: "Nedbank",
  payeeBranchCode: "198765",
  payeeAccountNumber: "1234567890",
  bankCutOff: "15:00",
  vatNumber: "",
  accountNumber: "1234567",
  branchCode: "",
  sender: "",
}

const nonEmptyArrays = new Set(["lines"])

/** A value that passes the JSON Schema: required fields, and with `ids` every id and a version. */
export function sampleValue(schema: z.core.JSONSchema.JSONSchema, ids?: (name: string) => string, name = ""): unknown {
  // The JSON Schema of a mail template does not express its required placeholders.
  if (isMailTemplate(name)) return mailTemplates[name].initial
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (first) return sampleValue(first as z.core.JSONSchema.JSONSchema, ids, name)
  if (schema.type === "object") {
    const properties = Object.entries(schema.properties ?? {}) as [string, z.core.JSONSchema.JSONSchema][]
    const given = properties.filter(
      ([name, { format }]) => schema.required?.includes(name) || (ids && (format === "uuid" || name === "version")),
    )
    return Object.fromEntries(given.map(([name, property]) => [name, sampleValue(property, ids, name)]))
  }
  if (schema.type === "array")
    return Array.from({ length: schema.minItems ?? (nonEmptyArrays.has(name) ? 1 : 0) }, () =>
      sampleValue(schema.items as z.core.JSONSchema.JSONSchema, ids, name),
    )
  if (schema.type === "integer" || schema.type === "number") return Math.max(schema.minimum ?? 1, 1)
  if (schema.type === "boolean") return false
  if (schema.type === "null") return null
  if (schema.format === "uuid") return ids?.(name) ?? randomUUID()
  if (schema.format === "email") return "somebody@example.test"
  if (schema.format === "date") return "2026-11-01"
  if (schema.format === "date-time") return "2026-11-01T08:00:00Z"
  return texts[name] ?? "x".repeat(Math.max(schema.minLength ?? 0, 1))
}

export function sampleInput(procedure: AnyContractProcedure, ids?: (name: string) => string): unknown {
  const schema = procedure["~orpc"].inputSchema
  return schema
    ? sampleValue(z.toJSONSchema(schema as z.ZodType, { io: "input", unrepresentable: "any" }), ids)
    : undefined
}

export interface PlantedInput {
  input: unknown
  /** The unknown field as INVALID names it: `dependents.2.colour`. */
  path: string
}

/** Sample inputs with one unknown field each: in every object of the schema, at every depth, in the third row of a list. */
export function createPlantedInputs(procedure: AnyContractProcedure, field: string): PlantedInput[] {
  const schema = procedure["~orpc"].inputSchema
  if (!schema) return []
  const json = z.toJSONSchema(schema as z.ZodType, { io: "input", unrepresentable: "any" })
  return findPlantedValues(json, field, []).map(({ value, path }) => ({ input: value, path: path.join(".") }))
}

type PlantedValue = { value: unknown; path: string[] }

function findPlantedValues(schema: z.core.JSONSchema.JSONSchema, field: string, path: string[]): PlantedValue[] {
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (options)
    return options.flatMap((option) => findPlantedValues(option as z.core.JSONSchema.JSONSchema, field, path))
  const name = path.at(-1) ?? ""
  if (schema.type === "array") {
    const items = schema.items as z.core.JSONSchema.JSONSchema
    const before = Math.min(2, (schema.maxItems ?? 3) - 1)
    const rows = Array.from({ length: before }, () => sampleValue(items, undefined, name))
    return findPlantedValues(items, field, [...path, `${before}`]).map((inner) => ({
      ...inner,
      value: [...rows, inner.value],
    }))
  }
  if (schema.type !== "object" || !schema.properties) return []
  const value = sampleValue(schema, undefined, name) as object
  const inside = Object.entries(schema.properties).flatMap(([key, property]) =>
    findPlantedValues(property as z.core.JSONSchema.JSONSchema, field, [...path, key]).map((inner) => ({
      ...inner,
      value: { ...value, [key]: inner.value },
    })),
  )
  return [{ value: { ...value, [field]: 1 }, path: [...path, field] }, ...inside]
}

export async function bindProcedure(path: string): Promise<AnyProcedure> {
  const found = path.split(".").reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], router)
  const { default: procedure } = await unlazy(found as AnyProcedure)
  return procedure as AnyProcedure
}
