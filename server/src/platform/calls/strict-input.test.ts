import { describe, expect, test } from "vitest"
import type { z } from "zod"
import { boundProcedure, procedures, sampleInput } from "../../test/procedures.ts"

const commands = procedures.filter(({ meta, contract }) => meta.kind === "write" && contract["~orpc"].inputSchema)

test("there are commands", () => {
  expect(commands.length).toBeGreaterThan(100)
})

describe.each(commands)("$path", ({ path, contract }) => {
  test("refuses an unknown field by name", async () => {
    const schema = (await boundProcedure(path))["~orpc"].inputSchema as unknown as z.ZodType
    const input = sampleInput(contract) as object
    expect(schema.safeParse(input).error?.issues.filter(({ code }) => code === "unrecognized_keys") ?? []).toEqual([])
    const { success, error } = schema.safeParse({ ...input, unexpected: 1 })
    expect(success).toBe(false)
    expect(JSON.stringify(error!.issues)).toContain('"unexpected"')
  })
})
