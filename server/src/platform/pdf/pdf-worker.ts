import { setPriority } from "node:os"
import { parentPort } from "node:worker_threads"
import { Sheet } from "./pdf-sheet.ts"

interface DocumentInfo {
  title: string
  author: string
  createdAt: string
}

export interface PdfTemplate<Document> {
  about(document: Document): DocumentInfo
  draw(sheet: Sheet, document: Document): void
}

/** For documents too long to hold in memory: pages are written as parts arrive. */
export interface LongPdfTemplate<Head, Part> {
  about(head: Head): DocumentInfo
  begin(sheet: Sheet, head: Head): { part(part: Part): void; end(): void }
}

export type PdfRequest =
  | { template: string; document: unknown }
  | { template: string; head: unknown }
  | { part: unknown }
  | "end"

export type PdfAnswer = { bytes: Uint8Array } | { error: string }

// User requests have priority. On Linux this sets the thread's own priority, elsewhere the process's.
if (process.platform === "linux") setPriority(10)

let longPrint: { sheet: Sheet; drawing: ReturnType<LongPdfTemplate<unknown, unknown>["begin"]> }

async function drawRequest(request: PdfRequest): Promise<Uint8Array> {
  if (request === "end") {
    longPrint.drawing.end()
    return longPrint.sheet.finish()
  }
  if ("part" in request) {
    longPrint.drawing.part(request.part)
    return longPrint.sheet.take()
  }
  const { default: template } = await import(request.template)
  if ("head" in request) {
    const { about, begin } = template as LongPdfTemplate<unknown, unknown>
    const sheet = new Sheet(about(request.head), { isLong: true })
    longPrint = { sheet, drawing: begin(sheet, request.head) }
    return sheet.take()
  }
  const { about, draw } = template as PdfTemplate<unknown>
  const sheet = new Sheet(about(request.document))
  draw(sheet, request.document)
  return sheet.finish()
}

parentPort?.on("message", async (request: PdfRequest) => {
  let answer: PdfAnswer
  try {
    answer = { bytes: await drawRequest(request) }
  } catch (error) {
    answer = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort!.postMessage(answer)
})
