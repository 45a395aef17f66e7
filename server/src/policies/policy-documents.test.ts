import { randomUUID } from "node:crypto"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { canReadDocuments, documentReaders, missingDocuments } from "@milkwood/domain/policies/policy-document"
import type { PolicyDocuments } from "@milkwood/domain/policies/policy-documents.contract"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { UserActor } from "../platform/calls/actor.ts"
import { type Client, openTestApp, type TestApp } from "../test/app.ts"
import { createActivePolicy, createDraftPolicy } from "./policies.samples.ts"
import { createDocument, findDocumentType, pdf, type Server, uploadDocument } from "./policy-documents.samples.ts"

let app: TestApp
let server: Server
let manager: Client
let admin: Client
let formTypeId: string
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-02T08:00:00Z" })
  server = await app.serve()
  manager = app.as(app.people.manager)
  admin = app.as(app.people.admin)
  formTypeId = await findDocumentType(manager, "Application form")
})
afterAll(() => app?.close())

const errorWithCode = (expected: string) => expect.objectContaining({ code: expected })
const readDocumentAs = (policyId: string, documentId: string, actor: UserActor = app.people.manager) =>
  fetch(`${server.url}/api/policies/${policyId}/documents/${documentId}`, { headers: server.headersOf(actor) })
const uploadForm = (policyId: string, documentType = formTypeId, name?: string) =>
  createDocument(server, app.people.manager, { policyId, documentType, ...(name !== undefined && { name }) })
const storedFilesOf = (groupId: string) =>
  app.sql.rows<{ name: string }>(sql`select name from files where group_id = ${groupId} and kind = 'policy_document'`)

test("an uploaded document is stored unchanged, audited, and keeps the policy's version", async () => {
  const policy = await createActivePolicy(manager, { groupName: "Wharf Foods" })
  const answer = await uploadDocument(server, app.people.manager, { policyId: policy.id }, undefined, {
    documentType: formTypeId,
  })
  expect(answer.status).toBe(200)
  const { documents, missing } = (await answer.json()) as PolicyDocuments
  expect(documents).toMatchObject([
    {
      ...{ name: "form.pdf", documentTypeName: "Application form", required: true, size: pdf.length },
      ...{ mime: "application/pdf", uploadedBy: "Max Manager", allowedActions: ["replace", "delete"] },
    },
  ])
  expect(missing.map(({ name }) => name)).toEqual(["Company registration"])
  const file = await readDocumentAs(policy.id, documents[0]!.id)
  expect(await file.text()).toBe(pdf)
  expect(file.headers.get("content-disposition")).toMatch(/^attachment; /)
  const after = await manager.policies.detail({ policyId: policy.id })
  expect(after).toMatchObject({ version: policy.version, documents: 1, missingDocuments: ["Company registration"] })
  expect((await manager.policies.activity({ policyId: policy.id }))[0]).toMatchObject({
    sentence: "uploaded a document",
    changes: [{ field: "document", before: null, after: "Application form: form.pdf" }],
  })
})

describe("replacing a document's file", () => {
  const replaced = async (name: string | undefined) => {
    const policy = await createDraftPolicy(manager, { groupName: `Replaced ${name}` })
    const document = await uploadForm(policy.id, formTypeId, name)
    const at = { policyId: policy.id, documentId: document.id }
    const answer = await uploadDocument(server, app.people.manager, at, new File([`${pdf}\n`], "signed.pdf"))
    expect(answer.status).toBe(200)
    return { policy, document, after: (await answer.json()) as PolicyDocuments }
  }
  test("uses the new file's name and deletes the old bytes", async () => {
    const { policy, document, after } = await replaced(undefined)
    expect(after.documents).toMatchObject([{ id: document.id, name: "signed.pdf", size: pdf.length + 1 }])
    expect(await (await readDocumentAs(policy.id, document.id)).text()).toBe(`${pdf}\n`)
    expect(await storedFilesOf(policy.groupId)).toEqual([{ name: "signed.pdf" }])
    expect((await manager.policies.activity({ policyId: policy.id }))[0]).toMatchObject({
      sentence: "replaced a document",
      changes: [{ field: "document", before: "Application form: form.pdf", after: "Application form: signed.pdf" }],
    })
  })
  test("keeps a name that a user entered", async () => {
    const { after } = await replaced("Form of the branch")
    expect(after.documents).toMatchObject([{ name: "Form of the branch" }])
  })
  test("refuses a document of another policy", async () => {
    const { document } = await replaced("Its own")
    const other = await createDraftPolicy(manager, { groupName: "Elsewhere" })
    const answer = await uploadDocument(server, app.people.manager, { policyId: other.id, documentId: document.id })
    expect(answer.status).toBe(404)
  })
})

