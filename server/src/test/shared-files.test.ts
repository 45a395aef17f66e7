import { randomUUID } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PolicyDocuments } from "@milkwood/domain/policies/policy-documents.contract"
import { generateX25519Identity, identityToRecipient } from "age-encryption"
import { sql } from "drizzle-orm"
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest"
import { restoreBackup } from "../backups/restore-backup.ts"
import { takeBackupApart } from "../backups/take-backup-apart.ts"
import { openStorage } from "../platform/files/storage.ts"
import { draftPolicy } from "../policies/policies.samples.ts"
import { pdf, sendDocument, typeNamed } from "../policies/policy-documents.samples.ts"
import { readConfig } from "../runtime/config.ts"
import { checkInstallation } from "../runtime/installation.ts"
import { Browser, linkIn } from "../users/browser.samples.ts"
import { hashing } from "../users/passwords.ts"
import { type Client, openTestApp, type TestApp } from "./app.ts"
import { startS3, type TestS3 } from "./s3.ts"
import { ServerProcess } from "./server-process.ts"

/* Two servers with separate data folders share a database and an S3 document storage. */

let s3: TestS3
let app: TestApp
let one: ServerProcess
let two: ServerProcess
let client: Client
let form: string
let policyId: string
let browser: Browser
const folders: string[] = []

beforeAll(async () => {
  hashing.cost = 16
  s3 = await startS3()
  const storage = await openStorage(s3.url, "/nowhere")
  app = await openTestApp({ now: Temporal.Now.instant().toString(), storage })
  const env = { DATABASE_URL: app.app.database.ownerUrl, FILES_URL: s3.url }
  // The first server marks the storage; the second reads its key from there.
  one = await new ServerProcess(env).start()
  two = await new ServerProcess(env).start()
  client = app.as(app.people.admin)
  form = await typeNamed(client, "Application form")
  policyId = (await draftPolicy(client, { groupName: "Shared Foods" })).id
  const { link } = await client.users.invite({ email: "thandi@example.test", role: "manager" })
  browser = new Browser(app.app, "127.0.0.1")
  const { token } = linkIn(link)
  const password = "Under-the-milkwood-26"
  await (await browser.api()).users.acceptInvitation({ token, fullName: "Thandi Mokoena", password })
  await (await browser.api()).users.signIn({ email: "thandi@example.test", password })
}, 180_000)
afterEach(() => s3?.disturb(undefined))
afterAll(async () => {
  await Promise.all([one?.close(), two?.close()])
  await app?.close()
  await s3?.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "milkwood-shared-"))
  folders.push(folder)
  return folder
}

const headers = () => Object.fromEntries(browser.headers())
const send = (server: ServerProcess, name: string) =>
  sendDocument(
    { url: server.url, headersOf: headers } as never,
    app.people.manager,
    { policyId },
    new File([pdf], name),
    { documentType: form },
  )
const sent = async (server: ServerProcess, name: string): Promise<string> => {
  const answer = await send(server, name)
  expect(answer.status, answer.status === 200 ? "" : await answer.clone().text()).toBe(200)
  const { documents } = (await answer.json()) as PolicyDocuments
  return documents.find((document) => document.name === name)!.id
}
const read = (server: ServerProcess, documentId: string) =>
  fetch(`${server.url}/api/policies/${policyId}/documents/${documentId}`, { headers: headers() })
const ready = async (server: ServerProcess) => {
  const answer = await fetch(`${server.url}/api/ready`)
  return [answer.status, ((await answer.json()) as { reason?: string }).reason]
}
const named = async () =>
  (await client.policies.documents.ofPolicy({ policyId })).documents.map(({ name }) => name).sort()
const stored = async () => {
  const names: string[] = []
  for await (const listed of app.app.files.storage.list()) names.push(...listed.map(({ name }) => name))
  return names
}
const known = async () =>
  (await app.sql.rows<{ name: string }>(sql`select storage_name as name from files order by 1`)).map(({ name }) => name)
