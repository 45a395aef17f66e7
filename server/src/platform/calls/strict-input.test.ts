import { writeProcedure } from "@milkwood/domain/kernel/procedure"
import { call } from "@orpc/server"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { bindProcedure, createPlantedInputs, procedures } from "../../test/procedures.ts"
import { type RequestContext, signInActor } from "./commands.ts"
import { withStrictInput } from "./strict-input.ts"

const commands = procedures
  .filter(({ meta, contract }) => meta.kind === "write" && contract["~orpc"].inputSchema)
  .map(({ path, contract }) => ({ path, places: createPlantedInputs(contract, "colour") }))

/** A refused input never reaches the handler, so no app is needed. */
const context = { actor: signInActor, requestId: "", headers: new Headers() } as RequestContext

const message = "Unknown fields: colour"

test("the test inputs cover every command, including nested lists of rows", () => {
  expect(commands.length).toBeGreaterThan(100)
  expect(commands.filter(({ places }) => places.length === 0)).toEqual([])
  const places = commands.flatMap(({ path, places }) => places.map((place) => `${path} ${place.path}`))
  expect(places).toEqual(
    expect.arrayContaining([
      "members.update dependents.2.colour",
      "billing.generate invoice.lines.2.colour",
      "policies.saveRates rates.sumAssured.sums.2.colour",
      "banking.confirm parts.2.allocations.2.colour",
      "receipts.recordDeposit parts.2.allocations.2.colour",
    ]),
  )
})

describe.each(commands)("$path", ({ path, places }) => {
  test.each(places)("refuses the unknown field $path and names its path", async ({ input, path: planted }) => {
    await expect(call(await bindProcedure(path), input, { context })).rejects.toMatchObject({
      code: "INVALID",
      data: { fields: expect.arrayContaining([{ path: planted, message }]) },
    })
  })
})

test("a command cannot declare input types that could hide unknown fields", () => {
  const hidden = (shape: z.ZodType) => () =>
    withStrictInput(writeProcedure("session").input(z.object({ hidden: shape })))
  expect(hidden(z.record(z.string(), z.array(z.string())))).not.toThrow()
  expect(hidden(z.unknown())).toThrow("an input cannot be strict: unknown")
  expect(hidden(z.array(z.lazy(() => z.object({}))))).toThrow("an input cannot be strict: lazy")
})
