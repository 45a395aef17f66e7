import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import type { App } from "../app.ts"
import { refused } from "../calls/commands.ts"
import type { PdfAnswer, PdfRequest } from "./pdf-worker.ts"

/** Time limits in milliseconds, per document and per part of a long document. */
const renderTimeoutsMs = { downloads: 30_000, records: 30_000, reports: 60_000 }
const workerIdleMs = 5_000

interface PrintOptions {
  app: App
  /** Downloads and reports have their own queues, so that sending an invoice does not wait for them. */
  line: keyof typeof renderTimeoutsMs
  signal?: AbortSignal
  owner?: string
}

/**
 * Makes a PDF in a worker thread, so that a long document does not block requests. Do not call it in a transaction: the
 * connection would be held while the call queues. `template` is the path of a file that exports a `PdfTemplate`.
 * `document` returns plain data and is called when its turn starts.
 *
 *     const bytes = await renderPdf<InvoiceDocument>({ app, line: "records" }, template, () => document)
 */
export function renderPdf<Document>(
  { app, line, signal, owner }: PrintOptions,
  template: string,
  document: () => Document | Promise<Document>,
): Promise<Buffer> {
  const print = async () =>
    pdfWorkerPools[line].print({ template: pathToFileURL(template).href, document: await document() })
  return app.limits[line].hold(print, signal, owner === undefined ? {} : { owner })
}

type PrintPieces = <Head, Part>(template: string, head: Head, parts: AsyncIterable<Part>) => AsyncGenerator<Buffer>

/**
 * Makes a long PDF in pieces, in the same worker thread. `work` starts when its turn comes and has the thread to
 * itself, so it may hold a transaction.
 *
 *     await printLong({ app, line: "reports" }, (print) => app.files.receive(Readable.from(print(template, head, parts)), limit))
 */
export const printLong = <T>(
  { app, line, signal }: PrintOptions,
  work: (print: PrintPieces) => Promise<T>,
): Promise<T> => app.limits[line].hold(() => work((...asked) => printPieces(pdfWorkerPools[line], ...asked)), signal)

async function* printPieces(
  ...[press, template, head, parts]: [PdfWorkerPool, ...Parameters<PrintPieces>]
): AsyncGenerator<Buffer> {
  yield press.print({ template: pathToFileURL(template).href, head })
  for await (const part of parts) yield press.print({ part })
  yield press.print("end")
}

class PdfWorkerPool {
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  readonly #timeLimitMs: number

  constructor(timeLimitMs: number) {
    this.#timeLimitMs = timeLimitMs
  }

  print(request: PdfRequest): Promise<Buffer> {
    clearTimeout(this.#idle)
    const worker = this.#worker ?? new Worker(join(import.meta.dirname, "pdf-worker.ts"))
    this.#worker = worker
    // Only a busy thread keeps the process alive.
    worker.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const giveUp = (error: unknown): void => {
      this.#worker = undefined
      void worker.terminate()
      reject(error)
    }
    const onMessage = (answer: PdfAnswer): void => {
      if ("error" in answer) reject(new Error(`a PDF could not be made: ${answer.error}`))
      else resolve(Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength))
    }
    const onExit = (): void => giveUp(new Error("the PDF worker ended"))
    const timer = setTimeout(
      () =>
        giveUp(
          refused("OVERLOADED", `The PDF took longer than ${this.#timeLimitMs / 1_000} seconds and was cancelled.`),
        ),
      this.#timeLimitMs,
    )
    worker.on("message", onMessage).on("error", giveUp).on("exit", onExit)
    worker.postMessage(request)
    return promise.finally(() => {
      clearTimeout(timer)
      worker.off("message", onMessage).off("exit", onExit)
      if (this.#worker !== worker) return
      worker.off("error", giveUp).unref()
      this.#idle = setTimeout(() => {
        this.#worker = undefined
        void worker.terminate()
      }, workerIdleMs).unref()
    })
  }
}

const pdfWorkerPools = {
  downloads: new PdfWorkerPool(renderTimeoutsMs.downloads),
  records: new PdfWorkerPool(renderTimeoutsMs.records),
  reports: new PdfWorkerPool(renderTimeoutsMs.reports),
}
