import { describe, expect, test } from "vitest"
import { z } from "zod"
import { cents } from "./money-shape.ts"
import "./procedure.ts"
import { line } from "./text-shape.ts"

const issueTextsOf = (schema: z.ZodType, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map(({ message }) => message)

describe("an invalid value gets a plain message when its schema has none", () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ["nothing", z.string(), undefined, "This is missing"],
    ["null", z.object({}), null, "This is missing"],
    ["another kind", z.string(), 5, "This must be text"],
    ["a fraction of a cent", cents, 1.5, "This must be a whole number"],
    ["a list for fields", z.object({}), [], "This must be a set of fields"],
    ["too long", line(200), "x".repeat(201), "At most 200 characters"],
    ["too many", z.array(z.string()).max(1), ["a", "b"], "At most 1 entries"],
    ["too small", z.int().min(1), 0, "At least 1"],
    ["no id", z.uuid(), "abc", "This is not a record id"],
    ["no choice", z.enum(["asc", "desc"]), "up", "This must be one of: asc, desc"],
    ["an unknown field", z.strictObject({}), { status: "paid" }, "Unknown fields: status"],
    ["no such alternative", z.union([z.literal(25), z.literal(50)]), 3, "This value is not allowed here"],
  ])("%s", (_, schema, value, words) => expect(issueTextsOf(schema, value)).toEqual([words]))

  test("a schema's own message has priority over the plain message", () => {
    expect(issueTextsOf(z.string().max(3, "Too long a name"), "abcd")).toEqual(["Too long a name"])
  })
})
