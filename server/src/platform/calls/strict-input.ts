import type { FieldError, ProcedureMeta } from "@milkwood/domain/kernel/procedure"
import { type AnySchema, ContractProcedure, type ErrorMap } from "@orpc/contract"
import { z } from "zod"

type Schema = z.core.$ZodType
type Def = z.core.$ZodTypeDef & Record<string, unknown>

/** Schema type → the property with its inner schemas. */
const innerSchemaKeys: Record<string, string> = {
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

/** Types that may contain objects which the strict copy does not reach. Commands may not use them. */
const unsupportedTypes = [
  "any",
  "unknown",
  "custom",
  "transform",
  "intersection",
  "lazy",
  "map",
  "set",
  "tuple",
  "promise",
]

/**
 * Refuses unknown fields in objects at every depth. If a field were dropped silently, the caller would believe that it
 * was saved.
 */
function makeStrict(schema: Schema): Schema {
  const def = schema._zod.def as Def
  const clone = (changes: Record<string, unknown>) =>
    z.core.clone(schema, { ...def, ...changes } as never, { parent: schema as never })
  if (unsupportedTypes.includes(def.type)) throw new Error(`an input cannot be strict: ${def.type}`)
  if (def.type === "object") {
    const shape = Object.entries(def.shape as Record<string, Schema>).map(([name, field]) => [name, makeStrict(field)])
    return clone({ shape: Object.fromEntries(shape), catchall: z.never() })
  }
  const inner = innerSchemaKeys[def.type]
  if (!inner) return schema
  const held = def[inner] as Schema | readonly Schema[]
  return clone({ [inner]: Array.isArray(held) ? held.map(makeStrict) : makeStrict(held as Schema) })
}

/** Commands only; a query's contract is unchanged. */
export function withStrictInput<I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  contract: ContractProcedure<I, O, E, ProcedureMeta>,
): ContractProcedure<I, O, E, ProcedureMeta> {
  const def = contract["~orpc"]
  if (!def.inputSchema || def.meta.kind === "read") return contract
  return new ContractProcedure({
    ...def,
    inputSchema: makeStrict(def.inputSchema as unknown as Schema) as unknown as I,
  })
}

/** Also used for uploads and report queries, which have no strict schema. */
export const unknownFieldError = (path: string): FieldError => ({
  path: path.slice(0, 200),
  message: `Unknown field: ${path.split(".").at(-1)!.slice(0, 100)}`,
})
