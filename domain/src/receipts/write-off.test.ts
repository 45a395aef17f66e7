import { describe, expect, test } from "vitest"
import { roles } from "../platform/permission.ts"
import {
  applyWriteOffStep,
  checkWriteOffAmount,
  writeOffActionsOf,
  writeOffState,
  writeOffStates,
} from "./write-off.ts"

const writeOffInput = {
  totalCents: 100,
  askedBy: "asker",
  keyMadeBy: null,
  writtenOffOn: null,
  declinedAt: null,
  reversedAt: null,
}
const writeOffsByState = {
  waiting: writeOffInput,
  written_off: { ...writeOffInput, writtenOffOn: "2026-11-02" },
  declined: { ...writeOffInput, declinedAt: "2026-11-02T08:00:00Z" },
  reversed: { ...writeOffInput, writtenOffOn: "2026-11-02", reversedAt: "2026-11-03T08:00:00Z" },
}

describe.each(writeOffStates)("a write-off that is %s", (state) => {
  const writeOff = writeOffsByState[state]
  test("has that state", () => expect(writeOffState(writeOff)).toBe(state))
  test.each([...roles, null])("for %s", (role) => {
    const writes = role === "admin" || role === "manager"
    const expected: readonly string[] = {
      waiting: ["confirm", "decline"],
      written_off: ["reverse"],
      declined: [],
      reversed: [],
    }[state]
    expect(writeOffActionsOf(writeOff, { userId: "other", role })).toEqual(writes ? expected : [])
    expect(writeOffActionsOf(writeOff, { userId: "asker", role })).toEqual(
      writes ? expected.filter((action) => action !== "confirm") : [],
    )
    for (const action of ["confirm", "decline", "reverse"] as const) {
      const step = applyWriteOffStep(writeOff, action, { userId: "other", role: "manager" })
      if (expected.includes(action)) expect(step).toBe(true)
      else expect(step).toMatchObject({ refused: "WRITE_OFF_STATE" })
    }
  })
})

test("a requester cannot confirm their own write-off", () => {
  expect(applyWriteOffStep(writeOffInput, "confirm", { userId: "asker", role: "admin" })).toMatchObject({
    refused: "OWN_WRITE_OFF",
  })
})

test("the creator of a service key can withdraw but not confirm its write-off", () => {
  const byProgram = { ...writeOffInput, keyMadeBy: "maker" }
  expect(writeOffActionsOf(byProgram, { userId: "maker", role: "admin" })).toEqual(["decline"])
  expect(writeOffActionsOf(byProgram, { userId: "other", role: "admin" })).toEqual(["confirm", "decline"])
})

test("a write-off is at most the open amount, which is the default", () => {
  expect(checkWriteOffAmount(100, null)).toBe(100)
  expect(checkWriteOffAmount(100, 100)).toBe(100)
  expect(checkWriteOffAmount(100, 101)).toMatchObject({ refused: "MORE_THAN_OPEN" })
  expect(checkWriteOffAmount(0, null)).toMatchObject({ refused: "NOTHING_OPEN" })
})
