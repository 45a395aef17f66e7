import { readFileSync } from "node:fs"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createPlainPng, pngChunk } from "../../test/plain-png.ts"
import { orientationOf, tiffOfOrientation } from "./exif-orientation.ts"
import { withoutMetadata } from "./picture-metadata.ts"

const readFixture = (name: string) => readFileSync(join(import.meta.dirname, "../../settings/logo/fixtures", name))

async function* inChunks(bytes: Buffer, size = 64 * 1024): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const strip = (extension: string, bytes: Buffer, chunkSize?: number): Promise<Buffer> =>
  buffer(withoutMetadata(extension, inChunks(bytes, chunkSize)))

function segment(marker: number, body: Buffer | string): Buffer {
  const content = Buffer.from(body as string, "latin1")
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
const ends = { start: Buffer.from([0xff, 0xd8]), end: Buffer.from([0xff, 0xd9]) }
const jpegOf = (...parts: Buffer[]) => Buffer.concat([ends.start, ...parts, ends.end])

/** The scan contains a stuffed byte, a restart and a fill byte. */
const pixels = Buffer.concat([
  segment(0xdb, "quantisation"),
  segment(0xc0, "frame"),
  segment(0xc4, "huffman"),
  segment(0xda, "first scan"),
  Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd3, 4]),
  segment(0xc4, "more huffman"),
  segment(0xda, "second scan"),
  Buffer.from([5, 0xff, 0, 0xff, 0xff, 0, 6]),
])
const icc = segment(0xe2, "ICC_PROFILE\0\x01\x01 profile")
const jfif = (thumbnail: string) => segment(0xe0, `JFIF\0\x01\x02\x00\x00\x48\x00\x48${thumbnail}`)
const exifOf = (tiff: Buffer) => segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]))

/** A phone's Exif block: little-endian, device, orientation, time. */
function phoneTiff(orientation: number): Buffer {
  const tiff = Buffer.alloc(120)
  tiff.write("II*\0\x08\0\0\0\x03\0", "latin1")
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    tiff.writeUInt16LE(tag, at)
    tiff.writeUInt16LE(type, at + 2)
    tiff.writeUInt32LE(count, at + 4)
    tiff.writeUInt32LE(value, at + 8)
  }
  entry(10, 0x0110, 2, 14, 60)
  entry(22, 0x0112, 3, 1, orientation)
  entry(34, 0x0132, 2, 20, 80)
  tiff.write("Secret Phone 9", 60)
  tiff.write("2026:11:02 08:00:00", 80)
  return tiff
}

describe("a JPEG without metadata", () => {
  test("keeps tables, scans and colours byte for byte, and loses device, place, texts, thumbnails and trailing video", async () => {
    const file = Buffer.concat([
      jpegOf(
        jfif("\x01\x01thumb"),
        segment(0xe0, "JFXX\0secret thumbnail"),
        exifOf(phoneTiff(1)),
        segment(0xe1, "http://ns.adobe.com/xap/1.0/\0<secret/>"),
        segment(0xe2, "MPF\0secret second picture"),
        icc,
        segment(0xed, "Photoshop 3.0\0secret caption"),
        segment(0xee, "Adobe\0\x64\0\0\0\0\x01secret"),
        segment(0xfe, "secret comment"),
        pixels,
        segment(0xfe, "secret comment after the scan"),
      ),
      Buffer.from("secret video"),
    ])
    const expected = jpegOf(jfif("\0\0"), icc, segment(0xee, "Adobe\0\x64\0\0\0\0\x01"), pixels)
    for (const size of [1, 2, 3, 7, 64 * 1024]) expect((await strip("jpg", file, size)).equals(expected)).toBe(true)
    expect((await strip("jpeg", expected)).equals(expected)).toBe(true)
  })

  test.each([2, 3, 4, 5, 6, 7, 8])("keeps orientation %i and nothing else of the Exif block", async (orientation) => {
    const plain = await strip("jpg", jpegOf(exifOf(phoneTiff(orientation)), pixels))
    expect(plain.equals(jpegOf(exifOf(tiffOfOrientation(orientation)), pixels))).toBe(true)
    expect(orientationOf(plain.subarray(12))).toBe(orientation)
  })

  test("drops an Exif block that is damaged", async () => {
    const wrong = phoneTiff(6)
    wrong.writeUInt32LE(0xfffffff0, 4)
    for (const tiff of [wrong, phoneTiff(9), Buffer.from("II"), Buffer.alloc(0)])
      expect((await strip("jpg", jpegOf(exifOf(tiff), pixels))).equals(jpegOf(pixels))).toBe(true)
  })

  test("copies the scans of real photos byte for byte", async () => {
    for (const name of ["camera.jpg", "progressive.jpg", "cmyk.jpg", "turned.jpg"]) {
      const file = readFixture(name)
      const plain = await strip("jpg", file)
      expect(plain.includes("Thandi"), name).toBe(false)
      const scan = file.subarray(file.indexOf(Buffer.from([0xff, 0xda])))
      expect(plain.subarray(-scan.length).equals(scan), name).toBe(true)
    }
    expect(orientationOf((await strip("jpg", readFixture("turned.jpg"))).subarray(30))).toBeGreaterThan(1)
  })

  test("refuses files without a scan, an end or known segments", async () => {
    const whole = jpegOf(pixels)
    for (const file of [
      ends.start,
      jpegOf(),
      jpegOf(segment(0xf7, "lossless"), pixels),
      jpegOf(Buffer.from([0xff, 0xdb, 0, 1]), pixels),
      jpegOf(...Array(10_001).fill(segment(0xfe, "")), pixels),
      whole.subarray(0, -1),
      Buffer.from("GIF89a"),
      Buffer.alloc(0),
    ])
      await expect(strip("jpg", file)).rejects.toMatchObject({ name: "Unreadable" })
  })
})

