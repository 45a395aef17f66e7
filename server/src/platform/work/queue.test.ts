import { expect, test, vi } from "vitest"
import { Queue } from "./queue.ts"

/** Work that ends when it is told to. */
function held() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  return { begun, work, end: (name: string) => vi.waitFor(() => ends.get(name)!()) }
}

test("two run, the third waits and hears of it, the fifth reads BUSY", async () => {
  const queue = new Queue({ atOnce: 2, waiting: 2, busy: "Come back later." })
  const { begun, work, end } = held()
  const waited: string[] = []
  const all = ["a", "b", "c", "d", "e"].map((name) => queue.run(name, work(name), async () => void waited.push(name)))
  await expect(all[4]).rejects.toThrow("Come back later.")
  expect([begun, waited]).toEqual([
    ["a", "b"],
    ["c", "d"],
  ])
  end("b")
  expect(await all[1]).toBe("b")
  await vi.waitFor(() => expect(begun).toEqual(["a", "b", "c"]))
  end("c")
  await all[2]
  await vi.waitFor(() => expect(begun).toContain("d"))
  for (const name of ["a", "d"]) end(name)
  expect(await Promise.all(all.slice(0, 4))).toEqual(["a", "b", "c", "d"])
})

test("a place is free again after a failure; nobody waits for ever, or holds all places", async () => {
  const queue = new Queue({ atOnce: 1, patience: 20, each: 2 })
  await expect(queue.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken")
  const { work, end } = held()
  const first = queue.run("a", work("first"))
  const second = expect(queue.run("a", work("second"))).rejects.toThrow("BUSY")
  await expect(queue.run("a", work("third"))).rejects.toThrow("BUSY")
  await second
  end("first")
  expect(await first).toBe("first")
  const last = queue.run("b", work("last"))
  end("last")
  expect(await last).toBe("last")
})
