import { expect, test } from "vitest"
import { roles } from "../platform/permission.ts"
import { documentTypes } from "./claim.ts"
import { claimSentences } from "./claim-facts.ts"
import { canSeeCommentOf, canSeeField, canSeeMedical, visibleDocumentTypes } from "./claim-privacy.ts"

test("policy holders and accounts without a role cannot see medical facts", () => {
  expect(roles.filter((role) => !canSeeMedical(role))).toEqual(["policy_holder"])
  expect(canSeeMedical(null)).toBe(false)
})

test("a policy holder does not see medical documents", () => {
  expect(visibleDocumentTypes(documentTypes, "policy_holder")).toEqual([
    "police_report",
    "id_document",
    "proof_of_relationship",
    "other",
  ])
  expect(visibleDocumentTypes(documentTypes, "underwriter")).toEqual([...documentTypes])
})

test("a policy holder reads only the comments of policy holders", () => {
  for (const author of [...roles, "system", null]) {
    expect(canSeeCommentOf(author, "policy_holder")).toBe(author === "policy_holder")
    expect(canSeeCommentOf(author, "underwriter")).toBe(true)
  }
})

test.each([
  "description",
  "diagnosis",
  "hospitalName",
  "doctorName",
  "treatmentDetails",
  "billNumber",
  "causeOfDeath",
  "documents",
  "waivedDocuments",
  "document",
])("a policy holder cannot see the field %s", (field) => {
  expect(canSeeField(field, "policy_holder")).toBe(false)
  expect(canSeeField(field, "group_admin")).toBe(true)
})

test("audit trail sentences about documents contain neither type nor file name", () => {
  const document = { documentType: "medical_report", documentName: "HIV result.pdf" } as const
  const after = { document: "Medical report: HIV result.pdf" }
  const record = { record: { kind: "claim", id: "x", label: "CLM-2026-000001" }, groupId: "g" } as const
  expect(
    claimSentences.ClaimDocumentAttached({ type: "ClaimDocumentAttached", ...record, ...document, after }, "ZAR"),
  ).toBe("added a document")
  expect(
    claimSentences.ClaimDocumentRemoved({ type: "ClaimDocumentRemoved", ...record, ...document, before: after }, "ZAR"),
  ).toBe("removed a document")
})
