import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openTestApp, type TestApp } from "../../test/app.ts"
import { App } from "../app.ts"
import { Database } from "../database/database.ts"
import { listenForChanges, notifyScreens } from "./live.ts"

let real: TestApp
let app: App
let proxy: Server
let proxySockets: Socket[]
let stop: () => Promise<void>

beforeEach(async () => {
  real = await openTestApp()
  proxySockets = []
  const url = new URL(real.app.database.ownerUrl)
  const { hostname, port } = url
  proxy = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const end of [near, far]) end.on("error", () => {})
    near.pipe(far).pipe(near)
    proxySockets.push(near, far)
  })
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")
  url.port = String((proxy.address() as AddressInfo).port)
  url.hostname = "127.0.0.1"
  app = new App({ ...real.app, log: real.app.log, database: new Database(url.href) })
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] })
  stop = await listenForChanges(app)
})
afterEach(async () => {
  vi.useRealTimers()
  for (const end of proxySockets) end.destroy()
  await stop()
  proxy.close()
  await real.close()
})

const nextEvent = async (event: string) => {
  const [news] = await once(app.news, event)
  return news
}
const change = { kind: "policy", id: null, groupId: null }
const notifyChange = () => notifyScreens(real.sql, change)

test("a silent dead database connection is detected and replaced", async () => {
  const first = nextEvent("change")
  await notifyChange()
  expect(await first).toEqual(change)
  expect(proxySockets).toHaveLength(2)

  for (const end of proxySockets) end.unpipe().pause()
  await notifyChange()
  const resync = nextEvent("resync")
  await vi.advanceTimersByTimeAsync(30_000)
  await vi.advanceTimersByTimeAsync(5_000)
  await vi.advanceTimersByTimeAsync(1_000)
  await resync
  const again = nextEvent("change")
  await notifyChange()
  expect(await again).toEqual(change)
})

test("a healthy database connection is not replaced", async () => {
  await vi.advanceTimersByTimeAsync(30_000)
  const news = nextEvent("change")
  await notifyChange()
  await news
  await vi.advanceTimersByTimeAsync(5_000)
  expect(proxySockets).toHaveLength(2)
})
