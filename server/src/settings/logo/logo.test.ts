import { readFileSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createDraftInvoice, createSentInvoice } from "../../billing/billing.samples.ts"
import { type BillingApp, openBillingApp } from "../../billing/billing-scene.samples.ts"
import { createUnallocatedReceipt } from "../../receipts/receipts.samples.ts"
import { readPdfPictures } from "../../test/pdf-pictures.ts"
import { readPdfPages } from "../../test/pdf-text.ts"
import { createPlainPng, pngChunk } from "../../test/plain-png.ts"
import { sendFile } from "../../test/send-file.ts"

let app: BillingApp
let server: Awaited<ReturnType<BillingApp["serve"]>>
beforeAll(async () => {
  app = await openBillingApp()
  server = await app.serve()
})
beforeEach(() => app.sql.run(sql`delete from organisation_logo`))
afterAll(() => app.close())

const readFixture = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", name))
const adminClient = () => app.as(app.people.admin)

const sendLogo = (name: string, content: Buffer | string, actor = app.people.admin) =>
  sendFile(server, actor, { path: "/api/settings/logo", name, content })

async function uploadLogoFile(name: string, content: Buffer | string): Promise<string> {
  const answer = await sendLogo(name, content)
  if (answer.status === 200) return "taken"
  const body = (await answer.json()) as { data?: { fields: { message: string }[] } }
  return body.data?.fields[0]?.message ?? `status ${answer.status}`
}

