import { flushCompileCache } from "node:module"
import { setPriority } from "node:os"
import type { ReaderAnswer, ReadFile } from "./read-apart.ts"

// Lower priority than user requests.
setPriority(5)

const sendAnswer = (answer: ReaderAnswer<unknown>) => new Promise<void>((sent) => process.send!(answer, () => sent()))

process.once("message", async (task) => {
  try {
    const { default: read } = (await import(process.argv[2]!)) as { default: ReadFile<unknown, unknown> }
    // The process is killed when it is done, so it could not write the cache at exit.
    flushCompileCache()
    let before: Promise<unknown> | undefined
    await read(task, async (part) => {
      await before
      before = new Promise((taken) => process.once("message", taken))
      await sendAnswer({ part })
    })
    await sendAnswer("done")
  } catch (error) {
    if (!(error instanceof Error)) throw error
    await sendAnswer(error.name === "Unreadable" ? { unreadable: error.message } : { failed: error.message })
  }
})
process.once("disconnect", () => process.exit())
