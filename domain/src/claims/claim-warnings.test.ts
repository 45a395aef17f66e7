import { expect, test } from "vitest"
import { claimWarnings, type WarningEvidence } from "./claim-warnings.ts"

const quiet: WarningEvidence = {
  incidentOn: "2026-10-20",
  notificationOn: "2026-10-22",
  incidentCountry: "ZA",
  requestedAmountCents: 200_00,
  approved: { claims: 10, medianCents: 100_00 },
  coveredSince: "2026-01-01",
  rejoinedOn: null,
  sameIncident: [],
  otherMemberships: [],
  sameDocument: [],
  sameBill: [],
}
const sentencesOf = (changes: Partial<WarningEvidence>) =>
  claimWarnings({ ...quiet, ...changes }, "DD-MM-YYYY", "ZAR").map(({ sentence }) => sentence)
const other = { id: "1", number: "CLM-2026-000009" }

test("a usual claim has no warning", () => {
  expect(sentencesOf({})).toEqual([])
})

test("claims of the same incident, under another membership, with the same document or bill number are named", () => {
  const same = { sameIncident: [other], otherMemberships: [other], sameDocument: [other], sameBill: [other] }
  expect(claimWarnings({ ...quiet, ...same }, "DD-MM-YYYY", "ZAR")).toEqual([
    { sentence: "The person, benefit and incident date are the same as on", claims: [other] },
    { sentence: "The person, claim type and incident date are the same under another membership, on", claims: [other] },
    { sentence: "A document has the same content as one on", claims: [other] },
    { sentence: "The bill number is the same as on", claims: [other] },
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

const unusual =
  "The requested amount is more than twice the usual for this benefit: R\u00a0100,00, the median of 10 claims approved in 24 months."
test.each([
  [200_01, { claims: 10, medianCents: 100_00 }, [unusual]],
  [200_00, { claims: 10, medianCents: 100_00 }, []],
  [200_01, { claims: 9, medianCents: 100_00 }, []],
  [200_01, null, []],
  [null, { claims: 10, medianCents: 100_00 }, []],
])("requested %s cents, approved before %j: %j", (requestedAmountCents, approved, sentences) => {
  expect(sentencesOf({ requestedAmountCents, approved })).toEqual(sentences)
})

test("an incident abroad is named with its country", () => {
  expect(sentencesOf({ incidentCountry: "MZ" })).toEqual(["The incident happened outside South Africa: Mozambique."])
})
