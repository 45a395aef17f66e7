import { screen, waitFor, within } from "@testing-library/react"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createDraftPolicy } from "../../../server/src/policies/policies.samples.ts"
import { findDocumentType, pdf } from "../../../server/src/policies/policy-documents.samples.ts"
import { sendFile } from "../../../server/src/test/send-file.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
let server: Awaited<ReturnType<TestApp["serve"]>>
beforeAll(async () => {
  app = await openTestApp()
  server = await app.serve()
})
afterAll(() => app?.close())

const managerClient = () => app.as(app.people.manager)
const findButton = (name: string) => screen.findByRole("button", { name })
const findDialog = async (name: string) => within(await screen.findByRole("dialog", { name }))
const readMenuItems = async () =>
  (await screen.findAllByRole("menuitem", { hidden: true })).map((item) => item.textContent)
type User = Awaited<ReturnType<typeof openPage>>["user"]
const chooseMenuItem = async (user: User, name: string) =>
  user.click(await screen.findByRole("menuitem", { name, hidden: true }))

async function createPolicyWithForm(groupName: string, name: string, content = pdf) {
  const policy = await createDraftPolicy(managerClient(), { groupName })
  const type = await findDocumentType(managerClient(), "Application form")
  const sent = { path: `/api/policies/${policy.id}/documents`, of: ["documentType", type] as const, name, content }
  const answer = await sendFile(server, app.people.manager, sent)
  expect(answer.status).toBe(200)
  return policy
}

test("the list of all documents offers actions, and deleting asks for a reason", async () => {
  await createPolicyWithForm("Listed Foods", "listed.pdf")
  const { user } = await openPage(app, app.people.manager, "/policies/documents?search=listed")
  await user.click(await findButton("Actions for listed.pdf"))
  expect(screen.getByRole("button", { name: "Filter by Date", hidden: true })).toBeTruthy()
  expect(await readMenuItems()).toEqual(["View document", "Download", "Replace file", "Delete document", "View policy"])
  await chooseMenuItem(user, "Delete document")
  const asked = await findDialog("Delete listed.pdf?")
  await user.click(asked.getByRole("button", { name: "Delete document" }))
  expect(await asked.findByText("Enter a reason")).toBeTruthy()
  await user.type(asked.getByRole("textbox", { name: "Reason" }), "Of another employer")
  await user.click(asked.getByRole("button", { name: "Delete document" }))
  expect(await screen.findByText("Document deleted")).toBeTruthy()
  expect((await managerClient().policies.documents.list({ search: "listed" })).total).toBe(0)
})

test("an underwriter reads documents only, and a Word file has no preview", async () => {
  const word = Buffer.alloc(2_048)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(word)
  word.write("WordDocument\0", 1_024, "utf16le")
  await createPolicyWithForm("Written Foods", "written.doc", word as never)
  const { user } = await openPage(app, app.people.underwriter, "/policies/documents?search=written")
  await user.click(await findButton("Actions for written.doc"))
  expect(await readMenuItems()).toEqual(["Download", "View policy"])
  expect(screen.queryByRole("button", { name: "Upload document" })).toBeNull()
})

test("a missing document links to its policy's documents", async () => {
  const policy = await createPolicyWithForm("Lacking Foods", "form.pdf")
  const { user, location } = await openPage(app, app.people.manager, "/policies/documents/required?search=lacking")
  expect(await screen.findByText("Company registration")).toBeTruthy()
  expect(screen.queryByText("Application form")).toBeNull()
  await user.click(await findButton(`Actions for Company registration of ${policy.number}`))
  await chooseMenuItem(user, "View documents of the policy")
  await waitFor(() => expect(location()).toBe(`/policies/${policy.id}?tab=documents`))
  expect(await screen.findByText("Not uploaded")).toBeTruthy()
  await user.click(await findButton("Choose Company registration as the type to upload"))
  expect((screen.getByRole("combobox", { name: "Document type" }) as HTMLInputElement).value).toBe(
    "Company registration (required)",
  )
})

test("settings for documents have size, file types and types required by one product type", async () => {
  const policy = await createDraftPolicy(managerClient(), { groupName: "Set Foods" })
  const { user } = await openPage(app, app.people.admin, "/settings/documents")
  const size = await screen.findByRole("textbox", { name: "Maximum file size (MB)" })
  await user.clear(size)
  await user.type(size, "5")
  await user.click(screen.getByRole("checkbox", { name: "docx" }))
  await user.click(await findButton("Save Changes"))
  expect(await screen.findByText("Changes Saved")).toBeTruthy()
  const { settings } = await app.as(app.people.admin).settings.detail()
  expect(settings).toMatchObject({
    maxFileMegabytes: 5,
    allowedFileTypes: ["pdf", "doc", "xls", "xlsx", "jpg", "png"],
  })
  await user.click(await findButton("Add document type"))
  const form = await findDialog("Add document type")
  await user.type(form.getByRole("textbox", { name: "Name" }), "Actuary's letter")
  await user.click(form.getByRole("radio", { name: "Policies of some product types" }))
  await user.click(form.getByRole("button", { name: "Save" }))
  expect(await form.findByText("Choose the product types")).toBeTruthy()
  await user.click(form.getByRole("combobox", { name: "Product types" }))
  await user.click(await screen.findByRole("option", { name: policy.productTypeName!, hidden: true }))
  await user.click(form.getByRole("button", { name: "Save" }))
  expect(await screen.findByText("Document type added")).toBeTruthy()
  expect(
    await screen.findByText(new RegExp(`^Required for ${policy.productTypeName}\\. Visible to: insurer only`)),
  ).toBeTruthy()
  expect((await managerClient().policies.detail({ policyId: policy.id })).missingDocuments).toContain(
    "Actuary's letter",
  )

  await openPage(app, app.people.manager, `/policies/${policy.id}?tab=documents`)
  await user.click(await findButton("Choose Application form as the type to upload"))
  expect((await screen.findAllByText(/up to 5 MB/)).length).toBeGreaterThan(0)
  expect(screen.getAllByText(/PDF, DOC, XLS, XLSX, JPG and PNG/).length).toBeGreaterThan(0)
})
