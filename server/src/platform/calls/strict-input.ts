import type { ProcedureMeta } from "@milkwood/domain/kernel/procedure"
import { type AnySchema, ContractProcedure, type ErrorMap } from "@orpc/contract"
import { z } from "zod"

type Schema = z.core.$ZodType
type Def = z.core.$ZodTypeDef & Record<string, unknown>

/** Where a schema of a kind holds the object that it stands for. */
const within: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    ["optional", "nullable", "default", "prefault", "nonoptional", "readonly", "catch"].map((kind) => [
      kind,
      ["innerType"],
    ]),
  ),
  union: ["options"],
  pipe: ["in"],
}

/**
 * The same schema, refusing fields that its object, or an object in one of its fields, does not name. A field that is
 * silently dropped would let a caller believe that it took effect. Rows of lists are left as they are: callers send back
 * rows as they read them.
 */
function strictly(schema: Schema): Schema {
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
  const each = (inner: unknown): unknown => (Array.isArray(inner) ? inner.map(each) : strictly(inner as Schema))
  return clone(Object.fromEntries(places.map((place) => [place, each(def[place])])))
}

/** The contract of a command whose input refuses unknown fields; a query is left as it is. */
export function withStrictInput<I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  contract: ContractProcedure<I, O, E, ProcedureMeta>,
): ContractProcedure<I, O, E, ProcedureMeta> {
  const def = contract["~orpc"]
  if (!def.inputSchema || def.meta.kind === "read") return contract
  return new ContractProcedure({ ...def, inputSchema: strictly(def.inputSchema as unknown as Schema) as unknown as I })
}
