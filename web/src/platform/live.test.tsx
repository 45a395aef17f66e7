import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import { act, render } from "@testing-library/react"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { api } from "./api.ts"
import { channelState } from "./channel.ts"
import { LiveUpdates } from "./live.ts"

class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2
  static made: FakeEventSource[] = []
  readyState = 0
  constructor() {
    super()
    FakeEventSource.made.push(this)
  }
  close() {
    this.readyState = 2
  }
  becomes(readyState: number, event: "open" | "error") {
    this.readyState = readyState
    this.dispatchEvent(new Event(event))
  }
}
const openSource = (source: FakeEventSource) => source.becomes(1, "open")
const loseSource = (source: FakeEventSource) => source.becomes(0, "error")
const refuseSource = (source: FakeEventSource) => source.becomes(2, "error")

let fetchCount: number
function Screen() {
  useQuery({
    queryKey: [...api.claims.key(), "shown"],
    queryFn: () => ++fetchCount,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <LiveUpdates />
}
const advanceTimers = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const renderScreen = async () => {
  const screen = render(<Screen />, {
    wrapper: ({ children }) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>,
  })
  await advanceTimers(0)
  return screen
}

beforeEach(() => {
  fetchCount = 0
  FakeEventSource.made = []
  vi.useFakeTimers()
  vi.stubGlobal("EventSource", FakeEventSource)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it("refetches everything on screen after a reconnect, but not after the first connect", async () => {
  await renderScreen()
  expect(channelState()).toBe("joining")
  openSource(FakeEventSource.made[0]!)
  expect(channelState()).toBe("joined")
  await advanceTimers(10_000)
  expect(fetchCount).toBe(1)
  loseSource(FakeEventSource.made[0]!)
  expect(channelState()).toBe("closed")
  await advanceTimers(1_000)
  expect(channelState()).toBe("joining")
  openSource(FakeEventSource.made[1]!)
  await advanceTimers(10_000)
  expect(fetchCount).toBe(2)
  expect(FakeEventSource.made).toHaveLength(2)
})

it("reconnects after 1, 2, 5 and then every 10 seconds, and resets after a success", async () => {
  await renderScreen()
  openSource(FakeEventSource.made[0]!)
  const waits = [1_000, 2_000, 5_000, 10_000, 10_000, 10_000]
  for (const [index, wait] of waits.entries()) {
    ;[loseSource, refuseSource][index % 2]!(FakeEventSource.made.at(-1)!)
    await advanceTimers(wait - 1)
    expect(FakeEventSource.made).toHaveLength(index + 1)
    await advanceTimers(1)
    expect(FakeEventSource.made).toHaveLength(index + 2)
  }
  expect(fetchCount).toBe(1)
  openSource(FakeEventSource.made.at(-1)!)
  await advanceTimers(1_000)
  expect(fetchCount).toBe(2)
  const news = new MessageEvent("change", { data: JSON.stringify({ kind: "claim" }) })
  FakeEventSource.made.at(-1)!.dispatchEvent(news)
  await advanceTimers(1_000)
  expect(fetchCount).toBe(3)
  const made = FakeEventSource.made.length
  loseSource(FakeEventSource.made.at(-1)!)
  await advanceTimers(1_000)
  expect(FakeEventSource.made).toHaveLength(made + 1)
})

it("treats a connection as lost after a silence of more than two heartbeats", async () => {
  await renderScreen()
  openSource(FakeEventSource.made[0]!)
  for (let beat = 0; beat < 4; beat++) {
    await advanceTimers(25_000)
    FakeEventSource.made[0]!.dispatchEvent(new MessageEvent("heartbeat", { data: "{}" }))
  }
  expect(FakeEventSource.made).toHaveLength(1)
  await advanceTimers(62_500)
  expect(channelState()).toBe("closed")
  await advanceTimers(1_000)
  expect(FakeEventSource.made).toHaveLength(2)
})

it("does not reconnect after sign-out", async () => {
  const { unmount } = await renderScreen()
  const [source] = FakeEventSource.made
  let whileClosing: string | undefined
  source!.close = () => {
    whileClosing = channelState()
  }
  unmount()
  expect(whileClosing).toBe("leaving")
  expect(channelState()).toBe("closed")
  const again = await renderScreen()
  refuseSource(FakeEventSource.made[1]!)
  again.unmount()
  await advanceTimers(60_000)
  expect(FakeEventSource.made).toHaveLength(2)
})

it("lets a slow query finish, then refetches once for all changes since", async () => {
  let ended = 0
  let cancelled = 0
  function Slow() {
    useQuery({
      queryKey: [...api.reports.key(), "slow"],
      queryFn: async ({ signal }) => {
        fetchCount += 1
        signal.addEventListener("abort", () => cancelled++)
        await new Promise((resolve) => setTimeout(resolve, 9_000))
        return ++ended
      },
    })
    return <LiveUpdates />
  }
  render(<Slow />, {
    wrapper: ({ children }) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>,
  })
  openSource(FakeEventSource.made[0]!)
  const receipt = () => new MessageEvent("change", { data: JSON.stringify({ kind: "receipt" }) })
  for (let second = 0; second < 60; second++) {
    FakeEventSource.made[0]!.dispatchEvent(receipt())
    await advanceTimers(1_000)
  }
  expect(cancelled).toBe(0)
  expect(fetchCount).toBe(4)
  expect(ended).toBe(4)
  await advanceTimers(60_000)
  expect(ended).toBe(fetchCount)
  expect(fetchCount).toBe(5)
})
