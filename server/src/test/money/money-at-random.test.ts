import { afterAll, expect, test } from "vitest"
import { expectAccountsTold, expectBilledIsOwed } from "./accounts-told.ts"
import type { Desk } from "./hand.ts"
import { allFaults, cheapFaults, settledFaults } from "./sums.ts"
import { deeds, openStaffListApp, type Pair, Tally, walk } from "./walk.ts"
import { windUp } from "./wind-up.ts"

/** `npm run bench -- --deep=money` runs a thousand; `SEED` varies the draws. */
const histories = Number(process.env.HISTORIES ?? 40)
const steps = 50
const seed = Number(process.env.SEED ?? 40_420)
/**
 * Histories per installation, to keep the checks after each step small. Reproduce a failure with its first SEED and
 * HISTORIES=20.
 */
const aHouse = 20
const atOnce = Number(process.env.HOUSES ?? 2)

const tally = new Tally()
const passedOver = "settled months passed over"
let left: Desk | undefined
afterAll(() => left?.app.close())

async function live(desk: Desk, first: number, count: number): Promise<void> {
  const { manager: maker, manager2: second } = desk.app.people
  let looked = 0
  const look = async () => {
    desk.app.clock.advance({ seconds: 1 })
    const faults = await cheapFaults(desk)
    if (++looked % 5 > 0) return faults
    const settled = await settledFaults(desk, "0")
    tally.count("done", passedOver, settled.passedOver)
    return [...faults, ...settled.faults]
  }
  const whole = async (nth: number) =>
    expect(await allFaults(desk), `the house of seed ${first}, after ${nth} histories`).toEqual([])
  for (let nth = 0; nth < count; nth++) {
    await walk(desk, { seed: first + nth, steps, pair: { maker, second }, tally, alone: true, look })
    if (nth % 10 === 9 || nth === count - 1) await whole(nth + 1)
  }
  await expectAccountsTold(desk, first)
  await expectBilledIsOwed(desk, first)
  await whole(count)
}

async function windUpAll(desk: Desk, first: number): Promise<void> {
  for (const [at, { policyId }] of desk.insured.entries())
    await windUp(desk.app, policyId, `2026-0${1 + ((first + 2 * at) % 9)}-15`)
  expect(await allFaults(desk), `the house of seed ${first}, wound up`).toEqual([])
}

test(
  "the books stay consistent after every step of random operations",
  async () => {
    const houses = Array.from({ length: Math.ceil(histories / aHouse) }, (_, at) => seed + at * aHouse)
    const failed: unknown[] = []
    let lived = 0
    const workOff = async () => {
      for (;;) {
        const first = houses.shift()
        if (first === undefined) return
        const isLast = houses.length === 0
        const desk = await openStaffListApp()
        const count = Math.min(aHouse, seed + histories - first)
        // A failure in one installation must not stop the others.
        await live(desk, first, count).catch((error: unknown) => {
          failed.push(error)
          if (histories > 40) console.error(`the house of seed ${first}`, error)
        })
        lived += count
        if (histories > 40) console.info(`${lived} histories, the house of seed ${first}, ${failed.length} failed`)
        if (isLast) left = desk
        else {
          await windUpAll(desk, first).catch((error: unknown) => {
            failed.push(error)
            if (histories > 40) console.error(`the house of seed ${first}, wound up`, error)
          })
          await desk.app.close()
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, workOff))
    console.info(`${histories} histories of ${steps} steps, seed ${seed}\n${tally.lines().join("\n")}`)
    if (failed.length > 0) throw failed[0]
    if (histories >= 40) expect(tally.done.get(passedOver)).toBeGreaterThan(0)
    // A deed that never succeeds tests nothing; a short run may miss up to two by chance.
    const never = Object.keys(deeds).filter((deed) => !tally.done.has(deed))
    expect(histories < 40 ? 0 : never.length, `${never.join()}, seed ${seed}`).toBeLessThanOrEqual(2)
  },
  240_000 + histories * 20_000,
)

test("20 concurrent clients keep the books consistent", async () => {
  left ??= await openStaffListApp()
  const desk = left
  const { people } = desk.app
  const pairs: Pair[] = []
  for (let nth = 0; nth < 20; nth++) {
    pairs.push({ maker: await people.another("manager"), second: await people.another("manager") })
  }
  const of = new Tally()
  const walks = pairs.map((pair, nth) =>
    walk(desk, { seed: seed + 100_000 + nth, steps: 10, pair, tally: of, alone: false }),
  )
  const failed = (await Promise.allSettled(walks)).flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
  if (failed.length > 0) throw failed[0]
  expect(await allFaults(desk), `seed ${seed}`).toEqual([])
  expect((await settledFaults(desk)).faults, `seed ${seed}`).toEqual([])
  expect([...of.done.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(80)
}, 240_000)

test("an ended policy has a zero balance after settling debt and refunding credit", async () => {
  left ??= await openStaffListApp()
  await windUpAll(left, seed)
}, 240_000)
