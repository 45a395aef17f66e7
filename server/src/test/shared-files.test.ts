import { randomUUID } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PolicyDocuments } from "@milkwood/domain/policies/policy-documents.contract"
import { generateX25519Identity, identityToRecipient } from "age-encryption"
import { sql } from "drizzle-orm"
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest"
import { restoreBackup } from "../backups/restore-backup.ts"
import { takeBackupInSubprocess } from "../backups/take-backup-apart.ts"
import { openStorage } from "../platform/files/storage.ts"
import { createDraftPolicy } from "../policies/policies.samples.ts"
import { findDocumentType, pdf, uploadDocument } from "../policies/policy-documents.samples.ts"
import { readConfig } from "../runtime/config.ts"
import { checkInstallation } from "../runtime/installation.ts"
import { Browser, findLink } from "../users/browser.samples.ts"
import { scryptParameters } from "../users/passwords.ts"
import { type Client, openTestApp, type TestApp } from "./app.ts"
import { startS3, type TestS3 } from "./s3.ts"
import { ServerProcess } from "./server-process.ts"

/* Two servers with separate data folders share a database and an S3 document storage. */

let s3: TestS3
let app: TestApp
let firstServer: ServerProcess
let secondServer: ServerProcess
let client: Client
let formTypeId: string
let policyId: string
let browser: Browser
const folders: string[] = []

beforeAll(async () => {
  scryptParameters.cost = 16
  s3 = await startS3()
  const storage = await openStorage(s3.url, "/nowhere")
  app = await openTestApp({ now: Temporal.Now.instant().toString(), storage })
  const env = { DATABASE_URL: app.app.database.ownerUrl, FILES_URL: s3.url }
  // The first server marks the storage; the second reads its key from there.
  firstServer = await new ServerProcess(env).start()
  secondServer = await new ServerProcess(env).start()
  client = app.as(app.people.admin)
  formTypeId = await findDocumentType(client, "Application form")
  policyId = (await createDraftPolicy(client, { groupName: "Shared Foods" })).id
  const { link } = await client.users.invite({ email: "thandi@example.test", role: "manager" })
  browser = new Browser(app.app, "127.0.0.1")
  const { token } = findLink(link)
  const password = "Under-the-milkwood-26"
  await (await browser.api()).users.acceptInvitation({ token, fullName: "Thandi Mokoena", password })
  await (await browser.api()).users.signIn({ email: "thandi@example.test", password })
}, 180_000)
afterEach(() => s3?.disturb(undefined))
afterAll(async () => {
  await Promise.all([firstServer?.close(), secondServer?.close()])
  await app?.close()
  await s3?.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "milkwood-shared-"))
  folders.push(folder)
  return folder
}

const browserHeaders = () => Object.fromEntries(browser.headers())
const postDocument = (server: ServerProcess, name: string) =>
  uploadDocument(
    { url: server.url, headersOf: browserHeaders } as never,
    app.people.manager,
    { policyId },
    new File([pdf], name),
    { documentType: formTypeId },
  )
const createDocument = async (server: ServerProcess, name: string): Promise<string> => {
  const answer = await postDocument(server, name)
  expect(answer.status, answer.status === 200 ? "" : await answer.clone().text()).toBe(200)
  const { documents } = (await answer.json()) as PolicyDocuments
  return documents.find((document) => document.name === name)!.id
}
const readDocument = (server: ServerProcess, documentId: string) =>
  fetch(`${server.url}/api/policies/${policyId}/documents/${documentId}`, { headers: browserHeaders() })
const readReadiness = async (server: ServerProcess) => {
  const answer = await fetch(`${server.url}/api/ready`)
  return [answer.status, ((await answer.json()) as { reason?: string }).reason]
}
const listDocumentNames = async () =>
  (await client.policies.documents.ofPolicy({ policyId })).documents.map(({ name }) => name).sort()
const listStoredFiles = async () => {
  const names: string[] = []
  for await (const listed of app.app.files.storage.list()) names.push(...listed.map(({ name }) => name))
  return names
}
const listKnownFiles = async () =>
  (await app.sql.rows<{ name: string }>(sql`select storage_name as name from files order by 1`)).map(({ name }) => name)
