import type { ErrorMap } from "@orpc/contract"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { procedures } from "../test/procedures.ts"

/** What is answered goes out as JSON without a look at it (`procedures.ts`): a date or a map would arrive as something else. */

const beyondJson = ["date", "bigint", "map", "set", "nan", "symbol", "file"]

/** The kinds of values in a shape that JSON does not hold. */
function foreign(shape: z.ZodType, io: "input" | "output" = "output"): string[] {
  const found: string[] = []
  z.toJSONSchema(shape, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema }) => {
      const { type } = zodSchema._zod.def
      if (beyondJson.includes(type)) found.push(type)
    },
  })
  return found
}

describe.each(procedures)("$path", ({ contract }) => {
  // The screens' link writes what is asked as JSON too (web/src/platform/api.ts).
  test("is asked what JSON holds", () => {
    const { inputSchema } = contract["~orpc"]
    if (inputSchema) expect(foreign(inputSchema as z.ZodType, "input")).toEqual([])
  })
  test("answers what JSON holds", () => {
    const { outputSchema, errorMap } = contract["~orpc"]
    const shapes = [outputSchema, ...Object.values(errorMap as ErrorMap).map((error) => error?.data)]
    for (const shape of shapes) if (shape) expect(foreign(shape as z.ZodType)).toEqual([])
  })
})

test("a date, a map, a set and a bigint are noticed", () => {
  for (const shape of [z.date(), z.map(z.string(), z.string()), z.set(z.string()), z.bigint()])
    expect(foreign(z.object({ rows: z.array(z.object({ shape: shape.nullable() })) }))).toEqual([shape._zod.def.type])
})
