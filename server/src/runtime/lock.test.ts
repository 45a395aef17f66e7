import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, expect, test } from "vitest"
import { lockHolder, takeLock } from "./lock.ts"

let folder: string
let children: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "milkwood-lock-"))
  children = []
})

afterEach(() => {
  for (const child of children) child.kill("SIGKILL")
  rmSync(folder, { recursive: true })
})

const impatient = { running: 0, stopping: 30_000 }

/** Another process that takes the lock, says "runs" or why not, and does as it is told: stopping, release. */
async function another() {
  const program = `
    import { takeLock } from ${JSON.stringify(join(import.meta.dirname, "lock.ts"))}
    try {
      const lock = await takeLock(process.argv[1], ${JSON.stringify(impatient)})
      process.stdin.on("data", (word) => { lock[String(word).trim()](); console.log("did") })
      console.log("runs")
    } catch (error) { console.log(error.message) }`
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  children.push(child)
  const ended = once(child, "exit")
  const lines = createInterface({ input: child.stdout! })
  const [said] = (await once(lines, "line")) as [string]
  return {
    said,
    pid: child.pid!,
    async tell(word: "stopping" | "release") {
      child.stdin!.write(`${word}\n`)
      await once(lines, "line")
    },
    async kill() {
      child.kill("SIGKILL")
      await ended
    },
  }
}

test("a second process is refused and told the first one's process id", async () => {
  const first = await another()
  expect(first.said).toBe("runs")
  const refused = `Milkwood is already running with process id ${first.pid} on ${folder}.`
  await expect(takeLock(folder, impatient)).rejects.toThrow(refused)
  expect(lockHolder(folder)).toBe(first.pid)
})

test("a process that stops is waited for", async () => {
  const first = await another()
  await first.tell("stopping")
  const lock = takeLock(folder, impatient)
  await first.tell("release")
  await lock
  expect(lockHolder(folder)).toBe(process.pid)
})

test("the lock of a killed process is taken over", async () => {
  const first = await another()
  await first.kill()
  expect(lockHolder(folder)).toBeUndefined()
  ;(await takeLock(folder, impatient)).release()
  expect(readdirSync(join(folder, "running"))).toEqual([])
})

test("so is one whose process id belongs to another program by now", async () => {
  mkdirSync(join(folder, "running"))
  writeFileSync(join(folder, "running", `${process.ppid}-0`), "runs")
  const lock = await takeLock(folder, impatient)
  expect(lockHolder(folder)).toBe(process.pid)
  lock.release()
})

test("of several at once, beside a dead one's lock, exactly one runs", async () => {
  mkdirSync(join(folder, "running"))
  for (let round = 0; round < 3; round++) {
    writeFileSync(join(folder, "running", "2147483646-0"), "runs")
    const all = await Promise.all(Array.from({ length: 4 }, another))
    const running = all.filter(({ said }) => said === "runs")
    expect(running).toHaveLength(1)
    for (const { said } of all.filter((one) => one !== running[0]))
      expect(said).toContain(`process id ${running[0]!.pid} `)
    await Promise.all(all.map(({ kill }) => kill()))
  }
})