const listLocalFiles = ({ folder }: ServerProcess) =>
  existsSync(join(folder, "files"))
    ? readdirSync(join(folder, "files"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : []
const readSecretKey = (folder: string) => readFileSync(join(folder, "secret-key"), "utf8")

test("servers share documents and the seal key, and keep no local copy", async () => {
  const documentId = await createDocument(firstServer, "form.pdf")
  const answer = await readDocument(secondServer, documentId)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe(pdf)
  expect([...listLocalFiles(firstServer), ...listLocalFiles(secondServer)]).toEqual([])
  expect(readSecretKey(firstServer.folder)).toBe(readSecretKey(secondServer.folder))
  expect(await listStoredFiles()).toEqual(await listKnownFiles())
  expect(await readReadiness(firstServer)).toEqual([200, undefined])
})

test("a killed upload leaves no record, and a retry succeeds", async () => {
  const before = await listDocumentNames()
  let isUnderWay = false
  s3.disturb(({ method, url }) => {
    if (method !== "PUT" || !url?.includes("/files/")) return undefined
    isUnderWay = true
    return "silence"
  })
  const sending = postDocument(firstServer, "killed.pdf").catch(() => "cut off")
  await vi.waitUntil(() => isUnderWay, { timeout: 30_000 })
  await firstServer.kill()
  expect(await sending).toBe("cut off")
  s3.disturb(undefined)
  expect(await listDocumentNames()).toEqual(before)
  expect(await listStoredFiles()).toEqual(await listKnownFiles())
  // The partial file is removed after a day.
  expect(listLocalFiles(firstServer).length).toBe(1)
  await firstServer.start()
  const documentId = await createDocument(firstServer, "killed.pdf")
  expect(await (await readDocument(secondServer, documentId)).text()).toBe(pdf)
}, 120_000)

test("during a storage outage users see an error and lose no data", async () => {
  const documentId = await createDocument(secondServer, "before.pdf")
  const before = await listDocumentNames()
  s3.disturb(() => "cut")
  const { runId } = await client.reports.generate({
    ...{ report: "member_register", format: "csv", query: {}, idempotencyKey: randomUUID() },
  })
  const words = "The document storage cannot be reached at the moment. Nothing was changed."
  for (const answer of [await postDocument(secondServer, "away.pdf"), await readDocument(secondServer, documentId)]) {
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining(words) })
  }
  expect(await listDocumentNames()).toEqual(before)
  expect(await readReadiness(secondServer)).toEqual([503, "the document storage cannot be reached"])
  const list = await fetch(`${secondServer.url}/api/v1/policies`, { headers: browserHeaders() })
  expect(list.status).toBe(200)
  await vi.waitUntil(
    async () => {
      const job = await app.sql.row<{ state: string; attempts: number; message: string | null }>(
        sql`select state, attempts, message from jobs where kind = 'reports.make' order by created_at desc limit 1`,
      )
      return (
        job!.state === "queued" && job!.attempts === 0 && /Waiting for the document storage/.test(job!.message ?? "")
      )
    },
    { timeout: 30_000, interval: 100 },
  )
  s3.disturb(undefined)
  expect((await readDocument(secondServer, documentId)).status).toBe(200)
  await createDocument(secondServer, "away.pdf")
  await vi.waitUntil(async () => (await readReadiness(secondServer))[0] === 200, { timeout: 10_000 })
  const done = async () =>
    (await app.sql.row<{ state: string }>(sql`select state from report_runs where id = ${runId}`))?.state === "done"
  await vi.waitUntil(done, { timeout: 40_000, interval: 200 })
}, 120_000)

test("a server with a wrong storage secret refuses to start and does not print it", async () => {
  const url = s3.urlOf({ secret: "secret-of-another" })
  const server = new ServerProcess({ DATABASE_URL: app.app.database.ownerUrl, FILES_URL: url })
  const said = await server.start().then(
    () => "it started",
    (error: Error) => error.message,
  )
  await server.close()
  expect(said).toContain("The storage of FILES_URL cannot be used: the secret of the key is wrong.")
  expect(said).not.toContain(new URL(url).password)
}, 60_000)

