import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openTestApp, type TestApp } from "../test/app.ts"
import { procedures } from "../test/procedures.ts"

let app: TestApp
let server: Awaited<ReturnType<TestApp["serve"]>>
beforeAll(async () => {
  app = await openTestApp()
  server = await app.serve()
})
afterAll(() => app.close())

async function call(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { ...server.headersOf(app.people.admin), "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

describe("an address is text", () => {
  test("numbers in the query are parsed to numbers", async () => {
    expect(await call("GET", "/users?page=2&pageSize=25")).toMatchObject({ status: 200, body: { rows: [] } })
    expect(await call("GET", "/users?page=two")).toMatchObject({ status: 422 })
  })

  test("no command has a number or a boolean in its path", () => {
    for (const { path, contract } of procedures) {
      const { method, path: address = "" } = contract["~orpc"].route
      if (method === "GET") continue
      const shape = (contract["~orpc"].inputSchema as { shape?: Record<string, { type?: string }> } | undefined)?.shape
      for (const [, name] of address.matchAll(/\{(\w+)\}/g))
        expect(["string", "enum"], path).toContain(shape?.[name!]?.type)
    }
  })
})

test("a month is YYYY-MM in requests and responses", async () => {
  const byMonth = await call("GET", "/month-end?month=2026-10")
  expect(byMonth).toMatchObject({ status: 200, body: { month: "2026-10" } })
  expect(await call("GET", "/month-end?month=2026-10-01")).toEqual(byMonth)
  expect(await call("GET", "/month-end?month=2026-13")).toMatchObject({ status: 422 })
  const runs = await call("GET", "/billing-runs")
  expect(runs).toMatchObject({ status: 200, body: { nextMonth: expect.stringMatching(/^\d{4}-\d{2}$/) } })
})

describe("request body", () => {
  const receipt = (amountCents: unknown) => ({
    idempotencyKey: crypto.randomUUID(),
    policyId: crypto.randomUUID(),
    paidOn: "2026-11-02",
    reference: "R",
    amountCents,
  })
  test.each(["10.00", "0x10", " 7 ", "1000"])("refuses the text %j as an amount", async (text) => {
    expect(await call("POST", "/receipts", receipt(text))).toMatchObject({
      status: 422,
      body: { data: { fields: expect.arrayContaining([expect.objectContaining({ path: "amountCents" })]) } },
    })
  })

  test.each(["true", "off", "on"])("refuses the text %j as a boolean", async (text) => {
    const { body: detail } = await call("GET", "/settings")
    const { version, settings } = detail as { version: number; settings: object }
    const answer = await call("PUT", "/settings", { version, settings: { ...settings, userRegistration: text } })
    expect(answer).toMatchObject({ status: 422, body: { data: { fields: [{ path: "settings.userRegistration" }] } } })
    expect(
      await call("PUT", "/settings", { version, settings: { ...settings, userRegistration: true } }),
    ).toMatchObject({
      status: 200,
    })
  })
})
