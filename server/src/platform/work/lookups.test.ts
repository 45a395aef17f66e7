import { expect, test } from "vitest"
import { Lookups } from "./lookups.ts"

function createHeldLookups(stands: Map<string, string>) {
  const looks: { keys: string[]; end: () => void; fail: () => void }[] = []
  const lookups = new Lookups<string, string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>()
    const seen = new Map(stands)
    looks.push({ keys, end: () => resolve(seen), fail: () => reject(new Error("away")) })
    return promise
  })
  return { lookups, looks }
}
const flushPromises = () => new Promise((resolve) => setImmediate(resolve))

test("a call during a lookup joins the next batch", async () => {
  const stands = new Map([
    ["a", "Ada"],
    ["b", "Ben"],
  ])
  const { lookups, looks } = createHeldLookups(stands)
  const first = lookups.find("a")
  const later = [lookups.find("a"), lookups.find("b"), lookups.find("b"), lookups.find("nobody")]
  expect(looks.map(({ keys }) => keys)).toEqual([["a"]])
  stands.delete("a")
  looks[0]!.end()
  expect(await first).toBe("Ada")
  expect(looks.map(({ keys }) => keys)).toEqual([["a"], ["a", "b", "nobody"]])
  looks[1]!.end()
  expect(await Promise.all(later)).toEqual([undefined, "Ben", "Ben", undefined])
})

test("results are not cached, and a failed lookup is repeated", async () => {
  const { lookups, looks } = createHeldLookups(new Map([["a", "Ada"]]))
  const failing = lookups.find("a")
  const next = lookups.find("a")
  looks[0]!.fail()
  await expect(failing).rejects.toThrow("away")
  await flushPromises()
  looks[1]!.end()
  expect(await next).toBe("Ada")
  const third = lookups.find("a")
  looks[2]!.end()
  expect(await third).toBe("Ada")
})
