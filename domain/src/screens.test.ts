import { expect, test } from "vitest"
import { modulesByRecordKind, modulesToRefresh, type Room } from "./screens.ts"

const listedModules: Room[] = [
  "users",
  "settings",
  "benefits",
  "policies",
  "members",
  "staffLists",
  "billing",
  "receipts",
]

test("a module's screens refresh after its commands", () => {
  for (const room of [...listedModules, "payouts", "claims"] as Room[]) expect(modulesToRefresh(room)).toContain(room)
})

test.each([
  ["members", "claims"],
  ["members", "billing"],
  ["receipts", "policies"],
  ["receipts", "claims"],
  ["billing", "claims"],
  ["policies", "members"],
  ["staffLists", "members"],
  ["payouts", "claims"],
] as const)("changes of module %s refresh the screens of %s", (room, other) => {
  expect(modulesToRefresh(room)).toContain(other)
})

test("each module appears once per record kind", () => {
  for (const shown of Object.values(modulesByRecordKind)) expect(new Set(shown).size).toBe(shown.length)
})
