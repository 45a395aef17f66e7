import type { ErrorMap } from "@orpc/contract"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { procedures } from "../test/procedures.ts"

/** What is answered goes out as JSON without a look at it (`procedures.ts`): a date or a map would arrive as something else. */

const holdsOnlyJson = (shape: z.ZodType) => z.toJSONSchema(shape, { io: "output", unrepresentable: "throw" })

describe.each(procedures)("$path", ({ contract }) => {
  test("answers what JSON holds", () => {
    const { outputSchema, errorMap } = contract["~orpc"]
    const shapes = [outputSchema, ...Object.values(errorMap as ErrorMap).map((error) => error?.data)]
    for (const shape of shapes) if (shape) holdsOnlyJson(shape as z.ZodType)
  })
})

test("a date, a map, a set and a bigint are noticed", () => {
  for (const shape of [z.date(), z.map(z.string(), z.string()), z.set(z.string()), z.bigint()])
    expect(() => holdsOnlyJson(z.object({ rows: z.array(z.object({ shape })) }))).toThrow()
})
