import { unreadableFile } from "../../platform/files/unreadable.ts"

const damagedPictureError = (): Error =>
  unreadableFile("The picture is damaged or incomplete. Save it again and choose the new file.")

const startMarker = 0xd8
const endMarker = 0xd9
const scan = 0xda
const adobe = 0xee
const exif = 0xe1
const frameMarkers = { baseline: 0xc0, extended: 0xc1, progressive: 0xc2 }

/** Quantisation tables, Huffman tables and the restart interval. */
const tableMarkers = [0xdb, 0xc4, 0xdd]
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/** The file without metadata; the size is that of its header. */
export interface PlainJpeg {
  width: number
  height: number
  file: Buffer
}

/**
 * Keeps only the unchanged pixels. Throws `Unreadable` for a JPEG that printers or PDF readers may show differently.
 */
export function readPlainJpeg(file: Buffer): PlainJpeg {
  const kept: Buffer[] = [Buffer.from([0xff, startMarker])]
  let size: { width: number; height: number } | undefined
  let hasScan = false
  let at = 2
  if (file[0] !== 0xff || file[1] !== startMarker) throw damagedPictureError()
  for (;;) {
    if (file[at] !== 0xff) throw damagedPictureError()
    while (file[at + 1] === 0xff) at++
    const marker = file[at + 1]
    if (marker === undefined) throw damagedPictureError()
    if (marker === endMarker) break
    if (at + 4 > file.length) throw damagedPictureError()
    const next = at + 2 + file.readUInt16BE(at + 2)
    const body = file.subarray(at + 4, next)
    if (next > file.length || next < at + 4) throw damagedPictureError()
    const segment = file.subarray(at, next)
    at = next
    if (isFrame(marker)) {
      if (size) throw damagedPictureError()
      size = frameSizeOf(marker, body)
      kept.push(segment)
    } else if (tableMarkers.includes(marker)) kept.push(segment)
    else if (marker === adobe && body.toString("latin1", 0, 5) === "Adobe" && body.length >= 12)
      kept.push(Buffer.from([0xff, adobe, 0, 14]), body.subarray(0, 12))
    else if (marker === exif) refuseRotated(body)
    else if (marker === scan) {
      if (!size) throw damagedPictureError()
      hasScan = true
      at = findEndOfScan(file, at)
      kept.push(segment, file.subarray(next, at))
    }
  }
  if (!size || !hasScan) throw damagedPictureError()
  return { ...size, file: Buffer.concat([...kept, Buffer.from([0xff, endMarker])]) }
}

function frameSizeOf(marker: number, body: Buffer): { width: number; height: number } {
  if (body.length < 6 || body.length < 6 + body[5]! * 3) throw damagedPictureError()
  const [bits, components] = [body[0]!, body[5]!]
  if (components === 4) throw unreadableFile("The picture uses print colours (CMYK). Save it in RGB.")
  if (!Object.values(frameMarkers).includes(marker) || bits !== 8 || ![1, 3].includes(components))
    throw unreadableFile("This kind of JPEG cannot be used in PDFs. Save the picture as PNG.")
  return { height: body.readUInt16BE(1), width: body.readUInt16BE(3) }
}

/** The next marker that is neither a restart nor a stuffed byte. */
function findEndOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const marker = file[at + 1]
    if (marker !== undefined && marker !== 0 && marker !== 0xff && !isRestart(marker)) return at
  }
  throw damagedPictureError()
}

/** Refuses a rotated picture: without the metadata, which is removed, it would appear turned. */
function refuseRotated(body: Buffer): void {
  if (body.toString("latin1", 0, 6) !== "Exif\0\0" || body.length < 14) return
  const tiff = body.subarray(6)
  const isLittle = tiff.toString("latin1", 0, 2) === "II"
  const short = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let entry = 0; entry < Math.min(short(directory), 100); entry++) {
    const at = directory + 2 + entry * 12
    if (short(at) === 0x0112 && short(at + 8) > 1)
      throw unreadableFile("The picture is stored rotated. Save it upright and choose the new file.")
  }
}
