import { crc32 } from "node:zlib"
import { type ByteReader, unreadablePicture } from "./byte-reader.ts"
import { orientationOf, tiffOfOrientation } from "./exif-orientation.ts"

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")

/** Pixels, also of an animation, their transparency, colours and size in print. */
const keptChunks = ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "acTL", "fcTL", "fdAT", "pHYs", "bKGD", "hIST", "sBIT"]
const colourChunks = ["cHRM", "gAMA", "iCCP", "sRGB", "cICP", "mDCV", "cLLI"]
const kept = new Set([...keptChunks, ...colourChunks])

/** A decoder must know chunks whose name begins with a capital letter. */
const isCritical = (name: string) => name[0] === name[0]!.toUpperCase()

const maxChunks = 200_000
const maxExifBytes = 1_000_000

/** A PNG's pixels and colours byte for byte, and its orientation. Texts, times and unknown chunks are left out. */
export async function* pngPixels(reader: ByteReader): AsyncGenerator<Buffer> {
  if (!(await reader.take(signature.length)).equals(signature)) throw unreadablePicture()
  yield signature
  for (let chunks = 0; chunks < maxChunks; chunks++) {
    const head = await reader.take(8)
    const length = head.readUInt32BE()
    const name = head.toString("latin1", 4)
    if (!/^[a-z]{4}$/i.test(name) || (chunks === 0) !== (name === "IHDR")) throw unreadablePicture()
    if (kept.has(name)) {
      yield head
      // The checksum follows.
      yield* reader.pass(length + 4)
    } else if (isCritical(name)) throw unreadablePicture()
    else if (name === "eXIf" && length <= maxExifBytes) {
      const orientation = orientationOf(await reader.take(length))
      await reader.drop(4)
      if (orientation !== undefined && orientation !== 1) yield chunkOf("eXIf", tiffOfOrientation(orientation))
    } else await reader.drop(length + 4)
    if (name === "IEND") return
  }
  throw unreadablePicture()
}

function chunkOf(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name, "latin1"), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length)
  ends.writeUInt32BE(crc32(content), 4)
  return Buffer.concat([ends.subarray(0, 4), content, ends.subarray(4)])
}
