import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { App } from "../app.ts"
import { Database } from "../database/database.ts"
import { listen, notifyScreens } from "./live.ts"

let real: TestApp
let app: App
let between: Server
let ends: Socket[]
let stop: () => Promise<void>

beforeEach(async () => {
  real = await openTestApp()
  ends = []
  const url = new URL(real.app.database.ownerUrl)
  const { hostname, port } = url
  between = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const end of [near, far]) end.on("error", () => {})
    near.pipe(far).pipe(near)
    ends.push(near, far)
  })
  between.listen(0, "127.0.0.1")
  await once(between, "listening")
  url.port = String((between.address() as AddressInfo).port)
  url.hostname = "127.0.0.1"
  app = new App({ ...real.app, log: real.app.log, database: new Database(url.href) })
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] })
  stop = await listen(app)
})
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends) end.destroy()
  await stop()
  between.close()
  await real.close()
})

const heard = async (event: string) => {
  const [news] = await once(app.news, event)
  return news
}
const change = { kind: "policy", id: null, groupId: null }
const tell = () => notifyScreens(real.sql, change)

test("a silent dead connection is detected and replaced", async () => {
  const first = heard("change")
  await tell()
  expect(await first).toEqual(change)
  expect(ends).toHaveLength(2)

  for (const end of ends) end.unpipe().pause()
  await tell()
  const resync = heard("resync")
  await vi.advanceTimersByTimeAsync(30_000)
  await vi.advanceTimersByTimeAsync(5_000)
  await vi.advanceTimersByTimeAsync(1_000)
  await resync
  const again = heard("change")
  await tell()
  expect(await again).toEqual(change)
})

test("a healthy connection is kept", async () => {
  await vi.advanceTimersByTimeAsync(30_000)
  const news = heard("change")
  await tell()
  await news
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ends).toHaveLength(2)
})
