import "./tuning.ts"
import type { App } from "../platform/app.ts"
import { claimPort } from "./address.ts"
import { type Config, prepareDataDir, readConfig } from "./config.ts"
import { openDatabase } from "./open-database.ts"
import { StartRefused } from "./start-refused.ts"

export type RunOptions = {
  /** Done before the first request is let in; answers lines to print below the address. */
  beforeServing?: (app: App, config: Config) => Promise<string[]>
}

/** Runs the house from the environment of this process until a signal comes, then ends the process. */
export async function runServer(options: RunOptions = {}): Promise<never> {
  const stop = stopper()
  try {
    await start(readConfig(process.env), options, stop)
  } catch (error) {
    process.exitCode = 1
    console.error(error instanceof StartRefused ? error.message : error)
  }
  await stop.now()
  // Whatever was given up on (a job that does not come to a step's end) goes on at the next start.
  process.exit()
}

async function start(config: Config, options: RunOptions, stop: Stopper): Promise<void> {
  prepareDataDir(config.dataDir)
  // The product takes longest to load (tuning.ts): it loads while the database starts.
  const loading = import("../serve.ts")
  loading.catch(() => {})
  const opened = await openDatabase(config, (what) => console.error(what))
  stop.push(opened.close)
  // After the lock: who starts a second time is told of the first process, not of its port.
  const port = await claimPort(config)
  const { serve } = await loading
  await serve({ ...config, port }, opened, options, stop)
}

export type Stopper = ReturnType<typeof stopper>

/** What was opened, to be closed in the opposite order, once: at a signal, or when the start fails half-way. */
function stopper() {
  const closings: (() => Promise<unknown>)[] = []
  const signal = Promise.withResolvers<void>()
  let isAsked = false
  const ask = () => {
    isAsked = true
    signal.resolve()
  }
  // A second Ctrl-C changes nothing: npm and the terminal may both send one.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, ask)
  // Whoever started us is gone, and with him his signals.
  if (process.connected) process.on("disconnect", ask)
  process.on("uncaughtException", (error) => {
    // What was under way when the stop was asked for fails as its database goes.
    if (isAsked) return
    process.exitCode = 1
    console.error(`Milkwood stops after an unexpected error: ${withoutText(error)}`)
    ask()
  })
  return {
    /** Resolves at the first signal. */
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

/** Kind and place of an error: its text may hold personal data. */
function withoutText(error: Error & { code?: string }): string {
  const frames = error.stack?.split("\n").filter((line) => line.startsWith("    at ")) ?? []
  return [`${error.name} ${error.code ?? ""}`.trim(), ...frames].join("\n")
}
