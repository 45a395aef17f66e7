import { fork } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { unreadable } from "./unreadable.ts"

/**
 * What a reader's module exports as default. It reads a file that somebody uploaded, throws `Unreadable` with a
 * sentence where it cannot, and hands over what it finds in parts; each is taken while the next is made and before that
 * is handed over, so that a long file is never held twice.
 */
export type ReadFile<Task, Part> = (task: Task, deliver: (part: Part) => Promise<void>) => Promise<void>

export interface ReadingLimits {
  /** of V8's heap, in megabytes */
  memory: number
  /** of its work, in milliseconds: waiting until a part is taken does not count */
  time: number
  /** What the sender can do about a file that exceeds them; by default the advice for a list. */
  advice?: string
}

export type ReaderAnswer<Part> = { part: Part } | { unreadable: string } | { failed: string } | "done"

/** Readers' modules are kept compiled, apart from the server's own: what a file might make of them stays among readers. */
const codeCache = join(import.meta.dirname, "../../../../node_modules/.cache/milkwood-readers")

/**
 * Runs a reader in a process of its own, because the file may be hostile: what it eats, and how long it takes, is
 * limited, and an abort of the engine ends that process alone. It has nothing of our environment, and may neither
 * write files nor start anything nor reach the network.
 *
 *     await readApart<Task, Part>(join(import.meta.dirname, "staff-list-reader.ts"), task, limits, async (part) => …)
 *
 * Throws `Unreadable` with a sentence for the sender.
 */
export async function readApart<Task, Part>(
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
      // V8 would rather grow than collect what a row leaves behind; with less than this, what a batch still needs is
      // moved over and over.
      "--max-semi-space-size=16",
    ],
    env: { NODE_COMPILE_CACHE: codeCache },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  const { advice = "Split the list or save it as CSV." } = limits
  const ended = new Promise((resolve) => child.once("close", resolve))
  const { promise: read, resolve, reject } = Promise.withResolvers<void>()
  const clock = stopwatch(limits.time, () => reject(unreadable(`The file takes too long to read. ${advice}`)))
  // The part that is being taken, and at most one more: then the reader waits for us.
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
    // What was handed over before is taken first.
    taken.then(() => {
      if (answer === "done") resolve()
      else reject("unreadable" in answer ? unreadable(answer.unreadable) : new Error(answer.failed))
    }, reject)
  })
  child.on("error", reject)
  // The engine ends its process when the heap is full; so does the machine when its memory is.
  child.on("exit", () => reject(unreadable(`The file needs too much memory to read. ${advice}`)))
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

/** Calls `over` when it has run for so long altogether. */
function stopwatch(ms: number, over: () => void): { start(): void; stop(): void } {
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