test("a document is deleted with an audited reason; deleting again is NOT_FOUND", async () => {
  const policy = await createDraftPolicy(manager, { groupName: "Deleted Papers" })
  const { id: documentId } = await uploadForm(policy.id)
  const remove = (reason: string) => manager.policies.documents.remove({ policyId: policy.id, documentId, reason })
  await expect(remove(" ")).rejects.toEqual(errorWithCode("INVALID"))
  expect((await remove("Of another employer")).documents).toEqual([])
  await expect(remove("Of another employer")).rejects.toEqual(errorWithCode("NOT_FOUND"))
  expect((await readDocumentAs(policy.id, documentId)).status).toBe(404)
  expect(await storedFilesOf(policy.groupId)).toEqual([])
  expect((await manager.policies.activity({ policyId: policy.id }))[0]).toMatchObject({
    sentence: "deleted a document",
    reason: "Of another employer",
    changes: [{ field: "document", before: "Application form: form.pdf", after: null }],
  })
})

describe("a refused document upload stores nothing", () => {
  test.each([
    ["without a type", {}, new File([pdf], "a.pdf"), "documentType"],
    ["of a type that is none", { documentType: randomUUID() }, new File([pdf], "a.pdf"), "documentType"],
    ["with a web page in it", { documentType: "form" }, new File(["<script>"], "page.html"), "file"],
    ["with another kind of file than its name says", { documentType: "form" }, new File(["<html>"], "a.pdf"), "file"],
  ])("%s", async (_what, fields: { documentType?: string }, file, path) => {
    const policy = await createDraftPolicy(manager, { groupName: "Refused Papers" })
    const said = fields.documentType === "form" ? { documentType: formTypeId } : fields
    const answer = await uploadDocument(server, app.people.manager, { policyId: policy.id }, file, said)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ data: { fields: [{ path }] } })
    expect(await storedFilesOf(policy.groupId)).toEqual([])
    expect(await readdir(join(app.app.files.folder, "incoming")).catch(() => [])).toEqual([])
  })
  test("an upload by a user without `policies.write` is refused", async () => {
    const policy = await createDraftPolicy(manager, { groupName: "Refused Papers" })
    const people = [
      app.people.underwriter,
      await app.people.groupAdmin(policy.groupId),
      await app.people.policyHolder(policy.groupId),
    ]
    for (const actor of people) {
      const sent = await uploadDocument(server, actor, { policyId: policy.id }, undefined, { documentType: formTypeId })
      expect(sent.status).toBe(403)
    }
  })
})

