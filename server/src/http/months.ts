import type { OpenAPI } from "@orpc/openapi"
import type { AnyProcedure, Context } from "@orpc/server"
import type { StandardHandlerOptions, StandardHandlerPlugin } from "@orpc/server/standard"
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4"

/** The API writes a month as `YYYY-MM`; internally it is the month's first day. */
const apiMonthPattern = /^\d{4}-\d{2}$/
const firstDay = /^\d{4}-\d{2}-01$/
/** Month fields: `month`, `billedMonth` and `next` (the next month to close). */
const monthFieldPattern = /^(?:\w*month|next)$/i

interface Schema {
  format?: string
  properties?: Record<string, Schema>
  items?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
}

const choicesOf = (schema: Schema): Schema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(choicesOf),
]
const isDay = (schema: Schema): boolean => choicesOf(schema).some(({ format }) => format === "date")

function expandMonths(schema: Schema, value: unknown, name?: string): unknown {
  if (typeof value === "string") {
    const isMonth = name !== undefined && monthFieldPattern.test(name) && apiMonthPattern.test(value) && isDay(schema)
    return isMonth ? `${value}-01` : value
  }
  if (typeof value !== "object" || value === null) return value
  const choices = choicesOf(schema)
  if (Array.isArray(value)) {
    const items = choices.find((choice) => typeof choice.items === "object")?.items as Schema | undefined
    return items ? value.map((item) => expandMonths(items, item, name)) : value
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const of = choices.flatMap(({ properties = {} }) => (Object.hasOwn(properties, key) ? [properties[key]!] : []))[0]
      return [key, of ? expandMonths(of, inner, key) : inner]
    }),
  )
}

function shortenMonths(value: unknown, name?: string): unknown {
  if (typeof value === "string")
    return name !== undefined && monthFieldPattern.test(name) && firstDay.test(value) ? value.slice(0, 7) : value
  if (Array.isArray(value)) return value.map((item) => shortenMonths(item, name))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortenMonths(inner, key)]))
}

/** In the API a month is `YYYY-MM`; requests may also send its first day. */
export class MonthsPlugin<T extends Context> implements StandardHandlerPlugin<T> {
  readonly #converter = new ZodToJsonSchemaConverter()
  readonly #schemas = new WeakMap<AnyProcedure, Schema>()

  init(options: StandardHandlerOptions<T>): void {
    options.clientInterceptors ??= []
    options.clientInterceptors.unshift(async (call) => {
      const schema = await this.#schemaOf(call.procedure)
      return shortenMonths(await call.next({ ...call, input: expandMonths(schema, call.input) }))
    })
  }

  async #schemaOf(procedure: AnyProcedure): Promise<Schema> {
    const known = this.#schemas.get(procedure)
    if (known) return known
    const { inputSchema } = procedure["~orpc"]
    const [, made] = inputSchema ? await this.#converter.convert(inputSchema, { strategy: "input" }) : [true, {}]
    this.#schemas.set(procedure, made as Schema)
    return made as Schema
  }
}

const month = { type: "string", pattern: "^\\d{4}-\\d{2}$", examples: ["2026-10"] }

export function describeMonths(document: OpenAPI.Document): OpenAPI.Document {
  return describeValue(document) as OpenAPI.Document
}

function describeValue(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => describeValue(item, name))
  if (typeof value !== "object" || value === null) return value
  const isMonth = name !== undefined && monthFieldPattern.test(name)
  if (isMonth && (value as Schema).format === "date") return month
  const parameter = value as { name?: unknown; in?: unknown; schema?: unknown }
  if (typeof parameter.name === "string" && parameter.in !== undefined)
    return { ...value, schema: describeValue(parameter.schema, parameter.name) }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const keepsName = key === "anyOf" || key === "oneOf" || key === "allOf"
      return [key, describeValue(inner, keepsName ? name : key)]
    }),
  )
}
