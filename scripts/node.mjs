// Hands over to the Node that came with the packages.
import { spawn } from "node:child_process"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { node, root } from "./install.mjs"

/**
 * Runs a script of the product to its end. In this process, when its Node is new enough; otherwise in a child that gets
 * our signals, and that hears it when we are killed (its channel to us closes).
 * @param {string} script path from the root
 * @param {string[]} args
 * @param {string[]} flags of Node itself, which always need a child
 */
export async function runScript(script, args = [], flags = []) {
  const path = resolve(root, script)
  const isNewEnough = Number(process.versions.node.split(".")[0]) >= 26
  if (isNewEnough && flags.length === 0) {
    process.argv.splice(1, process.argv.length, path, ...args)
    await import(pathToFileURL(path).href)
    return
  }
  const child = spawn(node, [...flags, path, ...args], { cwd: root, stdio: ["inherit", "inherit", "inherit", "ipc"] })
  process.exitCode = await ended(child)
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

export const bin = (name) => join(root, "node_modules", ".bin", name)
