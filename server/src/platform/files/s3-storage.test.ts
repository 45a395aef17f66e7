import { execFile } from "node:child_process"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { readdirSync, utimesSync, writeFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { sql } from "drizzle-orm"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { startS3, type TestS3 } from "../../test/s3.ts"
import { FileStore, FileTooLarge, type StoredFile } from "./files.ts"
import { incomingFolderOf } from "./folder-storage.ts"
import { NoSuchFile, openStorage, StorageUnavailable } from "./storage.ts"

let s3: TestS3
let app: TestApp
let files: FileStore
beforeAll(async () => {
  s3 = await startS3()
  app = await openTestApp({ now: Temporal.Now.instant().toString(), storage: await openStorage(s3.url, "/nowhere") })
  files = app.app.files
})
afterEach(() => s3.disturb(undefined))
afterAll(async () => {
  await app?.close()
  await s3?.close()
})

const saveFile = (content: Buffer | Awaited<ReturnType<FileStore["receive"]>>): Promise<StoredFile> =>
  app.transaction(app.people.manager, (cx) =>
    files.save(cx, { kind: "test", name: "a.bin", mime: "application/octet-stream", groupId: null, content }),
  )
const readBytes = (fileId: string) => files.bytes(app.sql, fileId)
const receiveBytes = (bytes: Buffer) => files.receive(Readable.from([bytes]), bytes.length)
const listObjectPaths = () =>
  readdirSync(s3.folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith("._S3rver_object"))
const objectPathOf = ({ id }: { id: string }) => join(s3.folder, listObjectPaths().find((path) => path.includes(id))!)
const listPutRequests = () => s3.asked.filter(({ method, url }) => method === "PUT" && url.includes("/files/"))

test("a file reads back unchanged after one signed upload with its length and hash, never presigned", async () => {
  const bytes = randomBytes(100_000)
  const stored = await saveFile(bytes)
  expect((await readBytes(stored.id)).equals(bytes)).toBe(true)
  const [put] = listPutRequests().slice(-1)
  expect(put!.headers).toMatchObject({ "content-length": "100000", "x-amz-content-sha256": stored.sha256 })
  expect(put!.headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-content-sha256/)
  expect(s3.asked.filter(({ url }) => /X-Amz-Signature|Signature=/.test(url))).toEqual([])
  expect(await readdir(files.folder)).toEqual(["incoming"])
  expect(await readdir(incomingFolderOf(files.folder))).toEqual([])
})

test("uploading and downloading a large file uses constant memory", async () => {
  const megabytes = 200
  const program = join(import.meta.dirname, "s3-large.process.ts")
  const { stdout } = await promisify(execFile)(process.execPath, [program, s3.url, files.folder, String(megabytes)])
  const { same, grownMb } = JSON.parse(stdout) as { same: boolean; grownMb: number }
  expect(same).toBe(true)
  expect(grownMb).toBeLessThan(megabytes / 3)
}, 120_000)

test("receiving stops at the size limit, and the file is not uploaded", async () => {
  const before = listPutRequests().length
  await expect(files.receive(Readable.from([randomBytes(1_000), randomBytes(1_000)]), 1_500)).rejects.toThrow(
    FileTooLarge,
  )
  expect(listPutRequests().length).toBe(before)
  expect(await readdir(incomingFolderOf(files.folder))).toEqual([])
})

test("retries a closed connection; the error for an unreachable storage omits the key", async () => {
  let cuts = 0
  s3.disturb(({ method }) => (method === "PUT" && ++cuts === 1 ? "cut" : undefined))
  const stored = await saveFile(Buffer.from("twice"))
  expect((await readBytes(stored.id)).toString()).toBe("twice")
  s3.disturb(() => "cut")
  const file = await receiveBytes(Buffer.from("never"))
  const error = await files.put(file).catch((error: unknown) => error as Error)
  expect(error).toBeInstanceOf(StorageUnavailable)
  expect((error as Error).message).not.toMatch(/S3RVER/)
  expect(await files.fault()).toBe("the document storage cannot be reached")
  await expect(readBytes(stored.id)).rejects.toThrow(StorageUnavailable)
  s3.disturb(undefined)
  await files.put(file)
  await files.discard(file)
})

test("deletes an unsaved file at once and crash leftovers after a day, never a recorded file", async () => {
  const kept = await saveFile(Buffer.from("kept"))
  const refused = await receiveBytes(Buffer.from("refused"))
  await files.put(refused)
  expect(listObjectPaths().some((path) => path.includes(refused.id))).toBe(true)
  await files.discard(refused)
  expect(listObjectPaths().some((path) => path.includes(refused.id))).toBe(false)

  const left = await receiveBytes(Buffer.from("left"))
  await files.put(left)
  const young = Temporal.Now.instant()
  expect(await files.sweep(app.sql, young.add({ hours: 23 }))).toBe(0)
  await files.sweep(app.sql, young.add({ hours: 25 }))
  expect(listObjectPaths().some((path) => path.includes(left.id))).toBe(false)
  expect((await readBytes(kept.id)).toString()).toBe("kept")
  await app.sql.run(sql`delete from files where id = ${kept.id}`)
  expect(await files.sweep(app.sql, young.add({ hours: 25 }))).toBe(1)
  await expect(files.storage.open(`${kept.id.slice(0, 2)}/${kept.id}`)).rejects.toThrow(NoSuchFile)
})

test("deletes half-received files a day after a crash", async () => {
  const half = join(incomingFolderOf(files.folder), randomUUID())
  writeFileSync(half, "half")
  expect(await files.sweepIncoming(Date.now() - 60_000)).toBe(0)
  utimesSync(half, new Date("2026-01-01"), new Date("2026-01-01"))
  expect(await files.sweepIncoming(Date.now() - 60_000)).toBe(1)
})

test("reading a file that was altered in the storage fails at its end", async () => {
  const stored = await saveFile(Buffer.from("as it was"))
  writeFileSync(objectPathOf(stored), "as it is!")
  await expect(readBytes(stored.id)).rejects.toThrow("a stored file was altered or is damaged")
})

test("lists files across several pages of the storage", async () => {
  const bytes = Buffer.from("x")
  const sums = { size: 1, sha256: createHash("sha256").update(bytes).digest("hex") }
  const path = (await receiveBytes(bytes)).path
  const names = Array.from({ length: 1_010 }, (_, nth) => `zz/zz-${String(nth).padStart(6, "0")}`)
  for (let at = 0; at < names.length; at += 20)
    await Promise.all(names.slice(at, at + 20).map((name) => files.storage.put(name, path, sums)))
  const found: string[] = []
  for await (const listed of files.storage.list()) found.push(...listed.map(({ name }) => name))
  expect(found.filter((name) => name.startsWith("zz/"))).toEqual(names)
}, 60_000)

test("two installations in folders of one bucket do not see each other's files", async () => {
  const other = new FileStore(join(files.folder, "other"), await openStorage(s3.urlOf({ folder: "second house" }), ""))
  const file = await other.receive(Readable.from([Buffer.from("ours")]), 10)
  await other.put(file)
  const name = `${file.id.slice(0, 2)}/${file.id}`
  expect((await buffer(await other.storage.open(name))).toString()).toBe("ours")
  await expect(files.storage.open(name)).rejects.toThrow(NoSuchFile)
  const listed: string[] = []
  for await (const page of other.storage.list()) listed.push(...page.map((found) => found.name))
  expect(listed).toEqual([name])
})

test("a storage that does not answer is reported as unavailable within the timeout", async () => {
  s3.disturb(() => "silence")
  const asked = performance.now()
  const fault = await Promise.race([files.fault(), pause(15_000)])
  expect(fault).toBe("the document storage cannot be reached")
  expect(performance.now() - asked).toBeLessThan(14_000)
}, 30_000)