const downloadFile = async (path: string) => {
  const answer = await fetch(`${server.url}${path}`, { headers: server.headersOf(app.people.admin) })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const downloadLogo = async () => (await downloadFile("/api/settings/logo")).bytes

const damagedMessage = /damaged or incomplete/

describe("an uploaded logo", () => {
  test("an uploaded logo is stored as a PNG on white in print size, without metadata", async () => {
    const upload = readFixture("wide.png")
    expect(upload.includes("Thandi")).toBe(true)
    const answer = await sendLogo("wide.png", upload)
    expect(await answer.json()).toMatchObject({
      logo: { fileName: "wide.png", width: 640, height: 80, savedAt: "2026-11-02T08:00:00Z", savedBy: "Ada Admin" },
    })
    const file = await downloadLogo()
    const names: string[] = []
    for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
      names.push(file.toString("latin1", at + 4, at + 8))
    expect(names).toEqual(["IHDR", "IDAT", "IEND"])
    expect(file.length).toBeLessThan(10_000)
  })

  test("a JPEG logo keeps its pixels and loses camera data, position and comment", async () => {
    const upload = readFixture("camera.jpg")
    expect(upload.includes("Exif") && upload.includes("Thandi")).toBe(true)
    expect(await uploadLogoFile("camera.jpg", upload)).toBe("taken")
    const file = await downloadLogo()
    for (const word of ["Exif", "Thandi", "JFIF"]) expect(file.includes(word), word).toBe(false)
    const scan = upload.subarray(upload.indexOf(Buffer.from([0xff, 0xda])))
    expect(file.subarray(-scan.length).equals(scan)).toBe(true)
    expect((await adminClient().settings.detail()).logo).toMatchObject({ width: 64, height: 96 })
    expect((await downloadFile("/api/settings/logo")).headers.get("content-type")).toBe("image/jpeg")
  })

  test("an uploaded logo loses data after the end of the picture", async () => {
    const hidden = Buffer.from("PK\x03\x04 Thandi")
    for (const name of ["wide.png", "camera.jpg"]) {
      expect(await uploadLogoFile(name, Buffer.concat([readFixture(name), hidden]))).toBe("taken")
      expect((await downloadLogo()).includes("Thandi")).toBe(false)
    }
  })

  test.each([
    {
      what: "an SVG",
      name: "logo.svg",
      content: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      says: /unsupported type/,
    },
    { what: "an SVG called PNG", name: "logo.png", content: "<svg/>", says: /is not a .png file/ },
    { what: "a JPEG called PNG", name: "logo.png", content: readFixture("camera.jpg"), says: /is not a .png file/ },
    { what: "a PNG called JPEG", name: "logo.jpg", content: readFixture("wide.png"), says: /is not a .jpg file/ },
    { what: "a PDF called JPEG", name: "logo.jpeg", content: "%PDF-1.4\n%%EOF", says: /is not a .jpeg file/ },
    { what: "an empty file", name: "logo.png", content: "", says: /is empty/ },
    { what: "an animated PNG", name: "logo.png", content: readFixture("animated.png"), says: /is animated/ },
    { what: "a JPEG for printers", name: "logo.jpg", content: readFixture("cmyk.jpg"), says: /Save it in RGB/ },
    { what: "a turned JPEG", name: "logo.jpg", content: readFixture("turned.jpg"), says: /Save it upright/ },
    {
      what: "a PNG that is too small",
      name: "a.png",
      content: createPlainPng(31, 40),
      says: /31 × 40 pixels.* 32 to 2.000/,
    },
    { what: "a PNG that is too wide", name: "a.png", content: createPlainPng(2_001, 40), says: /2001 × 40 pixels/ },
    {
      what: "a PNG header of 60 000 × 60 000",
      name: "a.png",
      content: createPlainPng(60_000, 60_000, Buffer.alloc(100)),
      says: /60000 × 60000 pixels/,
    },
    {
      what: "a PNG that inflates to more than its size",
      name: "a.png",
      content: createPlainPng(40, 40, Buffer.alloc(300_000_000)),
      says: damagedMessage,
    },
    {
      what: "a PNG with too few pixels",
      name: "a.png",
      content: createPlainPng(40, 40, Buffer.alloc(100)),
      says: damagedMessage,
    },
    {
      what: "a PNG with an unknown filter",
      name: "a.png",
      content: createPlainPng(40, 40, Buffer.alloc(4_840, 7)),
      says: damagedMessage,
    },
  ])("an uploaded logo is refused when it is $what", async ({ name, content, says }) => {
    expect(await uploadLogoFile(name, content)).toMatch(says)
    expect((await adminClient().settings.detail()).logo).toBeNull()
    expect((await downloadFile("/api/settings/logo")).status).toBe(404)
  })

  test("a logo larger than 500 KB is refused", async () => {
    expect(await uploadLogoFile("logo.png", Buffer.concat([readFixture("wide.png"), Buffer.alloc(512_000)]))).toBe(
      "The file is larger than 500 KB.",
    )
  })

  test.each([
    "wide.png",
    "camera.jpg",
    "progressive.jpg",
  ])("a logo is refused when %s is truncated or damaged", async (name) => {
    const whole = readFixture(name)
    expect(await uploadLogoFile(name, whole)).toBe("taken")
    // An end marker does not make a truncated file valid.
    const end = name.endsWith("png") ? pngChunk("IEND", Buffer.alloc(0)) : Buffer.from([0xff, 0xd9])
    for (const share of [0.2, 0.5, 0.9]) {
      const half = whole.subarray(0, Math.floor(whole.length * share))
      expect(await uploadLogoFile(name, half), `${share}`).toMatch(damagedMessage)
      if (name.endsWith("png"))
        expect(await uploadLogoFile(name, Buffer.concat([half, end])), `${share}`).toMatch(damagedMessage)
    }
    if (name.endsWith("png")) {
      const flipped = Buffer.from(whole)
      flipped[flipped.indexOf("IDAT") + 10]! ^= 1
      expect(await uploadLogoFile(name, flipped)).toMatch(damagedMessage)
    }
  })

  test("uploading, replacing and removing a logo are recorded with name, size and hash", async () => {
    await uploadLogoFile("wide.png", readFixture("wide.png"))
    await uploadLogoFile("camera.jpg", readFixture("camera.jpg"))
    const removed = await adminClient().settings.removeLogo()
    expect(removed.logo).toBeNull()
    const facts = await app.sql.rows<{ fact: string; actor: string; detail: unknown }>(sql`
      select fact, actor_name as actor, detail from audit_log where fact like 'Logo%' order by id desc limit 3`)
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
    const wide = { logo: "wide.png, 640 × 80 pixels", logoSha256: hash }
    const camera = { logo: "camera.jpg, 64 × 96 pixels", logoSha256: hash }
    const none = { logo: null, logoSha256: null }
    expect(facts).toMatchObject([
      { fact: "LogoRemoved", actor: "Ada Admin", detail: { before: camera, after: none } },
      { fact: "LogoSaved", actor: "Ada Admin", detail: { before: wide, after: camera } },
      { fact: "LogoSaved", actor: "Ada Admin", detail: { before: none, after: wide } },
    ])
    await expect(adminClient().settings.removeLogo()).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  test("only administrators upload or remove the logo", async () => {
    await uploadLogoFile("wide.png", readFixture("wide.png"))
    const { manager, underwriter } = app.people
    for (const actor of [manager, underwriter]) {
      expect((await sendLogo("camera.jpg", readFixture("camera.jpg"), actor)).status).toBe(403)
      await expect(app.as(actor).settings.removeLogo()).rejects.toMatchObject({ code: "FORBIDDEN" })
    }
    expect((await adminClient().settings.detail()).logo).toMatchObject({ fileName: "wide.png" })
  })
})

describe("the logo on documents", () => {
  const november = { month: "2026-11-01", invoiceOn: "2026-11-02" }
  const red = [200, 30, 40]
  const pixel = ({ rgb, width }: { rgb: Buffer; width: number }, x: number, y: number) => [
    ...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
  ]

  test("an invoice shows a wide PNG logo on white above the name, on page one", async () => {
    await uploadLogoFile("wide.png", readFixture("wide.png"))
    const policy = await app.policy()
    const { id } = await createDraftInvoice(app.manager, {
      policyId: policy.id,
      ...november,
      with: {
        kind: "other",
        lines: Array.from({ length: 60 }, (_, line) => ({
          ...{ memberId: null, description: `Line ${line}`, quantity: 1, unitCents: 100 },
        })),
      },
    })
    const { bytes } = await downloadFile(`/api/invoices/${id}/pdf`)
    expect((await readPdfPages(bytes)).length).toBeGreaterThan(1)
    const [logo, ...more] = await readPdfPictures(bytes)
    expect(more).toEqual([])
    expect(logo).toMatchObject({ page: 1, left: 48, pixels: { width: 640, height: 80 } })
    expect([logo!.top, logo!.width, logo!.height].map(Math.round)).toEqual([28, 160, 20])
    expect(pixel(logo!.pixels, 10, 40)).toEqual(red)
    // The first pixel is semi-transparent blue on white, the second fully transparent.
    expect(pixel(logo!.pixels, 600, 10)).toEqual([137, 157, 217])
    expect(pixel(logo!.pixels, 600, 70)).toEqual([255, 255, 255])
  })

  test("receipts and statements of account show a tall JPEG logo at 48 points height", async () => {
    await uploadLogoFile("camera.jpg", readFixture("camera.jpg"))
    const policy = await app.policy()
    const receipt = await createUnallocatedReceipt(app.manager, {
      ...{ policyId: policy.id, receivedOn: "2026-11-02", amountCents: 100_00 },
    })
    const statement = `/api/policies/${policy.id}/statement.pdf?from=2026-01-01&to=2026-11-02`
    for (const path of [`/api/receipts/${receipt.id}/pdf`, statement]) {
      const { bytes, status } = await downloadFile(path)
      expect(status, path).toBe(200)
      const [logo] = await readPdfPictures(bytes)
      expect(logo, path).toMatchObject({ page: 1, left: 48, height: 48, width: 32, pixels: { width: 64, height: 96 } })
      for (const [channel, value] of pixel(logo!.pixels, 10, 50).entries())
        expect(Math.abs(value - red[channel]!), path).toBeLessThan(8)
    }
  })

  test("a sent invoice keeps its PDF when the logo changes", async () => {
    await uploadLogoFile("wide.png", readFixture("wide.png"))
    const { id } = await createSentInvoice(app.manager, { policyId: (await app.policy()).id, ...november })
    const before = (await downloadFile(`/api/invoices/${id}/pdf`)).bytes
    expect(await readPdfPictures(before)).toHaveLength(1)
    await uploadLogoFile("camera.jpg", readFixture("camera.jpg"))
    await adminClient().settings.removeLogo()
    expect((await downloadFile(`/api/invoices/${id}/pdf`)).bytes.equals(before)).toBe(true)
  })

  test("a change or removal of the logo is visible to other processes at once", async () => {
    const { id } = await createDraftInvoice(app.manager, { policyId: (await app.policy()).id, ...november })
    const pictures = async () => readPdfPictures((await downloadFile(`/api/invoices/${id}/pdf`)).bytes)
    expect(await pictures()).toEqual([])
    await uploadLogoFile("wide.png", readFixture("wide.png"))
    const elsewhere = app.another(app.people.admin)
    expect((await elsewhere.settings.detail()).logo).toMatchObject({ fileName: "wide.png" })
    expect(await pictures()).toHaveLength(1)
    await elsewhere.settings.removeLogo()
    expect(await pictures()).toEqual([])
  })
})