test("refuses another database's storage, an empty storage with known documents, and another key", async () => {
  const check = async (folder: string, url: string) =>
    checkInstallation(app.app.database.ownerUrl, folder, await openStorage(url, folder))
  await expect(check(createFolder(), s3.urlOf({ folder: "empty" }))).rejects.toThrow(
    "contains none of this database's documents",
  )
  const other = await openTestApp()
  await other.sql.run(sql`update installation set id = ${randomUUID()}`)
  const others = checkInstallation(other.app.database.ownerUrl, createFolder(), app.app.files.storage)
  await expect(others).rejects.toThrow("the storage contains the documents of another database")
  await other.close()
  const folder = createFolder()
  await check(folder, s3.url)
  expect(readSecretKey(folder)).toBe(readSecretKey(firstServer.folder))
  const stranger = createFolder()
  const { readOrCreateSecretKey } = await import("../runtime/installation.ts")
  readOrCreateSecretKey(stranger)
  await expect(check(stranger, s3.url)).rejects.toThrow("differs from the one of the ser")
  for (const [url, why] of [
    ["http://key:secret@127.0.0.1:1/documents", "no server answers at that host and port"],
    [s3.urlOf({ key: "ANOTHER" }), "the storage does not know this key"],
    [s3.urlOf({ bucket: "nowhere" }), "there is no bucket of that name"],
  ] as const)
    await expect(check(createFolder(), url)).rejects.toThrow(`The storage of FILES_URL cannot be used: ${why}.`)
})

test("a backup includes stored documents and restores to a folder or another storage", async () => {
  const secret = await generateX25519Identity()
  const path = join(createFolder(), "backup.age")
  const task = { path, recipient: await identityToRecipient(secret) }
  const { database } = app.app
  const from = { database, data: { folder: firstServer.folder, postgres: null, filesUrl: s3.url } }
  const signal = new AbortController().signal
  const sums = await takeBackupInSubprocess(from, task, signal, () => {})
  const names = await listKnownFiles()
  expect(sums.files).toBeGreaterThan(names.length)
  const config = (folder: string, filesUrl: string) => readConfig({ DATA_DIR: folder, FILES_URL: filesUrl })

  const folder = createFolder()
  await restoreBackup(config(folder, ""), path, secret)
  for (const name of names) {
    const chunks: Buffer[] = []
    for await (const chunk of await app.app.files.storage.open(name)) chunks.push(chunk)
    expect(readFileSync(join(folder, "files", name)).equals(Buffer.concat(chunks))).toBe(true)
  }

  // The first restore to storage is interrupted; no server may start on it until a restore completes.
  const url = s3.urlOf({ folder: "restored" })
  const cut = createFolder()
  let ups = 0
  s3.disturb(({ method, url }) =>
    method === "PUT" && url?.includes("/restored/files/") && ++ups > 1 ? "cut" : undefined,
  )
  await expect(restoreBackup(config(cut, url), path, secret)).rejects.toThrow(/storage of FILES_URL cannot be used/)
  s3.disturb(undefined)
  const storage = await openStorage(url, cut)
  await expect(checkInstallation(database.ownerUrl, createFolder(), storage)).rejects.toThrow("is incomplete")
  await restoreBackup(config(cut, url), path, secret)
  const restored: string[] = []
  for await (const listed of storage.list()) restored.push(...listed.map(({ name }) => name))
  expect(restored).toEqual(names)
  await checkInstallation(database.ownerUrl, createFolder(), storage)
  await expect(restoreBackup(config(createFolder(), url), path, secret)).rejects.toThrow("is not empty")
  s3.disturb(() => "cut")
  const broken = join(createFolder(), "backup.age")
  const away = takeBackupInSubprocess(from, { ...task, path: broken }, signal, () => {})
  await expect(away).rejects.toThrow("The document storage could not be reached.")
}, 120_000)
