import { fork } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { unreadableFile } from "./unreadable.ts"

/**
 * Default export of a reader's module. It reads an uploaded file and delivers parts; on failure it throws `Unreadable`
 * with a message for the user. Each part is processed while the next is prepared, so that memory never holds a whole
 * long file.
 */
export type ReadFile<Task, Part> = (task: Task, deliver: (part: Part) => Promise<void>) => Promise<void>

export interface ReadingLimits {
  /** V8 heap limit, in megabytes */
  memory: number
  /** time limit in milliseconds, without the time that the reader waits for us */
  time: number
  /** Advice when a file exceeds the limits; default: the advice for lists. */
  advice?: string
}

export type ReaderAnswer<Part> = { part: Part } | { unreadable: string } | { failed: string } | "done"

/** Separate from the server's compile cache, so that a hostile file can affect readers only. */
const codeCache = join(import.meta.dirname, "../../../../node_modules/.cache/milkwood-readers")
// Node grants a reader write access to the content of a folder only if the folder exists.
mkdirSync(codeCache, { recursive: true })

/**
 * Runs a reader in a separate process, because the file may be hostile. Memory and time are limited, and an engine
 * abort ends only that process. It has no environment variables, and cannot write files, start processes or use the
 * network.
 *
 *     await readInSubprocess<Task, Part>(join(import.meta.dirname, "staff-list-reader.ts"), task, limits, async (part) => …)
 *
 * Throws `Unreadable` with a sentence for the sender.
 */
export async function readInSubprocess<Task, Part>(
  reader: string,
  task: Task,
  limits: ReadingLimits,
  take: (part: Part) => Promise<void>,
): Promise<void> {
  const child = fork(join(import.meta.dirname, "reader-process.ts"), [pathToFileURL(reader).href], {
    execArgv: [
      "--permission",
      "--allow-fs-read=*",
      `--allow-fs-write=${codeCache}`,
      `--max-old-space-size=${limits.memory}`,
      // With a smaller semi-space V8 copies the data of a batch again and again.
      "--max-semi-space-size=16",
    ],
    env: { NODE_COMPILE_CACHE: codeCache },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  const { advice = "Split the list or save it as CSV." } = limits
  const ended = new Promise((resolve) => child.once("close", resolve))
  const { promise: read, resolve, reject } = Promise.withResolvers<void>()
  const clock = createStopwatch(limits.time, () => reject(unreadableFile(`The file takes too long to read. ${advice}`)))
  let parts = 0
  let hasEnded = false
  let taken = Promise.resolve()
  child.on("message", (answer: ReaderAnswer<Part>) => {
    if (typeof answer === "object" && "part" in answer) {
      parts += 1
      if (parts === 2) clock.stop()
      taken = taken
        .then(() => take(answer.part))
        .then(() => {
          parts -= 1
          if (parts === 1 && !hasEnded) clock.start()
          child.send("taken", () => {})
        })
      return void taken.catch(reject)
    }
    hasEnded = true
    clock.stop()
    // Waits until all delivered parts were processed.
    taken.then(() => {
      if (answer === "done") resolve()
      else reject("unreadable" in answer ? unreadableFile(answer.unreadable) : new Error(answer.failed))
    }, reject)
  })
  child.on("error", reject)
  // The process also ends if the heap or the machine's memory is full.
  child.on("exit", () => reject(unreadableFile(`The file needs too much memory to read. ${advice}`)))
  try {
    clock.start()
    child.send(task as object, () => {})
    await read
  } finally {
    hasEnded = true
    clock.stop()
    child.kill("SIGKILL")
    await ended
  }
}

function createStopwatch(ms: number, over: () => void): { start(): void; stop(): void } {
  let remaining = ms
  let since = 0
  let timer: NodeJS.Timeout | undefined
  return {
    start() {
      since = performance.now()
      timer = setTimeout(over, remaining)
    },
    stop() {
      if (!timer) return
      clearTimeout(timer)
      timer = undefined
      remaining -= performance.now() - since
    },
  }
}