describe("employer users", () => {
  test("see only their document types in lists, counts, files and answers, in rule and database", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Row Level" })
    const elsewhere = await createActivePolicy(manager, { groupName: "Other Level" })
    const types = await admin.policies.documents.types.list({})
    const papers = []
    for (const readers of documentReaders) {
      const { id } = types.find((type) => type.readers === readers)!
      papers.push({ readers, ...(await uploadForm(policy.id, id, `Paper for ${readers}`)) })
      await uploadForm(elsewhere.id, id, `Paper of others for ${readers}`)
    }
    const people = {
      underwriter: app.people.underwriter,
      group_admin: await app.people.groupAdmin(policy.groupId),
      policy_holder: await app.people.policyHolder(policy.groupId),
    }
    for (const [role, actor] of Object.entries(people)) {
      const reads = papers.filter(({ readers }) => canReadDocuments(role as keyof typeof people, readers))
      const names = reads.map(({ name }) => name).sort()
      const client = app.as(actor)
      const page = await client.policies.documents.list({ groupId: policy.groupId, sort: "name", dir: "asc" })
      expect(
        page.rows.map(({ name }) => name),
        role,
      ).toEqual(names)
      expect(page.total).toBe(names.length)
      expect((await client.policies.documents.list({ search: "paper of others" })).total).toBe(
        role === "underwriter" ? 3 : 0,
      )
      const { documents } = await client.policies.documents.ofPolicy({ policyId: policy.id })
      expect(documents.map(({ name }) => name).sort()).toEqual(names)
      expect((await client.policies.detail({ policyId: policy.id })).documents).toBe(names.length)
      if (role !== "underwriter") expect((await client.policies.documents.summary({})).documents).toBe(names.length)
      const known = (await client.policies.documents.types.list({})).map(({ readers }) => readers)
      expect(new Set(known)).toEqual(new Set(documentReaders.filter((r) => canReadDocuments(role as never, r))))
      for (const { id, name } of papers)
        expect((await readDocumentAs(policy.id, id, actor)).status, `${role} ${name}`).toBe(
          names.includes(name) ? 200 : 404,
        )
      const exported = await fetch(`${server.url}/api/policy-documents.csv`, { headers: server.headersOf(actor) })
      const file = await exported.text()
      for (const { name } of papers) expect(file.includes(name), `${role} ${name}`).toBe(names.includes(name))
      expect(file.includes("Other Level")).toBe(role === "underwriter")
      // The audit trail hides file names of documents that the reader may not see.
      const activity = JSON.stringify(await client.policies.activity({ policyId: policy.id }))
      expect(activity).toContain("uploaded a document")
      expect(activity.includes("Paper for"), role).toBe(role === "underwriter")
    }
  })

  test("read the reason why a document was deleted", async () => {
    const policy = await createDraftPolicy(manager, { groupName: "Gone Papers" })
    const { id: documentId } = await uploadForm(policy.id, formTypeId, "Gone")
    await manager.policies.documents.remove({ policyId: policy.id, documentId, reason: "A member's diagnosis" })
    const hr = app.as(await app.people.groupAdmin(policy.groupId))
    const [last] = await hr.policies.activity({ policyId: policy.id })
    expect(last).toMatchObject({ sentence: "deleted a document", reason: null, changes: [] })
  })
})

describe("document types", () => {
  const fields = { readers: "employer" as const, requiredForAll: false, productTypeIds: [] as string[] }

  test("required types per product type update the warning, the list and the figures immediately", async () => {
    const policy = await createDraftPolicy(manager, { groupName: "Product Needs" })
    const productTypeId = policy.information.productTypeId!
    const name = "Actuary's letter"
    const missing = async () => (await manager.policies.detail({ policyId: policy.id })).missingDocuments
    expect(await missing()).not.toContain(name)
    const type = await admin.policies.documents.types.create({ ...fields, name, productTypeIds: [productTypeId] })
    expect(await missing()).toContain(name)
    const listed = async () =>
      (await manager.policies.documents.required({ documentTypeId: type.id, groupId: policy.groupId })).total
    expect(await listed()).toBe(1)
    const before = await manager.policies.documents.summary({})
    await uploadForm(policy.id, type.id)
    expect(await missing()).not.toContain(name)
    expect(await listed()).toBe(0)
    const after = await manager.policies.documents.summary({})
    expect(after).toMatchObject({ documents: before.documents + 1, missing: before.missing - 1 })
    expect(after.thisMonth).toBe(before.thisMonth + 1)
  })

  test("domain rule and SQL agree on missing types for every product type", async () => {
    const types = await admin.policies.documents.types.list({})
    const rows = await app.sql.rows<{ id: string; productTypeId: string | null; brought: string[] }>(sql`
      select p.id, p.product_type_id as "productTypeId",
        array(select d.document_type::text from policy_documents d where d.policy_id = p.id) as brought
      from policies p`)
    expect(rows.length).toBeGreaterThan(5)
    for (const { id, productTypeId, brought } of rows) {
      const byRule = missingDocuments(types, productTypeId, brought).map(({ name }) => name)
      expect((await manager.policies.detail({ policyId: id })).missingDocuments).toEqual(byRule)
    }
  })

  test("missing documents do not prevent the activation of a policy", async () => {
    const policy = await createActivePolicy(manager, { groupName: "Without Papers" })
    expect(policy).toMatchObject({ status: "Active" })
    expect(policy.missingDocuments).toEqual(expect.arrayContaining(["Application form", "Company registration"]))
  })

  test("edits need a current version and a unique name, and are audited", async () => {
    const type = await admin.policies.documents.types.create({ ...fields, name: "Broker's note" })
    await expect(admin.policies.documents.types.create({ ...fields, name: "BROKER'S NOTE" })).rejects.toEqual(
      errorWithCode("NAME_TAKEN"),
    )
    const target = { id: type.id, version: type.version }
    const edited = await admin.policies.documents.types.update({
      ...{ ...fields, ...target, name: "Broker's note", readers: "insurer", requiredForAll: true },
    })
    expect(edited).toMatchObject({ readers: "insurer", requiredForAll: true, version: type.version + 1 })
    await expect(admin.policies.documents.types.remove(target)).rejects.toEqual(errorWithCode("STALE"))
    const trail = await app.sql.row(sql`
      select detail from audit_log where fact = 'DocumentTypeUpdated' and record_id = ${type.id}`)
    expect(trail).toEqual({
      detail: {
        before: { readers: "Everyone with access to the policy", requiredFor: "" },
        after: { readers: "Insurer only", requiredFor: "every product type" },
      },
    })
    await admin.policies.documents.types.remove({ id: type.id, version: edited.version })
    expect((await admin.policies.documents.types.list({})).map(({ id }) => id)).not.toContain(type.id)
    await expect(
      admin.policies.documents.types.create({ ...fields, name: "Of nothing", productTypeIds: [randomUUID()] }),
    ).rejects.toEqual(errorWithCode("INVALID"))
  })

  test("a type with documents cannot be deleted", async () => {
    const type = await admin.policies.documents.types.create({ ...fields, name: "Kept type" })
    const policy = await createDraftPolicy(manager, { groupName: "Kept Type" })
    const document = await uploadForm(policy.id, type.id)
    const remove = () => admin.policies.documents.types.remove({ id: type.id, version: type.version })
    await expect(remove()).rejects.toMatchObject({
      code: "IN_USE",
      message: "Kept type cannot be deleted: there is a document of this type.",
    })
    await manager.policies.documents.remove({ policyId: policy.id, documentId: document.id, reason: "A slip" })
    await remove()
  })
})

