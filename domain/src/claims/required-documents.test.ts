import { expect, test } from "vitest"
import { createClaim } from "./claim.samples.ts"
import { claimTypes, documentTypes } from "./claim.ts"
import {
  type ChecklistFacts,
  type DocumentRule,
  defaultDocumentRules,
  documentChecklist,
  documentsText,
  missingDocuments,
  missingDocumentsMessage,
} from "./required-documents.ts"

const nothing = { attached: [], waived: [] }
const missingOf = (facts: Partial<ChecklistFacts>, rules: readonly DocumentRule[] = defaultDocumentRules) =>
  missingDocuments(documentChecklist(createClaim(facts), nothing, rules)).map(documentsText)

test.each([
  [{ claimType: "death" }, ["Death certificate", "ID document"]],
  [
    { claimType: "death", dependentId: "00000000-0000-4000-8000-000000000009" },
    ["Death certificate", "ID document", "Proof of relationship"],
  ],
  [{ claimType: "disability" }, ["Medical report"]],
  [{ claimType: "medical" }, ["Medical report or hospital bill"]],
  [{ claimType: "maternity" }, ["Medical report or hospital bill"]],
  [{ claimType: "other" }, []],
  [{ claimType: null }, []],
] as const)("by default a claim with %o requires %j", (facts, required) => expect(missingOf(facts)).toEqual(required))

test("any one of the alternatives is enough", () => {
  const stateWith = (attached: readonly (typeof documentTypes)[number][]) =>
    documentChecklist(createClaim({ claimType: "medical" }), { attached, waived: [] }, defaultDocumentRules)[0]?.state
  expect(stateWith(["hospital_bill"])).toBe("there")
  expect(stateWith(["medical_report", "other"])).toBe("there")
  expect(stateWith(["police_report"])).toBe("missing")
})

test("a waiver covers exactly the requirement it was given for", () => {
  const stateWith = (waived: (typeof documentTypes)[number][]) =>
    documentChecklist(
      createClaim({ claimType: "medical" }),
      { attached: [], waived: [waived] },
      defaultDocumentRules,
    )[0]?.state
  expect(stateWith(["hospital_bill", "medical_report"])).toBe("waived")
  expect(stateWith(["medical_report"])).toBe("missing")
})

test("an attached document counts even if it was waived before", () => {
  const evidence = { attached: ["medical_report"], waived: [["medical_report"]] } as const
  expect(documentChecklist(createClaim({ claimType: "disability" }), evidence, defaultDocumentRules)).toEqual([
    { documents: ["medical_report"], state: "there" },
  ])
})

test("a rule can apply to one benefit, or above an amount", () => {
  const benefitId = "00000000-0000-4000-8000-000000000005"
  const common = { claimType: "medical", benefitId: null, dependentsOnly: false, aboveCents: null } as const
  const rules: DocumentRule[] = [
    { ...common, benefitId, anyOf: ["hospital_bill"] },
    { ...common, aboveCents: 50_000_00, anyOf: ["medical_report"] },
  ]
  expect(missingOf({ requestedAmountCents: 50_000_00 }, rules)).toEqual(["Hospital bill"])
  expect(missingOf({ requestedAmountCents: 50_000_01 }, rules)).toEqual(["Hospital bill", "Medical report"])
  expect(missingOf({ benefitId: null, requestedAmountCents: 1 }, rules)).toEqual([])
})

test("the same requirement of two rules is listed once", () => {
  const twice = [...defaultDocumentRules, ...defaultDocumentRules.map((rule) => ({ ...rule, aboveCents: 1 }))]
  for (const claimType of claimTypes) expect(missingOf({ claimType }, twice)).toEqual(missingOf({ claimType }))
})

test("the refusal names every missing document", () => {
  expect(missingDocumentsMessage([["death_certificate"], ["id_document", "other"]])).toBe(
    "Required documents are missing: Death certificate, ID document or other. Add them, or waive them with a reason.",
  )
  expect(documentsText([...documentTypes].slice(3, 5))).toBe("Police report or ID document")
})
