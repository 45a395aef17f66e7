import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import type { PdfAnswer, PdfRequest } from "./pdf-worker.ts"

interface Waiting {
  resolve(bytes: Buffer): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

const timeLimitMs = 30_000
let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, Waiting>()

/**
 * Makes a PDF in a worker thread, so that a long document never holds up the requests of others. `template` is the
 * path of a file whose default export is a `PdfTemplate`; `document` is plain data.
 *
 *     const bytes = await renderPdf<InvoiceDocument>(join(import.meta.dirname, "invoice-pdf.ts"), document)
 */
export function renderPdf<Document>(template: string, document: Document): Promise<Buffer> {
  const id = ++lastId
  return new Promise<Buffer>((resolve, reject) => {
    const timer = setTimeout(() => stop(new Error("a PDF took longer than 30 seconds")), timeLimitMs)
    waiting.set(id, { resolve, reject, timer })
    const request: PdfRequest = { id, template: pathToFileURL(template).href, document }
    const running = thread()
    // An idle thread does not keep the process alive; one with work does.
    running.ref()
    running.postMessage(request)
  })
}

function thread(): Worker {
  if (worker) return worker
  const started = new Worker(join(import.meta.dirname, "pdf-worker.ts"))
  started.on("message", (answer: PdfAnswer) => {
    const asked = waiting.get(answer.id)
    if (!asked) return
    waiting.delete(answer.id)
    clearTimeout(asked.timer)
    if (waiting.size === 0) started.unref()
    if ("error" in answer) asked.reject(new Error(`a PDF could not be made: ${answer.error}`))
    else asked.resolve(Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength))
  })
  started.on("error", (error) => stop(error instanceof Error ? error : new Error(String(error))))
  worker = started
  return started
}

/** Gives up the thread with all that waits for it; the next document starts another. */
function stop(error: Error): void {
  const stopped = worker
  worker = undefined
  for (const { reject, timer } of waiting.values()) {
    clearTimeout(timer)
    reject(error)
  }
  waiting.clear()
  void stopped?.terminate()
}
