import type { FieldError, ProcedureMeta } from "@milkwood/domain/kernel/procedure"
import { type AnySchema, ContractProcedure, type ErrorMap } from "@orpc/contract"
import { z } from "zod"

type Schema = z.core.$ZodType
type Def = z.core.$ZodTypeDef & Record<string, unknown>

/** The property of a schema that holds its inner schemas, by type. */
const innerOf: Record<string, string> = {
  ...Object.fromEntries(
    ["optional", "nullable", "default", "prefault", "nonoptional", "readonly", "catch"].map((type) => [
      type,
      "innerType",
    ]),
  ),
  array: "element",
  record: "valueType",
  union: "options",
  pipe: "in",
}

/** These could contain an object that no clone reaches. */
const opaque = ["any", "unknown", "custom", "transform", "intersection", "lazy", "map", "set", "tuple", "promise"]

/**
 * Clones a schema so that each of its objects, at every depth, refuses unknown fields. A field that is silently dropped
 * would let a caller believe that it took effect.
 */
function strictly(schema: Schema): Schema {
  const def = schema._zod.def as Def
  const clone = (changes: Record<string, unknown>) =>
    z.core.clone(schema, { ...def, ...changes } as never, { parent: schema as never })
  if (opaque.includes(def.type)) throw new Error(`an input cannot be strict: ${def.type}`)
  if (def.type === "object") {
    const shape = Object.entries(def.shape as Record<string, Schema>).map(([name, field]) => [name, strictly(field)])
    return clone({ shape: Object.fromEntries(shape), catchall: z.never() })
  }
  const inner = innerOf[def.type]
  if (!inner) return schema
  const held = def[inner] as Schema | readonly Schema[]
  return clone({ [inner]: Array.isArray(held) ? held.map(strictly) : strictly(held as Schema) })
}

/** The contract of a command, with an input that refuses unknown fields. The contract of a query is unchanged. */
export function withStrictInput<I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  contract: ContractProcedure<I, O, E, ProcedureMeta>,
): ContractProcedure<I, O, E, ProcedureMeta> {
  const def = contract["~orpc"]
  if (!def.inputSchema || def.meta.kind === "read") return contract
  return new ContractProcedure({ ...def, inputSchema: strictly(def.inputSchema as unknown as Schema) as unknown as I })
}

/** What INVALID says of a field that is not declared, outside of an input with a schema. */
export const unknownField = (path: string): FieldError => ({
  path: path.slice(0, 200),
  message: `This is not a field here: ${path.split(".").at(-1)!.slice(0, 100)}`,
})
