import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { RealServer } from "../test/real-server.ts"
import { createDraftPolicy } from "./policies.samples.ts"
import { createDocument, findDocumentType, pdf, uploadDocument } from "./policy-documents.samples.ts"

/* Kills the database while an uploaded document is being recorded. */

let server: RealServer
let form: string

beforeAll(async () => {
  server = await RealServer.started(
    `create trigger writing before insert or update on policy_documents for each row execute function stand_still('writing');`,
  )
  form = await findDocumentType(server.client, "Application form")
}, 120_000)
afterAll(() => server.close())

async function listStoredFiles(): Promise<string[]> {
  const { folder } = server.app.files
  const shelves = (await readdir(folder)).filter((shelf) => shelf !== "incoming")
  const names = await Promise.all(
    shelves.map(async (shelf) => (await readdir(join(folder, shelf))).map((name) => `${shelf}/${name}`)),
  )
  return names.flat().sort()
}

const listKnownFiles = async () =>
  (await server.owner.rows<{ name: string }>(sql`select storage_name as name from files`))
    .map(({ name }) => name)
    .sort()

async function sweepFiles(): Promise<void> {
  const later = Temporal.Now.instant().add({ hours: 25 })
  await server.app.database.transaction("staff", (tx) => server.app.files.sweep(tx, later))
}

test.each([
  "an upload",
  "a replacement",
])("after a database crash during %s, all stored documents are intact", async (what) => {
  const policy = await createDraftPolicy(server.client, { groupName: `Crash of ${what}` })
  const { actor } = server
  await server.served(async (http) => {
    const before = await createDocument(http as never, actor, { policyId: policy.id, documentType: form })
    const at = { policyId: policy.id, ...(what === "a replacement" && { documentId: before.id }) }
    const file = new File([`${pdf}\n`], "other.pdf")
    // A replacement keeps the document's type.
    const fields: Record<string, string> = what === "a replacement" ? {} : { documentType: form }
    const send = () => uploadDocument(http as never, actor, at, file, fields)
    const killed = await server.killedAt("writing", "the database", send)
    const answer = killed.answer as Response
    expect(answer.status).toBeGreaterThanOrEqual(500)
    expect(await answer.text()).not.toMatch(/select|insert|update/)

    const { documents } = await server.client.policies.documents.ofPolicy({ policyId: policy.id })
    expect(documents).toEqual([before])
    const names = await listKnownFiles()
    // The new file is an orphan until the cleanup deletes it; all recorded files are intact.
    expect((await listStoredFiles()).length).toBe(names.length + 1)
    await sweepFiles()
    expect(await listStoredFiles()).toEqual(names)
    for (const name of names) expect(await readFile(join(server.app.files.folder, name), "utf8")).toBe(pdf)

    expect((await send()).status).toBe(200)
    expect(await listStoredFiles()).toEqual(
      await listKnownFiles().then((now) => (what === "an upload" ? now : expect.arrayContaining(now))),
    )
    await sweepFiles()
    await server.owner.run(sql`
      with gone as (delete from policy_documents returning file_id) delete from files where id in (select file_id from gone)`)
    await sweepFiles()
  })
}, 120_000)
