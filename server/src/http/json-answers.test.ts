import type { ErrorMap } from "@orpc/contract"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { procedures } from "../test/procedures.ts"

/** Responses are sent as JSON without conversion (`procedures.ts`), so a date or map would be changed silently. */

const nonJsonTypes = ["date", "bigint", "map", "set", "nan", "symbol", "file"]

function findNonJsonFields(shape: z.ZodType, io: "input" | "output" = "output"): string[] {
  const found: string[] = []
  z.toJSONSchema(shape, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema }) => {
      const { type } = zodSchema._zod.def
      if (nonJsonTypes.includes(type)) found.push(type)
    },
  })
  return found
}

describe.each(procedures)("$path", ({ contract }) => {
  // The screens' client also sends requests as plain JSON (web/src/platform/api.ts).
  test("the input has only JSON types", () => {
    const { inputSchema } = contract["~orpc"]
    if (inputSchema) expect(findNonJsonFields(inputSchema as z.ZodType, "input")).toEqual([])
  })
  test("the output and errors have only JSON types", () => {
    const { outputSchema, errorMap } = contract["~orpc"]
    const shapes = [outputSchema, ...Object.values(errorMap as ErrorMap).map((error) => error?.data)]
    for (const shape of shapes) if (shape) expect(findNonJsonFields(shape as z.ZodType)).toEqual([])
  })
})

test("the check detects a date, a map, a set and a bigint", () => {
  for (const shape of [z.date(), z.map(z.string(), z.string()), z.set(z.string()), z.bigint()])
    expect(findNonJsonFields(z.object({ rows: z.array(z.object({ shape: shape.nullable() })) }))).toEqual([
      shape._zod.def.type,
    ])
})
