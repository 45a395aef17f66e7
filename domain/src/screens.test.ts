import { expect, test } from "vitest"
import { type Room, roomsAfter, shownIn } from "./screens.ts"

const rooms: Room[] = ["users", "settings", "benefits", "policies", "members", "staffLists", "billing", "receipts"]

test("a module's screens refresh after its commands", () => {
  for (const room of [...rooms, "payouts", "claims"] as Room[]) expect(roomsAfter(room)).toContain(room)
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
] as const)("changes of %s are shown in %s", (room, other) => {
  expect(roomsAfter(room)).toContain(other)
})

test("each module appears once per kind", () => {
  for (const shown of Object.values(shownIn)) expect(new Set(shown).size).toBe(shown.length)
})
