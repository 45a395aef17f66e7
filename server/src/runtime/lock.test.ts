import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { lockHolder, takeLock } from "./lock.ts"
import { waitUntil } from "./processes.ts"

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

const impatient = { patience: { running: 0 } }

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
  expect(lockHolder(folder)?.pid).toBe(first.pid)
})

test("a process that stops is waited for", async () => {
  const first = await another()
  await first.tell("stopping")
  const lock = takeLock(folder, impatient)
  await first.tell("release")
  await lock
  expect(lockHolder(folder)?.pid).toBe(process.pid)
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
  expect(lockHolder(folder)?.pid).toBe(process.pid)
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

describe("a process of another container or machine", () => {
  const claim = () => join(folder, "running", "7-abcdef1-elsewhere.1")
  const says = (secondsAgo: number) => {
    mkdirSync(join(folder, "running"), { recursive: true })
    writeFileSync(claim(), "runs")
    const at = Date.now() / 1_000 - secondsAgo
    utimesSync(claim(), at, at)
  }

  test("is dead when nothing was heard of it for half a minute", async () => {
    says(31)
    expect(lockHolder(folder)).toBeUndefined()
    ;(await takeLock(folder, { patience: { running: 0 } })).release()
    expect(readdirSync(join(folder, "running"))).toEqual([])
  })

  test("is waited for, and has the folder once it says so again", async () => {
    says(2)
    const told: string[] = []
    const lock = takeLock(folder, {
      patience: { running: 0 },
      onWait(what) {
        told.push(what)
        says(0)
      },
    })
    await expect(lock).rejects.toThrow(
      `Milkwood is already running with process id 7 of another container or machine on ${folder}.`,
    )
    expect(told).toEqual([`Waiting for word of process 7 of another container or machine, which had ${folder}…`])
    expect(lockHolder(folder)?.pid).toBe(7)
  })

  test("is given up when it says nothing more", async () => {
    says(0)
    const start = performance.now()
    const lock = await takeLock(folder, { patience: { running: 0, silent: 200 } })
    expect(performance.now() - start).toBeGreaterThan(150)
    expect(lockHolder(folder)?.pid).toBe(process.pid)
    lock.release()
  })
})

test("says again and again that it lives, and hears of it when it was taken for dead", async () => {
  const lost = Promise.withResolvers<void>()
  const lock = await takeLock(folder, { patience: { silent: 300 }, onLost: lost.resolve })
  const [claim] = readdirSync(join(folder, "running")).map((file) => join(folder, "running", file))
  const saidAt = () => statSync(claim!).mtimeMs
  const first = saidAt()
  expect(await waitUntil(() => saidAt() > first, 10_000)).toBe(true)
  expect(readFileSync(claim!, "utf8")).toBe("runs")
  rmSync(claim!)
  await lost.promise
  lock.release()
})

test("an errand is waited for", async () => {
  const errand = await takeLock(folder, { errand: true })
  expect(lockHolder(folder)?.state).toBe("errand")
  const first = another()
  errand.release()
  expect((await first).said).toBe("runs")
})
