import { setPriority } from "node:os"
import { performance } from "node:perf_hooks"
import { parentPort } from "node:worker_threads"
import PDFDocument from "pdfkit"
import template, { type InvoiceDocument } from "../server/src/billing/invoice-pdf.ts"
import { fontFile, runsOf } from "../server/src/platform/pdf/pdf-fonts.ts"
import { a4, ink, Sheet, setFeatures } from "../server/src/platform/pdf/pdf-sheet.ts"

/*
 * The reference of the benchmark "invoice-pdfs": what the product draws of an invoice is written down, call by call, and
 * then drawn again by pdfkit alone. Nothing is measured, wrapped, formatted or handed between threads there.
 */

type Call = [name: string, args: unknown[]]
type Doc = PDFKit.PDFDocument & Record<string, (...args: unknown[]) => unknown>

const drawn = [
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
for (const name of drawn) {
  const original = doc[name]!
  doc[name] = function (this: Doc, ...args: unknown[]) {
    // The product keeps a font that it has read; alone, pdfkit is given its file.
    if (depth === 0) calls.push([name, name === "registerFont" ? [args[0], fontFile(String(args[0]))] : args])
    depth++
    try {
      return original.apply(this, args)
    } finally {
      depth--
    }
  }
}

/** The product puts its texts into the page by itself; pdfkit is told each of them. */
Sheet.prototype.text = function (this: Sheet, text, x, y, style = {}) {
  const { size = 9, weight = "regular", color = ink, align, width = 0 } = style
  let at = align === "right" ? x + width - this.measure(text, style) : x
  calls.push(["fillColor", [color]])
  for (const run of runsOf(text, weight)) {
    const textWidth = this.measure(run.text, style)
    const options = { lineBreak: false, textWidth, wordCount: 1 }
    calls.push(["font", [run.font]], ["fontSize", [size]], ["text", [run.text, at, y, options]])
    at += textWidth
  }
}

/** What the product draws, without the fonts that it only measured with. */
async function written(document: InvoiceDocument): Promise<Call[]> {
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

function bare(kept: readonly Call[]): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const size = [a4.width, a4.height] as [number, number]
  const pdf = new PDFDocument({ size, margin: 0, autoFirstPage: false, bufferPages: true, font: "" }) as Doc
  const parts: Buffer[] = []
  pdf.on("data", (part: Buffer) => parts.push(part))
  pdf.on("end", () => resolve(Buffer.concat(parts).length))
  // Counted as ours alone: pdfkit's own calls of these are not written down again.
  depth++
  const fonts = new Set<unknown>()
  for (const [name, args] of kept) {
    pdf[name]!(...args)
    // The same signs, and not the slower way to others.
    if (name !== "font" || fonts.has(args[0])) continue
    fonts.add(args[0])
    setFeatures(pdf)
  }
  depth--
  pdf.end()
  return promise
}

// As the thread that makes the product's.
if (process.platform === "linux") setPriority(10)

parentPort?.on("message", async (documents: InvoiceDocument[]) => {
  let ms = 0
  let bytes = 0
  let pages = 0
  for (const document of documents) {
    const kept = await written(document)
    pages += kept.filter(([name]) => name === "addPage").length
    const from = performance.now()
    bytes += await bare(kept)
    ms += performance.now() - from
  }
  parentPort!.postMessage({ ms, bytes, pages })
})
