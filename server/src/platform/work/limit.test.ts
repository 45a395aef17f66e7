import { expect, test, vi } from "vitest"
import { Limit } from "./limit.ts"

function createHeldWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  return { begun, work, end: (name: string) => ends.get(name)!() }
}

test("a limit runs two tasks, notifies the third that it waits, and refuses the fifth", async () => {
  const limit = new Limit({ atOnce: 2, waiting: 2, patienceMs: 60_000 })
  const { begun, work, end } = createHeldWork()
  const waited: string[] = []
  const all = ["a", "b", "c", "d", "e"].map((name) =>
    limit.hold(work(name), undefined, { waits: () => waited.push(name) }),
  )
  await expect(all[4]).rejects.toThrow("OVERLOADED")
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

test("a failed task frees its place; waiting time and places per owner are limited", async () => {
  const limit = new Limit({ atOnce: 1, waiting: 5, patienceMs: 20, each: 2 })
  const owner = "a"
  await expect(limit.hold(() => Promise.reject(new Error("broken")), undefined, { owner })).rejects.toThrow("broken")
  const { work, end } = createHeldWork()
  const first = limit.hold(work("first"), undefined, { owner })
  const second = expect(limit.hold(work("second"), undefined, { owner })).rejects.toThrow("OVERLOADED")
  await expect(limit.hold(work("third"), undefined, { owner })).rejects.toThrow(
    "maximum number of downloads or uploads",
  )
  await second
  end("first")
  expect(await first).toBe("first")
  const last = limit.hold(work("last"), undefined, { owner })
  await vi.waitFor(() => end("last"))
  expect(await last).toBe("last")
})

test("many tasks of one owner do not delay the first of another", async () => {
  const limit = new Limit({ atOnce: 2, waiting: 100, patienceMs: 60_000 })
  const { begun, work, end } = createHeldWork()
  const ask = (owner: string, many: number) =>
    Array.from({ length: many }, (_, nth) => limit.hold(work(`${owner}${nth}`), undefined, { owner }))
  const all = [...ask("ann", 40), ...ask("bea", 3), ...ask("cy", 1)]
  await vi.waitFor(() => expect(begun).toEqual(["ann0", "ann1"]))
  for (const next of ["bea0", "cy0", "ann2", "bea1"]) {
    end(begun.at(-2)!)
    await vi.waitFor(() => expect(begun.at(-1)).toBe(next))
  }
  while (begun.length < all.length) {
    const before = begun.length
    end(begun.at(-2)!)
    await vi.waitFor(() => expect(begun).toHaveLength(before + 1))
  }
  for (const name of begun.slice(-2)) end(name)
  expect((await Promise.all(all)).length).toBe(44)
  expect(limit.isWanted).toBe(false)
})

test("a caller that leaves the queue frees a place", async () => {
  const limit = new Limit({ atOnce: 1, waiting: 2, patienceMs: 60_000, each: 2 })
  const { begun, work, end } = createHeldWork()
  const first = limit.hold(work("first"), undefined, { owner: "ann" })
  const leaving = new AbortController()
  const second = limit.hold(work("second"), leaving.signal, { owner: "ann" })
  expect(limit.isWanted).toBe(true)
  leaving.abort()
  await expect(second).rejects.toThrow()
  expect(limit.isWanted).toBe(false)
  const third = limit.hold(work("third"), undefined, { owner: "ann" })
  end("first")
  await first
  await vi.waitFor(() => expect(begun).toEqual(["first", "third"]))
  end("third")
  await third
})