const near = ({ folder }: ServerProcess) =>
  existsSync(join(folder, "files"))
    ? readdirSync(join(folder, "files"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : []
const keyOf = (folder: string) => readFileSync(join(folder, "secret-key"), "utf8")

test("servers share documents and the seal key, and keep no local copy", async () => {
  const documentId = await sent(one, "form.pdf")
  const answer = await read(two, documentId)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe(pdf)
  expect([...near(one), ...near(two)]).toEqual([])
  expect(keyOf(one.folder)).toBe(keyOf(two.folder))
  expect(await stored()).toEqual(await known())
  expect(await ready(one)).toEqual([200, undefined])
})

test("a killed upload leaves no record, and a retry succeeds", async () => {
  const before = await named()
  let isUnderWay = false
  s3.disturb(({ method, url }) => {
    if (method !== "PUT" || !url?.includes("/files/")) return undefined
    isUnderWay = true
    return "silence"
  })
  const sending = send(one, "killed.pdf").catch(() => "cut off")
  await vi.waitUntil(() => isUnderWay, { timeout: 30_000 })
  await one.kill()
  expect(await sending).toBe("cut off")
  s3.disturb(undefined)
  expect(await named()).toEqual(before)
  expect(await stored()).toEqual(await known())
  // The partial file is removed after a day.
  expect(near(one).length).toBe(1)
  await one.start()
  const documentId = await sent(one, "killed.pdf")
  expect(await (await read(two, documentId)).text()).toBe(pdf)
}, 120_000)

test("during a storage outage users see an error and lose no data", async () => {
  const documentId = await sent(two, "before.pdf")
  const before = await named()
  s3.disturb(() => "cut")
  const { runId } = await client.reports.generate({
    ...{ report: "member_register", format: "csv", query: {}, idempotencyKey: randomUUID() },
  })
  const words = "The document storage cannot be reached at the moment. Nothing was changed."
  for (const answer of [await send(two, "away.pdf"), await read(two, documentId)]) {
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining(words) })
  }
  expect(await named()).toEqual(before)
  expect(await ready(two)).toEqual([503, "the document storage cannot be reached"])
  const list = await fetch(`${two.url}/api/v1/policies`, { headers: headers() })
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
  expect((await read(two, documentId)).status).toBe(200)
  await sent(two, "away.pdf")
  await vi.waitUntil(async () => (await ready(two))[0] === 200, { timeout: 10_000 })
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
  await expect(check(newFolder(), s3.urlOf({ folder: "empty" }))).rejects.toThrow(
    "contains none of this database's documents",
  )
  const other = await openTestApp()
  await other.sql.run(sql`update installation set id = ${randomUUID()}`)
  const others = checkInstallation(other.app.database.ownerUrl, newFolder(), app.app.files.storage)
  await expect(others).rejects.toThrow("the storage contains the documents of another database")
  await other.close()
  const folder = newFolder()
  await check(folder, s3.url)
  expect(keyOf(folder)).toBe(keyOf(one.folder))
  const stranger = newFolder()
  const { secretKey } = await import("../runtime/installation.ts")
  secretKey(stranger)
  await expect(check(stranger, s3.url)).rejects.toThrow("differs from the one of the ser")
  for (const [url, why] of [
    ["http://key:secret@127.0.0.1:1/documents", "no server answers at that host and port"],
    [s3.urlOf({ key: "ANOTHER" }), "the storage does not know this key"],
    [s3.urlOf({ bucket: "nowhere" }), "there is no bucket of that name"],
  ] as const)
    await expect(check(newFolder(), url)).rejects.toThrow(`The storage of FILES_URL cannot be used: ${why}.`)
})

test("a backup includes stored documents and restores to a folder or another storage", async () => {
  const secret = await generateX25519Identity()
  const path = join(newFolder(), "backup.age")
  const task = { path, recipient: await identityToRecipient(secret) }
  const { database } = app.app
  const from = { database, data: { folder: one.folder, postgres: null, filesUrl: s3.url } }
  const signal = new AbortController().signal
  const sums = await takeBackupApart(from, task, signal, () => {})
  const names = await known()
  expect(sums.files).toBeGreaterThan(names.length)
  const config = (folder: string, filesUrl: string) => readConfig({ DATA_DIR: folder, FILES_URL: filesUrl })

  const folder = newFolder()
  await restoreBackup(config(folder, ""), path, secret)
  for (const name of names) {
    const chunks: Buffer[] = []
    for await (const chunk of await app.app.files.storage.open(name)) chunks.push(chunk)
    expect(readFileSync(join(folder, "files", name)).equals(Buffer.concat(chunks))).toBe(true)
  }

  // The restore to storage is interrupted first; no server may start on it until it has run again.
  const url = s3.urlOf({ folder: "restored" })
  const cut = newFolder()
  let ups = 0
  s3.disturb(({ method, url }) =>
    method === "PUT" && url?.includes("/restored/files/") && ++ups > 1 ? "cut" : undefined,
  )
  await expect(restoreBackup(config(cut, url), path, secret)).rejects.toThrow(/storage of FILES_URL cannot be used/)
  s3.disturb(undefined)
  const storage = await openStorage(url, cut)
  await expect(checkInstallation(database.ownerUrl, newFolder(), storage)).rejects.toThrow("is incomplete")
  await restoreBackup(config(cut, url), path, secret)
  const restored: string[] = []
  for await (const listed of storage.list()) restored.push(...listed.map(({ name }) => name))
  expect(restored).toEqual(names)
  await checkInstallation(database.ownerUrl, newFolder(), storage)
  await expect(restoreBackup(config(newFolder(), url), path, secret)).rejects.toThrow("is not empty")
  s3.disturb(() => "cut")
  const broken = join(newFolder(), "backup.age")
  const away = takeBackupApart(from, { ...task, path: broken }, signal, () => {})
  await expect(away).rejects.toThrow("The document storage could not be reached.")
}, 120_000)
