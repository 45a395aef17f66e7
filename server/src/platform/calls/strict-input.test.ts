import { describe, expect, test } from "vitest"
import type { z } from "zod"
import { boundProcedure, procedures, sampleInput } from "../../test/procedures.ts"

/** A copy of a value for each object in it, with a field there that nothing knows; with the place of that object. */
function withUnknown(value: unknown, place: string[] = []): { place: string[]; value: unknown }[] {
  if (typeof value !== "object" || value === null) return []
  const inner = Object.entries(value).flatMap(([key, child]) =>
    withUnknown(child, [...place, key]).map((changed) => ({
      place: changed.place,
      value: Array.isArray(value) ? value.with(Number(key), changed.value) : { ...value, [key]: changed.value },
    })),
  )
  return Array.isArray(value) ? inner : [{ place, value: { ...value, unexpected: 1 } }, ...inner]
}

/** Objects of a schema that take any field. */
function open(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): z.core.$ZodType[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const def = schema._zod.def as unknown as Record<string, unknown>
  const catchall = def.catchall as z.core.$ZodType | undefined
  const own = def.type === "object" && catchall?._zod.def.type !== "never" ? [schema] : []
  const inner = Object.values(def).flatMap((part) =>
    typeof part !== "object" || part === null ? [] : "_zod" in part ? [part] : Object.values(part),
  )
  return [
    ...own,
    ...inner
      .filter((part): part is z.core.$ZodType => typeof part === "object" && part !== null && "_zod" in part)
      .flatMap((part) => open(part, seen)),
  ]
}

/** Fields that hold whatever keys the caller gives: the filters of a saved view. */
const keyed = new Set(["users.views.save address"])

const commands = procedures.filter(({ meta, contract }) => meta.kind === "write" && contract["~orpc"].inputSchema)

test("there are commands", () => {
  expect(commands.length).toBeGreaterThan(100)
})

describe.each(commands)("$path", ({ path, contract }) => {
  test("refuses an unknown field by name, at every depth", async () => {
    const schema = (await boundProcedure(path))["~orpc"].inputSchema as unknown as z.ZodType
    expect(open(schema)).toEqual([])
    const input = sampleInput(contract)
    expect(schema.safeParse(input).error?.issues.filter(({ code }) => code === "unrecognized_keys") ?? []).toEqual([])
    for (const { place, value } of withUnknown(input)) {
      if (keyed.has(`${path} ${place.join(".")}`)) continue
      const { success, error } = schema.safeParse(value)
      expect(success, place.join(".")).toBe(false)
      expect(JSON.stringify(error!.issues), place.join(".")).toContain('"unexpected"')
    }
  })
})
