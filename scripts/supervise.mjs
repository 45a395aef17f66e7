import { spawn } from "node:child_process"
import { setTimeout as pause } from "node:timers/promises"
import { node, root } from "./install.mjs"
import { ended, serverEnvironment, serverFlags } from "./node.mjs"

const firstPauseMs = 1_000
const longestPauseMs = 10_000
/** After this uptime the next crash counts as the first. */
const wellAfterMs = 10 * 60_000

/** @param {number} pauseMs the previous pause */
export const nextPause = (pauseMs) => Math.min(pauseMs * 2, longestPauseMs)

/**
 * Runs a server script and restarts it after a crash. A script that ends before it reports "serving" is not restarted.
 *
 * @param {string} script path from the root
 *
 * @returns {Promise<number>} its exit code
 */
export async function keepRunning(script) {
  const asked = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => asked.abort())
  for (let pauseMs = firstPauseMs; ; pauseMs = nextPause(pauseMs)) {
    const started = performance.now()
    // If this process is killed, the channel closes and the server stops.
    const server = spawn(node, [...serverFlags, script], {
      cwd: root,
      env: { ...serverEnvironment, ...process.env },
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    })
    let hasServed = false
    server.on("message", (word) => {
      if (word === "serving") hasServed = true
    })
    const code = await ended(server)
    if (code === 0 || !hasServed || asked.signal.aborted) return code
    if (performance.now() - started > wellAfterMs) pauseMs = firstPauseMs
    const how = server.signalCode ? `by ${server.signalCode}` : `with exit code ${code}`
    console.error(`Milkwood ended unexpectedly ${how}; it starts again in ${pauseMs / 1_000} s.`)
    await pause(pauseMs, undefined, { signal: asked.signal }).catch(() => {})
    if (asked.signal.aborted) return code
  }
}
