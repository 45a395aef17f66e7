import { crc32, deflateSync, inflateSync } from "node:zlib"
import { unreadableFile } from "../../platform/files/unreadable.ts"

/** Three bytes a pixel: red, green, blue. */
export interface Picture {
  width: number
  height: number
  rgb: Buffer
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const damagedPictureError = (): Error =>
  unreadableFile("The picture is damaged or incomplete. Save it again and choose the new file.")

interface Header {
  width: number
  height: number
  depth: number
  channels: number
  isPalette: boolean
  hasAlpha: boolean
  isInterlaced: boolean
}

const colourTypes: Record<number, Pick<Header, "channels" | "isPalette" | "hasAlpha"> & { depths: number[] }> = {
  0: { channels: 1, isPalette: false, hasAlpha: false, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, isPalette: false, hasAlpha: false, depths: [8, 16] },
  3: { channels: 1, isPalette: true, hasAlpha: false, depths: [1, 2, 4, 8] },
  4: { channels: 2, isPalette: false, hasAlpha: true, depths: [8, 16] },
  6: { channels: 4, isPalette: false, hasAlpha: true, depths: [8, 16] },
}

/**
 * The pixels of a PNG on white. Calls `check` with the header's size before inflating, and never inflates more. Throws
 * `Unreadable`.
 */
export function decodePng(file: Buffer, check: (size: { width: number; height: number }) => void): Picture {
  const chunks = readChunks(file)
  const header = readHeader(chunks[0])
  check(header)
  const find = (name: string) => chunks.find((chunk) => chunk.name === name)?.data
  if (find("acTL")) throw unreadableFile("The picture is animated. Choose a still picture.")
  const palette = find("PLTE")
  if (header.isPalette && !palette) throw damagedPictureError()
  const packed = Buffer.concat(chunks.filter(({ name }) => name === "IDAT").map(({ data }) => data))
  const passes = passesOf(header)
  const length = passes.reduce((sum, pass) => sum + pass.height * (1 + rowByteLength(header, pass.width)), 0)
  const scanlines = inflate(packed, length)
  const paint = createPixelWriter(header, palette, find("tRNS"))
  const rgb = Buffer.alloc(header.width * header.height * 3)
  let at = 0
  for (const pass of passes) {
    const bytes = rowByteLength(header, pass.width)
    let above: Buffer = Buffer.alloc(bytes)
    for (let row = 0; row < pass.height; row++) {
      const line = scanlines.subarray(at + 1, at + 1 + bytes)
      unfilter(scanlines[at]!, line, above, Math.max(1, (header.channels * header.depth) >> 3))
      const start = (pass.top + row * pass.down) * header.width
      for (let column = 0; column < pass.width; column++)
        paint(line, column, rgb, (start + pass.left + column * pass.across) * 3)
      above = line
      at += 1 + bytes
    }
  }
  return { width: header.width, height: header.height, rgb }
}

interface Chunk {
  name: string
  data: Buffer
}

/** Ignores bytes after the end marker. */
function readChunks(file: Buffer): Chunk[] {
  if (!file.subarray(0, 8).equals(signature)) throw damagedPictureError()
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at)
    if (end + 4 > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end))
      throw damagedPictureError()
    const name = file.toString("latin1", at + 4, at + 8)
    if (name === "IEND") return chunks
    chunks.push({ name, data: file.subarray(at + 8, end) })
    at = end + 4
  }
  throw damagedPictureError()
}

function readHeader(first: Chunk | undefined): Header {
  if (first?.name !== "IHDR" || first.data.length !== 13) throw damagedPictureError()
  const [depth, type, compression, filter, interlace] = first.data.subarray(8)
  const colours = colourTypes[type!]
  if (!colours?.depths.includes(depth!) || compression !== 0 || filter !== 0 || interlace! > 1)
    throw damagedPictureError()
  const { channels, isPalette, hasAlpha } = colours
  const size = { width: first.data.readUInt32BE(0), height: first.data.readUInt32BE(4) }
  return { ...size, depth: depth!, channels, isPalette, hasAlpha, isInterlaced: interlace === 1 }
}

function inflate(packed: Buffer, length: number): Buffer {
  try {
    const bytes = inflateSync(packed, { maxOutputLength: length })
    if (bytes.length === length) return bytes
  } catch {}
  throw damagedPictureError()
}

interface InterlacePass {
  left: number
  top: number
  across: number
  down: number
  width: number
  height: number
}

const interlacePasses = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

function passesOf({ width, height, isInterlaced }: Header): InterlacePass[] {
  return (isInterlaced ? interlacePasses : [[0, 0, 1, 1] as const])
    .map(([left, top, across, down]) => ({
      ...{ left, top, across, down },
      width: Math.ceil((width - left) / across),
      height: Math.ceil((height - top) / down),
    }))
    .filter((pass) => pass.width > 0 && pass.height > 0)
}

const rowByteLength = ({ depth, channels }: Header, width: number): number => Math.ceil((width * channels * depth) / 8)

