import type { ProcedureMeta } from "@milkwood/domain/kernel/procedure"
import { type AnySchema, ContractProcedure, type ErrorMap } from "@orpc/contract"
import { z } from "zod"

type Schema = z.core.$ZodType
type Def = z.core.$ZodTypeDef & Record<string, unknown>

/** Where a schema of a kind holds other schemas. */
const within: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    ["optional", "nullable", "default", "prefault", "nonoptional", "readonly", "catch"].map((kind) => [
      kind,
      ["innerType"],
    ]),
  ),
  array: ["element"],
  union: ["options"],
  tuple: ["items", "rest"],
  record: ["valueType"],
  pipe: ["in", "out"],
}

const made = new WeakMap<Schema, Schema>()

/**
 * The same schema with every object in it refusing fields that it does not name. A field that is silently dropped would
 * let a caller believe that it took effect. Rejects schemas that cannot be made strict (intersections, lazy schemas).
 */
export function strictly(schema: Schema): Schema {
  const known = made.get(schema)
  if (known) return known
  const strict = rebuilt(schema)
  made.set(schema, strict)
  return strict
}

function rebuilt(schema: Schema): Schema {
  const def = schema._zod.def as Def
  const clone = (changes: Record<string, unknown>) =>
    z.core.clone(schema, { ...def, ...changes } as never, { parent: schema as never })
  if (def.type === "intersection" || def.type === "lazy") throw new Error(`an input cannot be strict: ${def.type}`)
  if (def.type === "object") {
    const shape = Object.entries(def.shape as Record<string, Schema>).map(([name, field]) => [name, strictly(field)])
    return clone({ shape: Object.fromEntries(shape), catchall: def.catchall ?? z.never() })
  }
  const places = within[def.type]
  if (!places) return schema
  const each = (inner: unknown): unknown =>
    Array.isArray(inner) ? inner.map(each) : inner ? strictly(inner as Schema) : inner
  return clone(Object.fromEntries(places.map((place) => [place, each(def[place])])))
}

/** The contract of a command whose input refuses unknown fields at every depth; a query is left as it is. */
export function withStrictInput<I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  contract: ContractProcedure<I, O, E, ProcedureMeta>,
): ContractProcedure<I, O, E, ProcedureMeta> {
  const def = contract["~orpc"]
  if (!def.inputSchema || def.meta.kind === "read") return contract
  return new ContractProcedure({ ...def, inputSchema: strictly(def.inputSchema as unknown as Schema) as unknown as I })
}
