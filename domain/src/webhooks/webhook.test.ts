import { expect, test } from "vitest"
import type { Fact } from "../facts.ts"
import { sentences } from "../facts.ts"
import { allowedWebhookActions, maxAttempts, pauseSecondsAfter, retryAfterSeconds } from "./webhook.ts"
import { announcedFacts, eventOf, messageBody, messageRecord, webhookEventNames } from "./webhook-events.ts"

const claim = { record: { kind: "claim", id: "c", label: "CLM-2026-000001" }, groupId: "g" }
const asFact = (one: object) => one as Fact

test("a message is retried for three days with growing delays, then given up", () => {
  const waits = Array.from({ length: maxAttempts }, (_, tried) => retryAfterSeconds(tried + 1))
  expect(waits.at(-1)).toBeNull()
  const counted = waits.slice(0, -1) as number[]
  expect(counted).toEqual([...counted].sort((a, b) => a - b))
  const hours = counted.reduce((sum, wait) => sum + wait, 0) / 3600
  expect(hours).toBeGreaterThan(72)
  expect(hours).toBeLessThan(78)
})

test("an unresponsive address is paused for growing periods, up to 15 minutes", () => {
  expect([1, 2, 3, 4, 50].map(pauseSecondsAfter)).toEqual([15, 30, 60, 120, 900])
})

test("each event has a fact, and each of these facts exists", () => {
  const events = new Set(
    announcedFacts.flatMap((type) =>
      [
        { stage: "policy_holder", decision: "approved" },
        { stage: "policy_holder", decision: "rejected" },
      ].map((said) => eventOf(asFact({ type, ...claim, ...said }))),
    ),
  )
  expect([...events].sort()).toEqual([...webhookEventNames].sort())
  for (const type of announcedFacts) expect(Object.keys(sentences)).toContain(type)
})

test.each([
  ["group_admin", "approved", null],
  ["underwriter", "approved", null],
  ["policy_holder", "approved", "claim.approved"],
  ["group_admin", "rejected", "claim.rejected"],
])("a claim decision of stage %s, %s, sends the event %s", (stage, decision, event) => {
  expect(eventOf(asFact({ type: "ClaimDecided", ...claim, stage, decision }))).toBe(event)
})

test("a message contains ids and numbers, never a name", () => {
  const said = { after: { diagnosis: "Fracture" }, reason: "Fracture", names: ["Ann Nkosi"], amountCents: 5 }
  const body = messageBody("claim.submitted", Temporal.Instant.from("2026-11-02T08:00:00Z"), {
    ...messageRecord(asFact({ type: "ClaimSubmitted", ...claim, ...said })),
  })
  expect(body).toBe(
    '{"type":"claim.submitted","timestamp":"2026-11-02T08:00:00Z","data":{"kind":"claim","id":"c","number":"CLM-2026-000001","groupId":"g"}}',
  )
  const list = { kind: "staff_list", id: "s", label: "Ann Nkosi.csv" }
  expect(messageRecord(asFact({ type: "StaffListImported", record: list, groupId: "g" }))).toEqual({
    kind: "staff_list",
    id: "s",
    groupId: "g",
  })
})

test("a webhook's allowed actions depend on whether it is paused", () => {
  expect(allowedWebhookActions({ isPaused: false })).toEqual(["edit", "pause", "rotate", "test", "remove"])
  expect(allowedWebhookActions({ isPaused: true })).toEqual(["edit", "resume", "rotate", "remove"])
})