/** The neighbour closest to left + above - corner. */
function paethPredictor(left: number, above: number, corner: number): number {
  const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)]
  const toCorner = Math.abs(left + above - 2 * corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

function unfilter(kind: number, line: Buffer, above: Buffer, step: number): void {
  if (kind > 4) throw damagedPictureError()
  if (kind === 0) return
  for (let at = 0; at < line.length; at++) {
    const left = at < step ? 0 : line[at - step]!
    const up = above[at]!
    const corner = at < step ? 0 : above[at - step]!
    line[at]! += kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 : paethPredictor(left, up, corner)
  }
}

function createPixelWriter(header: Header, palette: Buffer | undefined, transparency: Buffer | undefined) {
  const { depth, channels, isPalette, hasAlpha } = header
  const most = 2 ** depth - 1
  const sample = (line: Buffer, index: number): number => {
    if (depth === 8) return line[index]!
    if (depth === 16) return line.readUInt16BE(index * 2)
    const bit = index * depth
    return (line[bit >> 3]! >> (8 - depth - (bit & 7))) & most
  }
  const clear =
    !isPalette && !hasAlpha && transparency && transparency.length >= channels * 2
      ? Array.from({ length: channels }, (_, channel) => transparency.readUInt16BE(channel * 2))
      : undefined
  const colours = channels < 3 ? 1 : 3
  return (line: Buffer, column: number, rgb: Buffer, to: number): void => {
    const first = column * channels
    if (isPalette) {
      const entry = sample(line, first)
      if (entry * 3 + 3 > palette!.length) throw damagedPictureError()
      const alpha = (transparency?.[entry] ?? 255) / 255
      for (let colour = 0; colour < 3; colour++) rgb[to + colour] = blendOnWhite(palette![entry * 3 + colour]!, alpha)
      return
    }
    const alpha = hasAlpha
      ? sample(line, first + colours) / most
      : clear?.every((value, channel) => sample(line, first + channel) === value)
        ? 0
        : 1
    for (let colour = 0; colour < 3; colour++)
      rgb[to + colour] = blendOnWhite((sample(line, first + Math.min(colour, colours - 1)) * 255) / most, alpha)
  }
}

const blendOnWhite = (colour: number, alpha: number): number => Math.round(colour * alpha + 255 * (1 - alpha))

export function scaleDown(picture: Picture, size: { width: number; height: number }): Picture {
  if (size.width === picture.width && size.height === picture.height) return picture
  const columns = pixelShares(picture.width, size.width)
  const rows = pixelShares(picture.height, size.height)
  const rgb = Buffer.alloc(size.width * size.height * 3)
  rows.forEach((row, y) => {
    columns.forEach((column, x) => {
      const sum = [0, 0, 0]
      for (const [fromY, shareY] of row)
        for (const [fromX, shareX] of column)
          for (let colour = 0; colour < 3; colour++)
            sum[colour]! += picture.rgb[(fromY * picture.width + fromX) * 3 + colour]! * shareX * shareY
      for (let colour = 0; colour < 3; colour++) rgb[(y * size.width + x) * 3 + colour] = Math.round(sum[colour]!)
    })
  })
  return { ...size, rgb }
}

/** For each of `to` positions, the `from` positions it covers; shares add up to 1. */
function pixelShares(from: number, to: number): [place: number, share: number][][] {
  const step = from / to
  return Array.from({ length: to }, (_, place) => {
    const [start, end] = [place * step, Math.min(from, (place + 1) * step)]
    const covered: [number, number][] = []
    for (let at = Math.floor(start); at < end; at++)
      covered.push([at, (Math.min(end, at + 1) - Math.max(start, at)) / (end - start)])
    return covered
  })
}

/** Uses the PNG filter that gives the smaller file. */
export function encodePng({ width, height, rgb }: Picture): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const [plain, filtered] = [false, true].map((filters) => deflateSync(encodeScanlines(width, height, rgb, filters)))
  const packed = plain!.length <= filtered!.length ? plain! : filtered!
  return Buffer.concat([
    signature,
    encodeChunk("IHDR", header),
    encodeChunk("IDAT", packed),
    encodeChunk("IEND", Buffer.alloc(0)),
  ])
}

function encodeScanlines(width: number, height: number, rgb: Buffer, isFiltered: boolean): Buffer {
  const bytes = width * 3
  const lines = Buffer.alloc(height * (bytes + 1))
  for (let row = 0; row < height; row++) {
    const to = row * (bytes + 1)
    lines[to] = isFiltered ? 4 : 0
    for (let at = 0; at < bytes; at++) {
      const from = row * bytes + at
      const left = at < 3 ? 0 : rgb[from - 3]!
      const above = row === 0 ? 0 : rgb[from - bytes]!
      const corner = at < 3 || row === 0 ? 0 : rgb[from - bytes - 3]!
      lines[to + 1 + at] = rgb[from]! - (isFiltered ? paethPredictor(left, above, corner) : 0)
    }
  }
  return lines
}

function encodeChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
