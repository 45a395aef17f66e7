import { expect, test } from "vitest"
import { dependentsOf, quickTests } from "./quick-tests.mjs"
import { rooms, sources } from "./sources.mjs"

const file = (path: string, text = "") => ({ path, text })
const files = [
  file("domain/src/billing/run.ts", 'import { x } from "../premiums/rate.ts"'),
  file("domain/src/billing/run.test.ts"),
  file("server/src/claims/cover.ts", 'import { rate } from "@milkwood/domain/premiums/rate"'),
  file("server/src/claims/cover.test.ts"),
  file("server/src/ledger/post.ts", '// import { x } from "../premiums/x.ts"'),
  file("server/src/refunds/refund.test.ts", 'import { x } from "../premiums/x.ts"'),
  file("server/src/premiums/rates.test.ts"),
  file("server/src/premiums/history.test.ts"),
  file("web/src/premiums/rates.test.tsx"),
]

test("dependents are the rooms that import the room, other than in tests and comments", () => {
  expect(dependentsOf("premiums", files)).toEqual(["billing", "claims"])
})

test("runs the room's own tests first and leaves out what exceeds the budget", () => {
  const seconds = {
    "server/src/premiums/history.test.ts": 24,
    "server/src/premiums/rates.test.ts": 2,
    "server/src/claims/cover.test.ts": 21,
  }
  const { run, left } = quickTests("premiums", files, seconds)
  expect(run).toEqual([
    "web/src/premiums/rates.test.tsx",
    "server/src/premiums/rates.test.ts",
    "domain/src/billing/run.test.ts",
    "server/src/claims/cover.test.ts",
  ])
  expect(left).toEqual(["server/src/premiums/history.test.ts"])
})

const all = sources()

test.each(rooms)("%s has tests that fit into the budget", (room: string) => {
  expect(quickTests(room, all).run.length).toBeGreaterThan(0)
})
