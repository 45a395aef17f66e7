import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, expect, test } from "vitest"
import { nextPause } from "./supervise.mjs"

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "milkwood-supervise-"))
})

afterAll(() => rmSync(folder, { recursive: true }))

function startSupervisor(server: string) {
  const script = join(folder, "server.mjs")
  writeFileSync(script, server)
  const program = `
    import { keepRunning } from ${JSON.stringify(join(import.meta.dirname, "supervise.mjs"))}
    process.exitCode = await keepRunning(${JSON.stringify(script)})`
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "pipe"] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    complaint: text(child.stderr),
    exit: once(child, "exit").then(([code]) => code as number),
    line: async () => (await lines.next()).value as string,
  }
}

const servingScript = `
  process.on("SIGTERM", () => process.exit(0))
  process.on("disconnect", () => { console.log("left alone"); process.exit(0) })
  process.send("serving", () => console.log(process.pid))`

test("restarts a killed server and reports it, but not a server asked to stop", async () => {
  const { child, complaint, exit, line } = startSupervisor(servingScript)
  const first = Number(await line())
  process.kill(first, "SIGKILL")
  const second = Number(await line())
  expect(second).not.toBe(first)
  child.kill("SIGTERM")
  expect(await exit).toBe(0)
  expect(await complaint).toBe("Milkwood ended unexpectedly by SIGKILL; it starts again in 1 s.\n")
})

test("the restart delay is at most ten seconds, however often the server crashes", () => {
  const pauses = [1_000]
  while (pauses.length < 8) pauses.push(nextPause(pauses.at(-1)!))
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000])
})

test("a server ends when its supervisor is killed", async () => {
  const { child, line } = startSupervisor(servingScript)
  await line()
  child.kill("SIGKILL")
  expect(await line()).toBe("left alone")
})

test("does not restart a server that refused to start", async () => {
  const { complaint, exit } = startSupervisor("process.exit(1)")
  expect(await exit).toBe(1)
  expect(await complaint).toBe("")
})
