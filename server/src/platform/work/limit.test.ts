import { expect, test, vi } from "vitest"
import { Limit } from "./limit.ts"

/** Work that ends when it is told to. */
function held() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  return { begun, work, end: (name: string) => ends.get(name)!() }
}

test("two run, the third waits and hears of it, the fifth is refused", async () => {
  const limit = new Limit({ atOnce: 2, waiting: 2, patienceMs: 60_000 })
  const { begun, work, end } = held()
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

test("a place is free again after a failure; nobody waits for ever, or holds all places", async () => {
  const limit = new Limit({ atOnce: 1, waiting: 5, patienceMs: 20, each: 2 })
  const owner = "a"
  await expect(limit.hold(() => Promise.reject(new Error("broken")), undefined, { owner })).rejects.toThrow("broken")
  const { work, end } = held()
  const first = limit.hold(work("first"), undefined, { owner })
  const second = expect(limit.hold(work("second"), undefined, { owner })).rejects.toThrow("OVERLOADED")
  await expect(limit.hold(work("third"), undefined, { owner })).rejects.toThrow("TOO_MANY")
  await second
  end("first")
  expect(await first).toBe("first")
  const last = limit.hold(work("last"), undefined, { owner })
  await vi.waitFor(() => end("last"))
  expect(await last).toBe("last")
})