describe("a draft with documents", () => {
  test("is deleted with its documents and files", async () => {
    const draft = await createDraftPolicy(manager, { groupName: "Thrown Away" })
    await uploadForm(draft.id)
    await manager.policies.deleteDraft({ policyId: draft.id, version: draft.version })
    expect(await app.sql.rows(sql`select from policy_documents where policy_id = ${draft.id}`)).toEqual([])
    expect(await storedFilesOf(draft.groupId)).toEqual([])
  })

  test("cannot move to another employer, by command or in the database", async () => {
    const draft = await createDraftPolicy(manager, { groupName: "Stays Here" })
    const other = await createDraftPolicy(manager, { groupName: "Not There" })
    await uploadForm(draft.id)
    const moved = { policyId: draft.id, version: draft.version, groupId: other.groupId }
    await expect(manager.policies.saveDraft(moved)).rejects.toMatchObject({
      code: "GROUP_HAS_MEMBERS",
      message: "The group cannot be changed after a document was uploaded.",
    })
    await expect(
      app.sql.run(sql`update policies set group_id = ${other.groupId} where id = ${draft.id}`),
    ).rejects.toThrow()
  })
})

test("filters the list by date, type and policy, searches, sorts and exports it", async () => {
  const policy = await createDraftPolicy(manager, { groupName: "Listed Papers" })
  const registration = await findDocumentType(manager, "Company registration")
  await uploadForm(policy.id, formTypeId, "B form")
  await uploadForm(policy.id, registration, "A registration")
  const list = async (input: object) =>
    (await manager.policies.documents.list({ policyId: policy.id, ...input })).rows.map(({ name }) => name)
  expect(await list({ sort: "name", dir: "asc" })).toEqual(["A registration", "B form"])
  expect(await list({ documentTypeId: registration })).toEqual(["A registration"])
  expect(await list({ search: "B FO" })).toEqual(["B form"])
  expect(await list({ search: policy.number, sort: "name" })).toHaveLength(2)
  expect(await list({ search: "listed papers" })).toHaveLength(2)
  expect(await list({ uploadedFrom: "2026-11-02", uploadedTo: "2026-11-02" })).toHaveLength(2)
  expect(await list({ uploadedTo: "2026-11-01" })).toEqual([])
  const csv = await fetch(`${server.url}/api/policy-documents.csv?policyId=${policy.id}`, {
    headers: server.headersOf(app.people.underwriter),
  })
  expect(await csv.text()).toContain("A registration")
})
