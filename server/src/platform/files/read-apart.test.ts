import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { expect, test } from "vitest"
import type { Task } from "./read-apart.reader.ts"
import { readInSubprocess } from "./read-apart.ts"

const reader = join(import.meta.dirname, "read-apart.reader.ts")
const limits = { memory: 64, time: 20_000 }

async function readTask(task: Task, within = limits): Promise<string[]> {
  const parts: string[] = []
  await readInSubprocess<Task, string>(reader, task, within, async (part) => {
    parts.push(part)
  })
  return parts
}

test("a file reader delivers parts in order and reports its error", async () => {
  expect(await readTask("parts")).toEqual(["one", "two", "three"])
  await expect(readTask("unreadable")).rejects.toMatchObject({ name: "Unreadable", message: "Not a list." })
  await expect(readTask("fails")).rejects.toMatchObject({ name: "Error", message: "a mistake of ours" })
})

test("a file reader prepares at most one part ahead, and finally all parts are delivered", async () => {
  const made: number[] = []
  const taken: number[] = []
  await readInSubprocess<Task, string>(reader, "moments", limits, async (part) => {
    made.push(Number(part))
    await pause(300)
    taken.push(Date.now())
  })
  expect(taken).toHaveLength(3)
  expect(made[1]).toBeLessThan(taken[0]!)
  expect(made[2]).toBeGreaterThanOrEqual(taken[0]! - 5)
})

test("a file reader that aborts, exhausts its memory or hangs fails only its own file", async () => {
  const outcomes = await Promise.all([
    readTask("aborts").catch((error: Error) => error.message),
    readTask("eats").catch((error: Error) => error.message),
    readTask("hangs", { ...limits, time: 3_000 }).catch((error: Error) => error.message),
    readTask("parts"),
  ])
  expect(outcomes).toEqual([
    expect.stringContaining("too much memory"),
    expect.stringContaining("too much memory"),
    expect.stringContaining("takes too long"),
    ["one", "two", "three"],
  ])
  expect(readerProcessesOf(process.pid)).toEqual([])
})

test("a file reader cannot read the environment, write, start a process or reach the network", async () => {
  expect(await readTask("environment")).toEqual(["NODE_COMPILE_CACHE"])
  for (const task of ["writes", "starts", "connects"] as const) await expect(readTask(task)).rejects.toThrow()
})

test("an error while a part is processed ends the file reader", async () => {
  const refusal = readInSubprocess<Task, string>(reader, "parts", limits, () =>
    Promise.reject(new Error("the disk is full")),
  )
  await expect(refusal).rejects.toThrow("the disk is full")
  expect(readerProcessesOf(process.pid)).toEqual([])
})

function readerProcessesOf(parent: number): string[] {
  return execFileSync("ps", ["-o", "stat=,args=", "--ppid", String(parent)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("reader-process.ts") && !line.startsWith("Z"))
}
