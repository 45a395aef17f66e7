// Runs scripts under the Node from the packages.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { node, root } from "./install.mjs"

const moduleLoading = pathToFileURL(join(root, "server/src/runtime/module-loading.ts")).href

export async function runScript(script, args = []) {
  process.exitCode = await ended(
    spawn(node, ["--import", moduleLoading, script, ...args], { cwd: root, stdio: "inherit" }),
  )
}

/** Forwards signals to the children until the first exits; returns its exit code. */
export function ended(...children) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
  const pass = (signal) => {
    for (const child of children) child.kill(signal)
  }
  for (const signal of signals) process.on(signal, pass)
  return new Promise((done) => {
    children[0].once("exit", (code, signal) => {
      for (const name of signals) process.off(name, pass)
      done(code ?? (signal ? 128 : 1))
    })
    children[0].once("error", (error) => {
      console.error(error.message)
      done(1)
    })
  })
}

/**
 * A list page leaves hundreds of kilobytes of garbage. With V8's default of 1 MB, garbage collection would delay every
 * third page. The young generation is 8 MB instead (fixed in tuning.ts). With fewer glibc arenas, memory freed by
 * threads returns to shared pools.
 */
export const serverFlags = ["--min-semi-space-size=8"]
export const serverEnvironment = { MALLOC_ARENA_MAX: "2" }

export const bin = (name) => join(root, "node_modules", ".bin", name)
