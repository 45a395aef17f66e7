// Hands over to the Node that came with the packages.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { node, root } from "./install.mjs"

/** Runs a script of the product to its end, under the Node that came with the packages. */
export async function runScript(script, args = []) {
  process.exitCode = await ended(spawn(node, [script, ...args], { cwd: root, stdio: "inherit" }))
}

/** Passes our signals on to children until the first has ended; answers its exit code. */
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
 * What the server's process is started with. Its young generation begins at 8 MB (and stays there: tuning.ts), since a
 * page of a list leaves hundreds of kilobytes behind, and with V8's 1 MB every third page waits for a collection. What
 * threads have freed goes back into few pools (glibc), or each would keep its own.
 */
export const serverFlags = ["--min-semi-space-size=8"]
export const serverEnvironment = { MALLOC_ARENA_MAX: "2" }

export const bin = (name) => join(root, "node_modules", ".bin", name)
