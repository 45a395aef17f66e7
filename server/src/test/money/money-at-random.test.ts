import { afterAll, beforeAll, expect, test } from "vitest"
import { expectAccountsTold, expectBilledIsOwed } from "./accounts-told.ts"
import type { Desk } from "./hand.ts"
import { allFaults, cheapFaults } from "./sums.ts"
import { deeds, openDesk, type Pair, Tally, walk } from "./walk.ts"

/** `npm run bench -- --deep=money` does a thousand; `SEED` draws others. */
const histories = Number(process.env.HISTORIES ?? 40)
const steps = 50
const seed = Number(process.env.SEED ?? 40_420)
/** A house has so many histories, so that it does not grow beyond what is looked at after each step. */
const aHouse = 40

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.app.close())

const tally = new Tally()

test(
  "whatever is done in whatever order, the books hold after every step",
  async () => {
    for (let nth = 0; nth < histories; nth++) {
      if (nth > 0 && nth % aHouse === 0) {
        await desk.app.close()
        desk = await openDesk()
      }
      const { manager: maker, manager2: second } = desk.app.people
      const look = () => cheapFaults(desk)
      await walk(desk, { seed: seed + nth, steps, pair: { maker, second }, tally, alone: true, look })
      const isLast = nth % aHouse === aHouse - 1 || nth === histories - 1
      if (isLast || nth % 10 === 9)
        expect(await allFaults(desk), `seed ${seed}, after ${nth + 1} histories`).toEqual([])
      if (!isLast) continue
      await expectAccountsTold(desk, seed)
      await expectBilledIsOwed(desk, seed)
      expect(await allFaults(desk), `seed ${seed}, after ${nth + 1} histories`).toEqual([])
      if (histories > aHouse) console.info(`${nth + 1} histories, seed ${seed}`)
    }
    console.info(`${histories} histories of ${steps} steps, seed ${seed}\n${tally.lines().join("\n")}`)
    // A draw that never comes to anything would show nothing; chance may leave out one or two of so few histories.
    const never = Object.keys(deeds).filter((deed) => !tally.done.has(deed))
    expect(histories < aHouse ? 0 : never.length, `${never.join()}, seed ${seed}`).toBeLessThanOrEqual(2)
  },
  240_000 + histories * 20_000,
)

test("20 clients at once change nothing about that", async () => {
  const { people } = desk.app
  const pairs: Pair[] = []
  for (let nth = 0; nth < 20; nth++) {
    pairs.push({ maker: await people.another("manager"), second: await people.another("manager") })
  }
  const of = new Tally()
  const walks = pairs.map((pair, nth) =>
    walk(desk, { seed: seed + 100_000 + nth, steps: 10, pair, tally: of, alone: false }),
  )
  // All come to their end before one of them is looked at.
  const failed = (await Promise.allSettled(walks)).flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
  if (failed.length > 0) throw failed[0]
  expect(await allFaults(desk), `seed ${seed}`).toEqual([])
  expect([...of.done.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(80)
}, 240_000)
