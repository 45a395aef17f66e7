import { describe, expect, test } from "vitest"
import type { z } from "zod"
import { boundProcedure, procedures, sampleInput } from "../../test/procedures.ts"

const commands = procedures.filter(({ meta, contract }) => meta.kind === "write" && contract["~orpc"].inputSchema)

test("there are commands", () => {
  expect(commands.length).toBeGreaterThan(100)
})

/** The paths of the objects of a value that stand in no list. */
function objectsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  return [path, ...Object.entries(value).flatMap(([name, inner]) => objectsOf(inner, [...path, name]))]
}

const withUnknown = (value: object, [name, ...path]: string[]): object =>
  name === undefined
    ? { ...value, unexpected: 1 }
    : { ...value, [name]: withUnknown((value as Record<string, object>)[name]!, path) }

describe.each(commands)("$path", ({ path, contract }) => {
  test("refuses an unknown field by name, in its objects too, or keeps it", async () => {
    const schema = (await boundProcedure(path))["~orpc"].inputSchema as unknown as z.ZodType
    const input = sampleInput(contract) as object
    expect(schema.safeParse(input).error?.issues.filter(({ code }) => code === "unrecognized_keys") ?? []).toEqual([])
    for (const place of objectsOf(input)) {
      const { data, error } = schema.safeParse(withUnknown(input, place))
      expect(JSON.stringify(error ? error.issues : data), place.join(".")).toContain('"unexpected"')
    }
  })
})
