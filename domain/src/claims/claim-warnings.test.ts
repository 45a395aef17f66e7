import { expect, test } from "vitest"
import { claimWarnings, type WarningEvidence } from "./claim-warnings.ts"

const quiet: WarningEvidence = {
  incidentOn: "2026-10-20",
  notificationOn: "2026-10-22",
  coveredSince: "2026-01-01",
  rejoinedOn: null,
  sameIncident: [],
  sameDocument: [],
}
const sentencesOf = (changes: Partial<WarningEvidence>) =>
  claimWarnings({ ...quiet, ...changes }, "DD-MM-YYYY").map(({ sentence }) => sentence)
const other = { id: "1", number: "CLM-2026-000009" }

test("a usual claim has no warning", () => {
  expect(sentencesOf({})).toEqual([])
})

test("claims of the same incident and documents of the same content are named", () => {
  expect(claimWarnings({ ...quiet, sameIncident: [other], sameDocument: [other] }, "DD-MM-YYYY")).toEqual([
    { sentence: "The person, benefit and incident date are the same as on", claims: [other] },
    { sentence: "A document has the same content as one on", claims: [other] },
  ])
})

test.each([
  ["2026-07-20", []],
  ["2026-07-21", ["Cover began on 21-07-2026, less than 3 months before the incident."]],
  ["2026-10-20", ["Cover began on 20-10-2026, less than 3 months before the incident."]],
  ["2026-10-21", []],
  [null, []],
])("cover since %s: %j", (coveredSince, sentences) => {
  expect(sentencesOf({ coveredSince })).toEqual(sentences)
})

test.each([
  ["2027-01-18", []],
  ["2027-01-19", ["The claim was reported 91 days after the incident."]],
  [null, []],
])("reported on %s: %j", (notificationOn, sentences) => {
  expect(sentencesOf({ notificationOn })).toEqual(sentences)
})

test("a member who rejoined around the incident is named with the day", () => {
  expect(sentencesOf({ rejoinedOn: "2026-09-01" })).toEqual(["The member rejoined on 01-09-2026 after a gap in cover."])
})
