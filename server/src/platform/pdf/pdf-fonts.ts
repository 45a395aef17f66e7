import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { inflateSync } from "node:zlib"

const folder = dirname(createRequire(import.meta.url).resolve("@fontsource/inter/package.json"))

/** Inter has one small file per script, tried in this order; most documents need only the first. */
const scripts = ["latin", "latin-ext", "vietnamese", "greek", "cyrillic", "greek-ext", "cyrillic-ext"] as const
type Script = (typeof scripts)[number]

export const weights = { regular: 400, bold: 600 } as const
export type Weight = keyof typeof weights

/** Printed instead of characters that the font lacks, such as emoji. */
const replacement = "?"

type Range = [from: number, to: number]

const unicodeRangesByScript = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(join(folder, "unicode.json"), "utf8")) as Record<Script, string>).map(
    ([script, list]) => [
      script,
      list.split(",").map((part): Range => {
        const [from, to = from] = part.replace("U+", "").split("-")
        return [Number.parseInt(from!, 16), Number.parseInt(to!, 16)]
      }),
    ],
  ),
) as Record<Script, Range[]>

const fontFilesByName = new Map<string, Buffer>()

export function fontFile(name: string): Buffer {
  let file = fontFilesByName.get(name)
  if (!file) {
    file = unwrapWoff(readFileSync(join(folder, "files", `inter-${name}-normal.woff`)))
    fontFilesByName.set(name, file)
  }
  return file
}

/**
 * WOFF deflates the tables of an OpenType font (W3C WOFF 1.0, sections 3 to 5). pdfkit inflates them in JavaScript for
 * each document, which took ten times as long as drawing it.
 */
function unwrapWoff(woff: Buffer): Buffer {
  const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, index) => {
    const entry = 44 + index * 20
    const offset = woff.readUInt32BE(entry + 4)
    const packed = woff.subarray(offset, offset + woff.readUInt32BE(entry + 8))
    const length = woff.readUInt32BE(entry + 12)
    return {
      tag: woff.subarray(entry, entry + 4),
      checksum: woff.readUInt32BE(entry + 16),
      content: packed.length < length ? inflateSync(packed) : packed,
    }
  })
  const header = Buffer.alloc(12 + tables.length * 16)
  woff.copy(header, 0, 4, 8)
  header.writeUInt16BE(tables.length, 4)
  const parts: Buffer[] = [header]
  let offset = header.length
  tables.forEach(({ tag, checksum, content }, index) => {
    const entry = 12 + index * 16
    tag.copy(header, entry)
    header.writeUInt32BE(checksum, entry + 4)
    header.writeUInt32BE(offset, entry + 8)
    header.writeUInt32BE(content.length, entry + 12)
    const padding = Buffer.alloc((4 - (content.length % 4)) % 4)
    parts.push(content, padding)
    offset += content.length + padding.length
  })
  return Buffer.concat(parts)
}

const scriptsByCharacter = new Map<string, Script | undefined>()

function scriptOf(sign: string): Script | undefined {
  if (!scriptsByCharacter.has(sign)) {
    const codePoint = sign.codePointAt(0)!
    const has = (script: Script) =>
      unicodeRangesByScript[script].some(([from, to]) => codePoint >= from && codePoint <= to)
    scriptsByCharacter.set(sign, scripts.find(has))
  }
  return scriptsByCharacter.get(sign)
}

export interface Run {
  font: string
  text: string
}

export function fontRunsOf(text: string, weight: Weight): Run[] {
  const runs: Run[] = []
  for (const sign of text.normalize("NFC").replace(/\p{Cc}/gu, " ")) {
    const script = scriptOf(sign)
    const font = `${script ?? "latin"}-${weights[weight]}`
    const shown = script ? sign : replacement
    const last = runs.at(-1)
    if (last?.font === font) last.text += shown
    else runs.push({ font, text: shown })
  }
  return runs
}
