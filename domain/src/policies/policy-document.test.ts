import { describe, expect, it, test } from "vitest"
import { documentEndings, fileTypes, listEndings } from "../platform/documents.ts"
import { roles } from "../platform/permission.ts"
import { canReadDocuments, documentActionsOf, documentReaders, missingDocuments } from "./policy-document.ts"

test("a document's type decides which roles can read the document", () => {
  const cells = Object.fromEntries(
    [...roles, null].map((role) => [role, documentReaders.filter((readers) => canReadDocuments(role, readers))]),
  )
  expect(cells).toEqual({
    admin: ["insurer", "hr", "employer"],
    manager: ["insurer", "hr", "employer"],
    underwriter: ["insurer", "hr", "employer"],
    group_admin: ["hr", "employer"],
    policy_holder: ["employer"],
    null: [],
  })
})

test("roles with `policies.write` replace and delete documents", () => {
  expect(roles.filter((role) => documentActionsOf(role).length > 0)).toEqual(["admin", "manager"])
  expect(documentActionsOf(null)).toEqual([])
})

describe("missing documents", () => {
  const type = (id: string, requiredForAll: boolean, ...productTypeIds: string[]) => ({
    ...{ id, name: id, requiredForAll, productTypeIds },
  })
  const types = [type("form", true), type("mandate", false, "life", "health"), type("letter", false)]
  const lacks = (productTypeId: string | null, ...brought: string[]) =>
    missingDocuments(types, productTypeId, brought).map(({ id }) => id)

  it("include types required for all policies and types required for the policy's product type", () => {
    expect(lacks("life")).toEqual(["form", "mandate"])
    expect(lacks("funeral")).toEqual(["form"])
  })
  it("are only those required for all policies if the policy has no product type", () =>
    expect(lacks(null)).toEqual(["form"]))
  it("exclude only document types that already have a document", () => {
    expect(lacks("life", "letter", "form", "form")).toEqual(["mandate"])
    expect(lacks("life", "mandate", "form")).toEqual([])
  })
})

test("file extensions match the allowed file types", () => {
  expect(documentEndings(["pdf", "jpg"])).toEqual(["pdf", "jpg", "jpeg"])
  expect(documentEndings(fileTypes)).toContain("doc")
  expect(listEndings(["pdf"])).toEqual(["csv"])
  expect(listEndings(fileTypes)).toEqual(["csv", "xlsx", "xls"])
})
