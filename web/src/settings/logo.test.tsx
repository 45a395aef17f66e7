import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { createPlainPng } from "../../../server/src/test/plain-png.ts"
import { sendFile } from "../../../server/src/test/send-file.ts"
import { openPage, openTestApp, type TestApp } from "../test/page.tsx"

let app: TestApp
let server: Awaited<ReturnType<TestApp["serve"]>>
beforeAll(async () => {
  app = await openTestApp({ now: "2026-11-20T08:00:00Z" })
  server = await app.serve()
  vi.stubGlobal("XMLHttpRequest", FakeRequest)
})
beforeEach(() => app.sql.run(sql`delete from organisation_logo`))
afterAll(() => {
  vi.unstubAllGlobals()
  return app.close()
})

/** Sends the page's uploads to the test server as an administrator. */
class FakeRequest {
  upload = {}
  status = 0
  response: unknown
  onload = () => {}
  #path = ""
  open(_: string, path: string) {
    this.#path = path
  }
  abort() {}
  async send(body: FormData) {
    const file = body.get("file") as File
    const content = Buffer.from(await file.arrayBuffer())
    const answer = await sendFile(server, app.people.admin, { path: this.#path, name: file.name, content })
    this.status = answer.status
    this.response = await answer.json()
    this.onload()
  }
}

const chooseFile = async (label: string, name: string, content: Buffer | string) => {
  const input = await screen.findByLabelText(label, { selector: "input" })
  fireEvent.change(input, { target: { files: [new File([new Uint8Array(Buffer.from(content as string))], name)] } })
}
const readLogo = async () => (await app.as(app.people.admin).settings.detail()).logo

it("a logo is uploaded, previewed, replaced and removed without losing input in the form", async () => {
  const { user } = await openPage(app, app.people.admin, "/settings")
  expect(await screen.findByText(/PNG and JPG, up to 500 KB/)).toBeTruthy()
  await user.type(await screen.findByRole("textbox", { name: "Address" }), "1 Long Street")

  await chooseFile("Upload logo", "wide.png", createPlainPng(640, 80))
  expect(await screen.findByText("Logo saved")).toBeTruthy()
  const picture = async () => (await screen.findByRole("img", { name: "Current logo" })).getAttribute("src")
  expect(await picture()).toBe("/api/settings/logo?at=2026-11-20T08:00:00Z")
  expect(screen.getByText("wide.png")).toBeTruthy()
  expect(screen.getByText(/Uploaded by Ada Admin on/)).toBeTruthy()

  app.clock.set("2026-11-20T08:05:00Z")
  await chooseFile("Replace logo", "tall.png", createPlainPng(40, 192))
  await waitFor(async () => expect(await picture()).toBe("/api/settings/logo?at=2026-11-20T08:05:00Z"))
  expect(screen.getByText("tall.png")).toBeTruthy()
  expect(await readLogo()).toMatchObject({ fileName: "tall.png", width: 40, height: 192 })

  await user.click(screen.getByRole("button", { name: "Remove logo" }))
  const question = within(await screen.findByRole("dialog", { name: "Remove the logo?" }))
  await user.click(question.getByRole("button", { name: "Remove logo" }))
  expect(await screen.findByText("Logo removed")).toBeTruthy()
  expect(await screen.findByRole("button", { name: "Upload logo" })).toBeTruthy()
  expect(screen.queryByRole("img", { name: "Current logo" })).toBeNull()
  expect(await readLogo()).toBeNull()
  expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Address" })).value).toBe("1 Long Street")
})

it.each([
  { name: "logo.svg", content: "<svg/>", says: "This file type is not accepted. Accepted types: PNG and JPG." },
  { name: "logo.png", content: Buffer.alloc(513_000, 1), says: "This file is larger than 500 KB." },
  { name: "logo.png", content: createPlainPng(2_001, 40), says: /The picture is 2001 × 40 pixels/ },
  { name: "logo.png", content: createPlainPng(40, 40).subarray(0, 60), says: /damaged or incomplete/ },
])("the page states why $name is refused: $says", async ({ name, content, says }) => {
  await openPage(app, app.people.admin, "/settings")
  await chooseFile("Upload logo", name, content as Buffer)
  expect((await screen.findByRole("alert")).textContent).toMatch(says)
  expect(await readLogo()).toBeNull()
})
