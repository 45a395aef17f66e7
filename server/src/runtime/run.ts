import "./tuning.ts"
import type { App } from "../platform/app.ts"
import { claimPort } from "./address.ts"
import { type Config, prepareDataDir, readConfig } from "./config.ts"
import { openDatabase } from "./open-database.ts"
import { StartRefusedError } from "./start-refused.ts"

export type RunOptions = {
  /** Called before the first request; returns lines to print below the address. */
  beforeServing?: (app: App, config: Config) => Promise<string[]>
}

export async function runServer(options: RunOptions = {}): Promise<never> {
  const stop = createStopHandler()
  try {
    await startProduct(readConfig(process.env), options, stop)
  } catch (error) {
    process.exitCode = 1
    console.error(error instanceof StartRefusedError ? error.message : error)
  }
  await stop.now()
  // Abandoned jobs continue at the next start.
  process.exit()
}

async function startProduct(config: Config, options: RunOptions, stop: StopHandler): Promise<void> {
  prepareDataDir(config.dataDir)
  // The product loads (tuning.ts) while the database starts.
  const loading = import("../serve.ts")
  loading.catch(() => {})
  const opened = await openDatabase(config, (what) => console.error(what))
  stop.push(opened.close)
  // Claims the port after the lock, so that a second start is refused because of the process, not the port.
  const port = await claimPort(config)
  const { serve } = await loading
  await serve({ ...config, port }, opened, options, stop)
}

export type StopHandler = ReturnType<typeof createStopHandler>

function createStopHandler() {
  const closings: (() => Promise<unknown>)[] = []
  const signal = Promise.withResolvers<void>()
  let isAsked = false
  const ask = () => {
    isAsked = true
    signal.resolve()
  }
  // Repeated signals have no effect: npm and the terminal may both send one.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, ask)
  // The parent process has ended and can no longer send signals.
  if (process.connected) process.on("disconnect", ask)
  process.on("uncaughtException", (error) => {
    // While stopping, errors are expected: work in progress fails when its database stops.
    if (isAsked) return
    process.exitCode = 1
    console.error(`Milkwood is shutting down after an unexpected error: ${omitErrorText(error)}`)
    ask()
  })
  return {
    signalled: signal.promise,
    push: (closing: () => Promise<unknown>) => closings.push(closing),
    async now() {
      for (let closing = closings.pop(); closing; closing = closings.pop()) {
        await closing().catch((error: Error) => {
          process.exitCode = 1
          console.error(`While stopping: ${error.message}`)
        })
      }
    },
  }
}

/** The stack without the error's message, which may contain personal data. */
function omitErrorText(error: Error & { code?: string }): string {
  const frames = error.stack?.split("\n").filter((line) => line.startsWith("    at ")) ?? []
  return [`${error.name} ${error.code ?? ""}`.trim(), ...frames].join("\n")
}
