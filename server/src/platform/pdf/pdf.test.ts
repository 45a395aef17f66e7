import { randomUUID } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { Limit } from "../work/limit.ts"
import { renderPdf } from "./pdf.ts"

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await openTestApp()
  folder = await mkdtemp(join(tmpdir(), "milkwood-pdf-"))
  await writeFile(
    join(folder, "template.ts"),
    `export default {
      about: () => ({ title: "A", author: "B", createdAt: "2026-11-02T08:00:00Z" }),
      draw(_, { seconds, dies }) {
        if (dies) process.exit(1)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1_000)
      },
    }`,
  )
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const printDocument = (
  line: "downloads" | "records",
  document: { seconds: number; dies?: boolean },
  owner: string = randomUUID(),
) =>
  renderPdf({ app: app.app, line, owner }, join(folder, "template.ts"), () => document).then(
    (bytes) => bytes.subarray(0, 5).toString(),
    (error: Error) => error.message,
  )

function shrinkQueue(): void {
  const { limits } = app.app
  const { downloads } = limits
  limits.downloads = new Limit({ atOnce: 1, waiting: 12, patienceMs: 30_000, each: 5 })
  onTestFinished(() => {
    limits.downloads = downloads
  })
}

test("PDFs to store do not wait for downloads, and one user cannot fill the queue", async () => {
  shrinkQueue()
  await Promise.all([printDocument("downloads", { seconds: 0 }), printDocument("records", { seconds: 0 })])
  const ended: string[] = []
  const downloads = Array.from({ length: 5 }, () =>
    printDocument("downloads", { seconds: 0.3 }, "ann").then(() => ended.push("download")),
  )
  expect(await printDocument("downloads", { seconds: 0 }, "ann")).toContain("maximum number of downloads or uploads")
  await printDocument("records", { seconds: 0 }).then(() => ended.push("record"))
  expect(ended[0]).toBe("record")
  await Promise.all(downloads)
})

test("a request for a PDF is refused as overloaded if the queue is full", async () => {
  shrinkQueue()
  const all = await Promise.all(Array.from({ length: 20 }, () => printDocument("downloads", { seconds: 0.1 })))
  expect(all.filter((answer) => answer === "%PDF-")).toHaveLength(13)
  expect(all.filter((answer) => answer === "OVERLOADED")).toHaveLength(7)
})

test("a waiting PDF job loads its document when its turn starts", async () => {
  let asked = 0
  const all = Array.from({ length: 3 }, () =>
    renderPdf({ app: app.app, line: "downloads" }, join(folder, "template.ts"), () => {
      asked += 1
      return { seconds: 0.2 }
    }),
  )
  await vi.waitFor(() => expect(asked).toBe(1))
  await all[0]
  expect(asked).toBeLessThan(3)
  await Promise.all(all)
  expect(asked).toBe(3)
})

test("a document that crashes its worker thread fails alone", async () => {
  const [first, second, third] = await Promise.all([
    printDocument("records", { seconds: 0.2 }),
    printDocument("records", { seconds: 0, dies: true }),
    printDocument("records", { seconds: 0 }),
  ])
  expect([first, third]).toEqual(["%PDF-", "%PDF-"])
  expect(second).toMatch(/PDF worker ended/)
})
