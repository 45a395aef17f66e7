import { afterAll, expect, test } from "vitest"
import { expectBilledIsOwed, expectConsistentAccounts } from "./accounts-told.ts"
import type { MoneyTestApp } from "./hand.ts"
import { findAllFaults, findCheapFaults, findSettledFaults } from "./sums.ts"
import { openMoneyTestApp, simulatedActions, simulateSteps, Tally, type UserPair } from "./walk.ts"
import { windUp } from "./wind-up.ts"

/** `npm run bench -- --deep=money` runs a thousand; `SEED` varies the draws. */
const historyCount = Number(process.env.HISTORIES ?? 40)
const stepsPerHistory = 50
const seed = Number(process.env.SEED ?? 40_420)
/**
 * Histories per installation, to keep the checks after each step small. Reproduce a failure with its first SEED and
 * HISTORIES=20.
 */
const historiesPerApp = 20
const parallelApps = Number(process.env.HOUSES ?? 2)

const tally = new Tally()
const skippedMonthsKey = "settled months passed over"
let openMoneyApp: MoneyTestApp | undefined
afterAll(() => openMoneyApp?.app.close())

async function simulateHistories(desk: MoneyTestApp, first: number, count: number): Promise<void> {
  const { manager: maker, manager2: second } = desk.app.people
  let looked = 0
  const look = async () => {
    desk.app.clock.advance({ seconds: 1 })
    const faults = await findCheapFaults(desk)
    if (++looked % 5 > 0) return faults
    const settled = await findSettledFaults(desk, "0")
    tally.count("done", skippedMonthsKey, settled.passedOver)
    return [...faults, ...settled.faults]
  }
  const whole = async (nth: number) =>
    expect(await findAllFaults(desk), `the house of seed ${first}, after ${nth} histories`).toEqual([])
  for (let nth = 0; nth < count; nth++) {
    await simulateSteps(desk, {
      seed: first + nth,
      steps: stepsPerHistory,
      pair: { maker, second },
      tally,
      alone: true,
      look,
    })
    if (nth % 10 === 9 || nth === count - 1) await whole(nth + 1)
  }
  await expectConsistentAccounts(desk, first)
  await expectBilledIsOwed(desk, first)
  await whole(count)
}

async function windUpAllPolicies(desk: MoneyTestApp, first: number): Promise<void> {
  for (const [at, { policyId }] of desk.insured.entries())
    await windUp(desk.app, policyId, `2026-0${1 + ((first + 2 * at) % 9)}-15`)
  expect(await findAllFaults(desk), `the house of seed ${first}, wound up`).toEqual([])
}

test(
  "the books stay consistent after every step of random operations",
  async () => {
    const houses = Array.from(
      { length: Math.ceil(historyCount / historiesPerApp) },
      (_, at) => seed + at * historiesPerApp,
    )
    const failed: unknown[] = []
    let lived = 0
    const workOff = async () => {
      for (;;) {
        const first = houses.shift()
        if (first === undefined) return
        const isLast = houses.length === 0
        const desk = await openMoneyTestApp()
        const count = Math.min(historiesPerApp, seed + historyCount - first)
        // A failure in one installation must not stop the others.
        await simulateHistories(desk, first, count).catch((error: unknown) => {
          failed.push(error)
          if (historyCount > 40) console.error(`the house of seed ${first}`, error)
        })
        lived += count
        if (historyCount > 40) console.info(`${lived} histories, the house of seed ${first}, ${failed.length} failed`)
        if (isLast) openMoneyApp = desk
        else {
          await windUpAllPolicies(desk, first).catch((error: unknown) => {
            failed.push(error)
            if (historyCount > 40) console.error(`the house of seed ${first}, wound up`, error)
          })
          await desk.app.close()
        }
      }
    }
    await Promise.all(Array.from({ length: parallelApps }, workOff))
    console.info(`${historyCount} histories of ${stepsPerHistory} steps, seed ${seed}\n${tally.lines().join("\n")}`)
    if (failed.length > 0) throw failed[0]
    if (historyCount >= 40) expect(tally.done.get(skippedMonthsKey)).toBeGreaterThan(0)
    // An operation that never succeeds tests nothing; a short run may miss up to two by chance.
    const never = Object.keys(simulatedActions).filter((deed) => !tally.done.has(deed))
    expect(historyCount < 40 ? 0 : never.length, `${never.join()}, seed ${seed}`).toBeLessThanOrEqual(2)
  },
  240_000 + historyCount * 20_000,
)

test("20 concurrent clients keep the books consistent", async () => {
  openMoneyApp ??= await openMoneyTestApp()
  const desk = openMoneyApp
  const { people } = desk.app
  const pairs: UserPair[] = []
  for (let nth = 0; nth < 20; nth++) {
    pairs.push({ maker: await people.another("manager"), second: await people.another("manager") })
  }
  const of = new Tally()
  const walks = pairs.map((pair, nth) =>
    simulateSteps(desk, { seed: seed + 100_000 + nth, steps: 10, pair, tally: of, alone: false }),
  )
  const failed = (await Promise.allSettled(walks)).flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
  if (failed.length > 0) throw failed[0]
  expect(await findAllFaults(desk), `seed ${seed}`).toEqual([])
  expect((await findSettledFaults(desk)).faults, `seed ${seed}`).toEqual([])
  expect([...of.done.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(80)
}, 240_000)

test("an ended policy has a zero balance after debts are settled and credit is refunded", async () => {
  openMoneyApp ??= await openMoneyTestApp()
  await windUpAllPolicies(openMoneyApp, seed)
}, 240_000)
