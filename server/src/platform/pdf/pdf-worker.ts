import { setPriority } from "node:os"
import { parentPort } from "node:worker_threads"
import { Sheet } from "./pdf-sheet.ts"

interface About {
  title: string
  author: string
  createdAt: string
}

/** What a template's file exports as default: it draws a document on an empty sheet. */
export interface PdfTemplate<Document> {
  about(document: Document): About
  draw(sheet: Sheet, document: Document): void
}

/** The same for a document that is longer than what should be held: its pages are written as its parts come. */
export interface LongPdfTemplate<Head, Part> {
  about(head: Head): About
  /** Draws what stands above the parts. Answers what draws each of them, and what ends the document. */
  begin(sheet: Sheet, head: Head): { part(part: Part): void; end(): void }
}

export type PdfRequest =
  | { template: string; document: unknown }
  | { template: string; head: unknown }
  | { part: unknown }
  | "end"

export type PdfAnswer = { bytes: Uint8Array } | { error: string }

// Whoever waits for a page goes first. (On Linux this is the thread's own priority, elsewhere the process's.)
if (process.platform === "linux") setPriority(10)

/** The long document that is drawn just now: a thread makes one after the other. */
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