describe("a PNG without metadata", () => {
  const plain = createPlainPng(20, 10)
  const [header, rest] = [plain.subarray(0, 33), plain.subarray(33)]

  test("keeps pixels and colours byte for byte, and loses texts, time, unknown chunks and data after the end", async () => {
    const gamma = pngChunk("gAMA", Buffer.from([0, 0, 0xb1, 0x8f]))
    const file = Buffer.concat([
      header,
      pngChunk("tEXt", Buffer.from("Author\0secret")),
      gamma,
      pngChunk("iTXt", Buffer.from("XML:com.adobe.xmp\0secret")),
      pngChunk("zTXt", Buffer.alloc(70_000, "secret")),
      pngChunk("tIME", Buffer.from([7, 0xea, 11, 2, 8, 0, 0])),
      pngChunk("eXIf", phoneTiff(1)),
      pngChunk("caBX", Buffer.from("secret")),
      rest,
      Buffer.from("secret"),
    ])
    const expected = Buffer.concat([header, gamma, rest])
    for (const size of [1, 5, 64 * 1024]) expect((await strip("png", file, size)).equals(expected)).toBe(true)
  })

  test("keeps the orientation", async () => {
    const stripped = await strip("png", Buffer.concat([header, pngChunk("eXIf", phoneTiff(6)), rest]))
    expect(stripped.equals(Buffer.concat([header, pngChunk("eXIf", tiffOfOrientation(6)), rest]))).toBe(true)
  })

  test("refuses a truncated file, an unknown critical chunk and a missing header", async () => {
    for (const file of [
      plain.subarray(0, -1),
      Buffer.concat([header, pngChunk("ABCD", Buffer.alloc(4)), rest]),
      Buffer.concat([plain.subarray(0, 8), rest]),
      Buffer.concat([header, Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.from("IDAT")]),
    ])
      await expect(strip("png", file)).rejects.toMatchObject({ name: "Unreadable" })
  })
})

test("damaged files are refused or copied, never an error; a second pass changes nothing", async () => {
  const photos = [readFixture("camera.jpg"), readFixture("turned.jpg"), jpegOf(exifOf(phoneTiff(6)), icc, pixels)]
  const files = [
    ...photos.map((bytes) => ({ extension: "jpg", bytes })),
    { extension: "png", bytes: readFixture("wide.png") },
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
      fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      fc.integer({ min: 1, max: 5_000 }),
      async ({ extension, bytes }, changes, share, chunkSize) => {
        const damaged = Buffer.from(bytes)
        for (const [at, value] of changes) damaged[at % damaged.length] = value
        const file = share === null ? damaged : damaged.subarray(0, Math.floor(damaged.length * share))
        const once = await strip(extension, file, chunkSize).catch((error: Error) => error)
        if (once instanceof Error) expect(once.name).toBe("Unreadable")
        else expect((await strip(extension, once)).equals(once)).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})
