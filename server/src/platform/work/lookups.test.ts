import { expect, test } from "vitest"
import { Lookups } from "./lookups.ts"

/** Looks that end when they are told to; what is found is what stands then. */
function held(stands: Map<string, string>) {
  const looks: { keys: string[]; end: () => void; fail: () => void }[] = []
  const lookups = new Lookups<string, string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>()
    const seen = new Map(stands)
    looks.push({ keys, end: () => resolve(seen), fail: () => reject(new Error("away")) })
    return promise
  })
  return { lookups, looks }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test("who asks during a look is answered by the next one, with all who came meanwhile", async () => {
  const stands = new Map([
    ["a", "Ada"],
    ["b", "Ben"],
  ])
  const { lookups, looks } = held(stands)
  const first = lookups.find("a")
  const later = [lookups.find("a"), lookups.find("b"), lookups.find("b"), lookups.find("nobody")]
  expect(looks.map(({ keys }) => keys)).toEqual([["a"]])
  // What changes after a look has begun is not in its answer, and is in that of who asked later.
  stands.delete("a")
  looks[0]!.end()
  expect(await first).toBe("Ada")
  expect(looks.map(({ keys }) => keys)).toEqual([["a"], ["a", "b", "nobody"]])
  looks[1]!.end()
  expect(await Promise.all(later)).toEqual([undefined, "Ben", "Ben", undefined])
})

test("nothing is remembered, and a look that failed is asked again", async () => {
  const { lookups, looks } = held(new Map([["a", "Ada"]]))
  const failing = lookups.find("a")
  const next = lookups.find("a")
  looks[0]!.fail()
  await expect(failing).rejects.toThrow("away")
  await settled()
  looks[1]!.end()
  expect(await next).toBe("Ada")
  const third = lookups.find("a")
  looks[2]!.end()
  expect(await third).toBe("Ada")
})
