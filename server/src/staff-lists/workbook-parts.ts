import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { SaxesParser } from "saxes"
import yauzl, { type Entry, type ZipFile } from "yauzl"
import { unreadableFile } from "../platform/files/unreadable.ts"
import { damagedWorkbookError, lockedWorkbookError } from "./unreadable-lists.ts"

/** Called in the order of the part. Names are without namespace. */
export interface PartHandlers {
  open?(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

/** The parts of an .xlsx, which is a zip of XML. */
export interface WorkbookParts {
  has(name: string): boolean
  /** Streams the part while inflating it. */
  read(name: string, handlers: PartHandlers): Promise<void>
}

/**
 * Checks the declared total size before inflating anything; a part larger than declared is damaged. Throws
 * `Unreadable`.
 */
export async function openParts(bytes: Buffer): Promise<WorkbookParts> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Entry>()
  let inflated = 0
  for await (const entry of zip.eachEntry()) {
    if (zip.entryCount > staffListLimits.zipEntries)
      throw unreadableFile(`The workbook has more than ${staffListLimits.zipEntries} parts.`)
    if (entry.isEncrypted()) throw lockedWorkbookError()
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
      throw unreadableFile("The workbook uses an unsupported compression format. Save it again as .xlsx or CSV.")
    inflated += entry.uncompressedSize
    if (inflated > staffListLimits.inflatedBytes) throw tooLargeError()
    const name = entry.fileName.toLowerCase()
    if (entries.has(name))
      throw unreadableFile("The workbook contains two parts with the same name. Save it again and choose the new file.")
    entries.set(name, entry)
  }
  return {
    has: (name) => entries.has(name.toLowerCase()),
    async read(name, handlers) {
      const entry = entries.get(name.toLowerCase())
      if (!entry) throw damagedWorkbookError()
      await readXml(zip, entry, handlers)
    },
  }
}

async function readXml(zip: ZipFile, entry: Entry, { open, text, close }: PartHandlers): Promise<void> {
  const parser = new SaxesParser({ position: false })
  parser.on("doctype", () => {
    throw unreadableFile("The workbook contains a DOCTYPE, which spreadsheets never have, so it was not opened.")
  })
  if (open)
    parser.on("opentag", ({ name, attributes }) => open(localNameOf(name), attributes as Record<string, string>))
  if (close) parser.on("closetag", ({ name }) => close(localNameOf(name)))
  if (text) {
    parser.on("text", text)
    parser.on("cdata", text)
  }
  let decoder: TextDecoder | undefined
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    decoder ??= detectDecoder(chunk as Buffer)
    parser.write(decoder.decode(chunk as Buffer, { stream: true }))
  }
  parser.close()
}

/** Detects UTF-16 from the first bytes of the XML. */
function detectDecoder(start: Buffer): TextDecoder {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder("utf-16le")
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder("utf-16be")
  return new TextDecoder("utf-8", { fatal: true })
}

function localNameOf(name: string): string {
  const colon = name.indexOf(":")
  return colon < 0 ? name : name.slice(colon + 1)
}

const tooLargeError = () =>
  unreadableFile(
    `The workbook unpacks to more than ${staffListLimits.inflatedBytes / 1024 / 1024} MB. Split the list or save it as CSV.`,
  )
