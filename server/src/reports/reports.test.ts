import { afterAll, beforeAll, expect, test } from "vitest"
import { openHouse, type TestHouse } from "../test/house.ts"

let house: TestHouse
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

test("an empty house has a dashboard of zeros, nothing to compare with, and no debtors", async () => {
  const client = house.as(house.people.manager)
  const figures = await client.reports.dashboard({})
  for (const figure of Object.values(figures)) expect(figure).toEqual({ now: 0, before: 0, changePercent: null })
  await expect(client.reports.debtorsAgeing({})).resolves.toMatchObject({ rows: [], total: 0, asOf: "2026-11-02" })
  await expect(client.reports.recentActivity({})).resolves.toEqual([])
  await expect(client.platform.search({ text: "mas" })).resolves.toEqual([])
  await expect(client.receipts.list({})).resolves.toMatchObject({ rows: [], total: 0, totalCents: 0 })
  await expect(client.payouts.list({})).resolves.toMatchObject({ rows: [], total: 0 })
})
