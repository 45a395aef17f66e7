import { type ByteReader, unreadablePicture } from "./byte-reader.ts"
import { orientationOf, tiffOfOrientation } from "./exif-orientation.ts"

const endMarker = 0xd9
const scanMarker = 0xda
const app0 = 0xe0
const comment = 0xfe

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8
/** DHT and DAC are among the frame markers; these are DQT, DNL, DRI, DHP and EXP. */
const tableMarkers = [0xdb, 0xdc, 0xdd, 0xde, 0xdf]
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7
const hasNoBody = (marker: number) => marker === 0x01 || isRestart(marker)
const isApplicationData = (marker: number) => marker >= app0 && marker <= 0xef

/** No camera writes as many; a file of empty segments would be slow to copy. */
const maxSegments = 10_000

/**
 * The first picture of a JPEG: tables and scans byte for byte, the colour profile and the orientation. The thumbnail,
 * and a second picture or video after the end, are left out.
 */
export async function* jpegPixels(reader: ByteReader): AsyncGenerator<Buffer> {
  const start = await reader.take(2)
  if (start[0] !== 0xff || start[1] !== 0xd8) throw unreadablePicture()
  yield start
  let isOriented = false
  let hasScan = false
  for (let segments = 0; segments < maxSegments; segments++) {
    const marker = await nextMarker(reader)
    if (marker === endMarker) {
      if (!hasScan) throw unreadablePicture()
      return yield Buffer.from([0xff, endMarker])
    }
    if (hasNoBody(marker)) continue
    const length = (await reader.take(2)).readUInt16BE() - 2
    if (length < 0) throw unreadablePicture()
    const body = await reader.take(length)
    if (isApplicationData(marker)) {
      const kept = keptApplicationData(marker, body, isOriented)
      if (!kept) continue
      isOriented ||= marker === app0 + 1
      yield segmentOf(marker, kept)
    } else if (marker === scanMarker || isFrame(marker) || tableMarkers.includes(marker)) {
      yield segmentOf(marker, body)
      if (marker === scanMarker) {
        hasScan = true
        yield* scanOf(reader)
      }
    } else if (marker !== comment) throw unreadablePicture()
  }
  throw unreadablePicture()
}

/** Skips fill bytes, and bytes between segments, as decoders do. */
async function nextMarker(reader: ByteReader): Promise<number> {
  for (;;) {
    const bytes = await reader.peek()
    const at = bytes.indexOf(0xff)
    reader.skip(at === -1 ? bytes.length : at)
    if (at === -1) continue
    let marker = 0xff
    while (marker === 0xff) marker = (await reader.take(1))[0]!
    if (marker !== 0) return marker
  }
}

/** The entropy-coded data up to the next marker that is neither a restart nor a stuffed byte. */
async function* scanOf(reader: ByteReader): AsyncGenerator<Buffer> {
  for (;;) {
    const bytes = await reader.peek()
    const end = findEndOfScan(bytes)
    if (end > 0) {
      reader.skip(end)
      yield bytes.subarray(0, end)
    }
    if (end === bytes.length) continue
    // The chunk may end between the bytes of a marker.
    const pair = await reader.take(2)
    reader.putBack(pair)
    if (endsScan(pair[1]!)) return
    reader.skip(1)
    yield pair.subarray(0, 1)
  }
}

const endsScan = (marker: number) => marker !== 0 && marker !== 0xff && !isRestart(marker)

function findEndOfScan(bytes: Buffer): number {
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1]
    if (marker === undefined || endsScan(marker)) return at
  }
  return bytes.length
}

function keptApplicationData(marker: number, body: Buffer, isOriented: boolean): Buffer | undefined {
  const startsWith = (text: string) => body.toString("latin1", 0, text.length) === text
  if (marker === app0 && startsWith("JFIF\0") && body.length >= 14)
    // The last two bytes are the size of the thumbnail.
    return Buffer.concat([body.subarray(0, 12), Buffer.alloc(2)])
  if (marker === 0xe1 && startsWith("Exif\0") && !isOriented) {
    const orientation = orientationOf(body.subarray(6))
    if (orientation === undefined || orientation === 1) return
    return Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiffOfOrientation(orientation)])
  }
  if (marker === 0xe2 && startsWith("ICC_PROFILE\0")) return body
  // The colour transform. Without it some pictures have wrong colours.
  if (marker === 0xee && startsWith("Adobe") && body.length >= 12) return body.subarray(0, 12)
}

function segmentOf(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
