import { setPriority } from "node:os"
import { performance } from "node:perf_hooks"
import { parentPort } from "node:worker_threads"
import PDFDocument from "pdfkit"
import template, { type InvoiceDocument } from "../server/src/billing/invoice-pdf.ts"
import { fontFile, fontRunsOf } from "../server/src/platform/pdf/pdf-fonts.ts"
import { a4, ink, Sheet, setFeatures } from "../server/src/platform/pdf/pdf-sheet.ts"

/* The reference of "invoice-pdfs": records the product's pdfkit calls and replays them with pdfkit alone, without
   measuring, wrapping, formatting or messaging. */

type Call = [name: string, args: unknown[]]
type Doc = PDFKit.PDFDocument & Record<string, (...args: unknown[]) => unknown>

const recordedMethods = [
  ...[
    "addPage",
    "registerFont",
    "font",
    "fontSize",
    "text",
    "fillColor",
    "strokeColor",
    "lineWidth",
    "moveTo",
    "lineTo",
  ],
  ...["stroke", "rect", "roundedRect", "fill", "save", "restore", "rotate", "switchToPage"],
]
let depth = 0
let calls: Call[] = []
const doc = PDFDocument.prototype as unknown as Doc
for (const name of recordedMethods) {
  const original = doc[name]!
  doc[name] = function (this: Doc, ...args: unknown[]) {
    if (depth === 0) calls.push([name, name === "registerFont" ? [args[0], fontFile(String(args[0]))] : args])
    depth++
    try {
      return original.apply(this, args)
    } finally {
      depth--
    }
  }
}

Sheet.prototype.text = function (this: Sheet, text, x, y, style = {}) {
  const { size = 9, weight = "regular", color = ink, align, width = 0 } = style
  let at = align === "right" ? x + width - this.measure(text, style) : x
  calls.push(["fillColor", [color]])
  for (const run of fontRunsOf(text, weight)) {
    const textWidth = this.measure(run.text, style)
    const options = { lineBreak: false, textWidth, wordCount: 1 }
    calls.push(["font", [run.font]], ["fontSize", [size]], ["text", [run.text, at, y, options]])
    at += textWidth
  }
}

async function recordDrawing(document: InvoiceDocument): Promise<Call[]> {
  calls = []
  const sheet = new Sheet(template.about(document))
  template.draw(sheet, document)
  const all = calls
  await sheet.finish()
  const kept: Call[] = []
  const wanted = { font: undefined as Call | undefined, fontSize: undefined as Call | undefined }
  let used = ""
  for (const call of all) {
    const [name] = call
    if (name === "font" || name === "fontSize") {
      wanted[name] = call
      continue
    }
    const now = `${wanted.font?.[1]} ${wanted.fontSize?.[1]}`
    if (name === "text" && now !== used) {
      kept.push(wanted.font!, wanted.fontSize!)
      used = now
    }
    kept.push(call)
  }
  return kept
}

function replayCalls(kept: readonly Call[]): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const size = [a4.width, a4.height] as [number, number]
  const pdf = new PDFDocument({ size, margin: 0, autoFirstPage: false, bufferPages: true, font: "" }) as Doc
  const parts: Buffer[] = []
  pdf.on("data", (part: Buffer) => parts.push(part))
  pdf.on("end", () => resolve(Buffer.concat(parts).length))
  depth++
  const fonts = new Set<unknown>()
  for (const [name, args] of kept) {
    pdf[name]!(...args)
    if (name !== "font" || fonts.has(args[0])) continue
    fonts.add(args[0])
    setFeatures(pdf)
  }
  depth--
  pdf.end()
  return promise
}

if (process.platform === "linux") setPriority(10)

parentPort?.on("message", async (documents: InvoiceDocument[]) => {
  let ms = 0
  let bytes = 0
  let pages = 0
  for (const document of documents) {
    const kept = await recordDrawing(document)
    pages += kept.filter(([name]) => name === "addPage").length
    const from = performance.now()
    bytes += await replayCalls(kept)
    ms += performance.now() - from
  }
  parentPort!.postMessage({ ms, bytes, pages })
})
