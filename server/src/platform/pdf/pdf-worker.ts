import { setPriority } from "node:os"
import { parentPort } from "node:worker_threads"
import { Sheet } from "./pdf-sheet.ts"

interface About {
  title: string
  author: string
  createdAt: string
}

export interface PdfTemplate<Document> {
  about(document: Document): About
  draw(sheet: Sheet, document: Document): void
}

/** For documents too long to hold in memory: pages are written as parts arrive. */
export interface LongPdfTemplate<Head, Part> {
  about(head: Head): About
  begin(sheet: Sheet, head: Head): { part(part: Part): void; end(): void }
}

export type PdfRequest =
  | { template: string; document: unknown }
  | { template: string; head: unknown }
  | { part: unknown }
  | "end"

export type PdfAnswer = { bytes: Uint8Array } | { error: string }

// User requests have priority. On Linux this is the thread's own priority, elsewhere the process's.
if (process.platform === "linux") setPriority(10)

let long: { sheet: Sheet; drawing: ReturnType<LongPdfTemplate<unknown, unknown>["begin"]> }

async function drawn(request: PdfRequest): Promise<Uint8Array> {
  if (request === "end") {
    long.drawing.end()
    return long.sheet.finish()
  }
  if ("part" in request) {
    long.drawing.part(request.part)
    return long.sheet.take()
  }
  const { default: template } = await import(request.template)
  if ("head" in request) {
    const { about, begin } = template as LongPdfTemplate<unknown, unknown>
    const sheet = new Sheet(about(request.head), { isLong: true })
    long = { sheet, drawing: begin(sheet, request.head) }
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
    answer = { bytes: await drawn(request) }
  } catch (error) {
    answer = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort!.postMessage(answer)
})
