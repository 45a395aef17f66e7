import { once } from "node:events"
import { Worker } from "node:worker_threads"

interface ThreadCalls {
  module: string
  call: string
  args: unknown[][][]
}

const thread = `
  const { parentPort, workerData: { module, call, calls, meeting, many } } = require("node:worker_threads")
  import(module).then((all) => parentPort.postMessage(calls.map((args, nth) => {
    Atomics.add(meeting, nth, 1)
    while (Atomics.load(meeting, nth) < many);
    return all[call](...args)
  })))`

/** Calls a function in several threads, which synchronise before each call; returns the answers per thread. */
export async function callInThreads<Answer>({ module, call, args }: ThreadCalls): Promise<Answer[][]> {
  const meeting = new Int32Array(new SharedArrayBuffer(4 * args[0]!.length))
  const threads = args.map(
    (calls) => new Worker(thread, { eval: true, workerData: { module, call, calls, meeting, many: args.length } }),
  )
  try {
    return await Promise.all(threads.map(async (each) => (await once(each, "message"))[0] as Answer[]))
  } finally {
    for (const each of threads) await each.terminate()
  }
}
