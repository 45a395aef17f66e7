import type { OpenAPI } from "@orpc/openapi"
import type { AnyProcedure, Context } from "@orpc/server"
import type { StandardHandlerOptions, StandardHandlerPlugin } from "@orpc/server/standard"
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4"

/** The API writes a month as `YYYY-MM`; internally it is the month's first day. */
const apiMonth = /^\d{4}-\d{2}$/
const firstDay = /^\d{4}-\d{2}-01$/
/** Month fields: `month`, `billedMonth` and `next` (the next month to close). */
const namesMonth = /^(?:\w*month|next)$/i

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

function read(schema: Schema, value: unknown, name?: string): unknown {
  if (typeof value === "string") {
    const isMonth = name !== undefined && namesMonth.test(name) && apiMonth.test(value) && isDay(schema)
    return isMonth ? `${value}-01` : value
  }
  if (typeof value !== "object" || value === null) return value
  const choices = choicesOf(schema)
  if (Array.isArray(value)) {
    const items = choices.find((choice) => typeof choice.items === "object")?.items as Schema | undefined
    return items ? value.map((item) => read(items, item, name)) : value
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const of = choices.flatMap(({ properties = {} }) => (Object.hasOwn(properties, key) ? [properties[key]!] : []))[0]
      return [key, of ? read(of, inner, key) : inner]
    }),
  )
}

function write(value: unknown, name?: string): unknown {
  if (typeof value === "string")
    return name !== undefined && namesMonth.test(name) && firstDay.test(value) ? value.slice(0, 7) : value
  if (Array.isArray(value)) return value.map((item) => write(item, name))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, write(inner, key)]))
}

/** Requests may also send a month's first day. */
export class MonthsPlugin<T extends Context> implements StandardHandlerPlugin<T> {
  readonly #converter = new ZodToJsonSchemaConverter()
  readonly #schemas = new WeakMap<AnyProcedure, Schema>()

  init(options: StandardHandlerOptions<T>): void {
    options.clientInterceptors ??= []
    options.clientInterceptors.unshift(async (call) => {
      const schema = await this.#schemaOf(call.procedure)
      return write(await call.next({ ...call, input: read(schema, call.input) }))
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
  return described(document) as OpenAPI.Document
}

function described(value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => described(item, name))
  if (typeof value !== "object" || value === null) return value
  const isMonth = name !== undefined && namesMonth.test(name)
  if (isMonth && (value as Schema).format === "date") return month
  const parameter = value as { name?: unknown; in?: unknown; schema?: unknown }
  if (typeof parameter.name === "string" && parameter.in !== undefined)
    return { ...value, schema: described(parameter.schema, parameter.name) }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const keepsName = key === "anyOf" || key === "oneOf" || key === "allOf"
      return [key, described(inner, keepsName ? name : key)]
    }),
  )
}
