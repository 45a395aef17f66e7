import { describe, expect, it, test } from "vitest"
import { documentEndings, fileTypes, listEndings } from "../platform/documents.ts"
import { roles } from "../platform/permission.ts"
import { documentActionsOf, documentReaders, missingDocuments, readsDocuments } from "./policy-document.ts"

test("who reads documents of which type", () => {
  const cells = Object.fromEntries(
    [...roles, null].map((role) => [role, documentReaders.filter((readers) => readsDocuments(role, readers))]),
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

test("who replaces and deletes them", () => {
  expect(roles.filter((role) => documentActionsOf(role).length > 0)).toEqual(["admin", "manager"])
  expect(documentActionsOf(null)).toEqual([])
})

describe("what a policy lacks", () => {
  const type = (id: string, requiredForAll: boolean, ...productTypeIds: string[]) => ({
    ...{ id, name: id, requiredForAll, productTypeIds },
  })
  const types = [type("form", true), type("mandate", false, "life", "health"), type("letter", false)]
  const lacks = (productTypeId: string | null, ...brought: string[]) =>
    missingDocuments(types, productTypeId, brought).map(({ id }) => id)

  it("is what all need and what its product type needs", () => {
    expect(lacks("life")).toEqual(["form", "mandate"])
    expect(lacks("funeral")).toEqual(["form"])
  })
  it("is what all need while it has no product type", () => expect(lacks(null)).toEqual(["form"]))
  it("is no longer what was brought, and nothing else that was", () => {
    expect(lacks("life", "letter", "form", "form")).toEqual(["mandate"])
    expect(lacks("life", "mandate", "form")).toEqual([])
  })
})

test("the endings of files follow the types that are allowed", () => {
  expect(documentEndings(["pdf", "jpg"])).toEqual(["pdf", "jpg", "jpeg"])
  expect(documentEndings(fileTypes)).toContain("doc")
  expect(listEndings(["pdf"])).toEqual(["csv"])
  expect(listEndings(fileTypes)).toEqual(["csv", "xlsx", "xls"])
})
