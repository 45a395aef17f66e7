import { setPriority } from "node:os"
import { parentPort } from "node:worker_threads"
import { Sheet } from "./pdf-sheet.ts"

/** What a template's file exports as default: it draws a document on an empty sheet. */
export interface PdfTemplate<Document> {
  about(document: Document): { title: string; author: string; createdAt: string }
  draw(sheet: Sheet, document: Document): void
}

export interface PdfRequest {
  template: string
  document: unknown
}

export type PdfAnswer = { bytes: Uint8Array } | { error: string }

// Whoever waits for a page goes first. (On Linux this is the thread's own priority, elsewhere the process's.)
if (process.platform === "linux") setPriority(10)

parentPort?.on("message", async ({ template, document }: PdfRequest) => {
  try {
    const { default: chosen } = (await import(template)) as { default: PdfTemplate<unknown> }
    const sheet = new Sheet(chosen.about(document))
    chosen.draw(sheet, document)
    const bytes = await sheet.finish()
    const answer: PdfAnswer = { bytes }
    parentPort!.postMessage(answer)
  } catch (error) {
    const answer: PdfAnswer = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    parentPort!.postMessage(answer)
  }
})
