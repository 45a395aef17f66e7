import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import { act, render } from "@testing-library/react"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { api } from "./api.ts"
import { channelState } from "./channel.ts"
import { LiveUpdates } from "./live.ts"

class Source extends EventTarget {
  static readonly CLOSED = 2
  static made: Source[] = []
  readyState = 0
  constructor() {
    super()
    Source.made.push(this)
  }
  close() {
    this.readyState = 2
  }
  becomes(readyState: number, event: "open" | "error") {
    this.readyState = readyState
    this.dispatchEvent(new Event(event))
  }
}
const open = (source: Source) => source.becomes(1, "open")
const lost = (source: Source) => source.becomes(0, "error")
const refused = (source: Source) => source.becomes(2, "error")

let asked: number
function Screen() {
  useQuery({ queryKey: [...api.claims.key(), "shown"], queryFn: () => ++asked, staleTime: Number.POSITIVE_INFINITY })
  return <LiveUpdates />
}
const passes = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const show = async () => {
  const screen = render(<Screen />, {
    wrapper: ({ children }) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>,
  })
  await passes(0)
  return screen
}

beforeEach(() => {
  asked = 0
  Source.made = []
  vi.useFakeTimers()
  vi.stubGlobal("EventSource", Source)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it("refetches everything shown after a reconnect, not after the first connect", async () => {
  await show()
  expect(channelState()).toBe("joining")
  open(Source.made[0]!)
  expect(channelState()).toBe("joined")
  await passes(10_000)
  expect(asked).toBe(1)
  lost(Source.made[0]!)
  expect(channelState()).toBe("closed")
  await passes(1_000)
  expect(channelState()).toBe("joining")
  open(Source.made[1]!)
  await passes(10_000)
  expect(asked).toBe(2)
  expect(Source.made).toHaveLength(2)
})

it("reconnects after 1, 2, 5 and then every 10 seconds, and resets after a success", async () => {
  await show()
  open(Source.made[0]!)
  const waits = [1_000, 2_000, 5_000, 10_000, 10_000, 10_000]
  for (const [index, wait] of waits.entries()) {
    ;[lost, refused][index % 2]!(Source.made.at(-1)!)
    await passes(wait - 1)
    expect(Source.made).toHaveLength(index + 1)
    await passes(1)
    expect(Source.made).toHaveLength(index + 2)
  }
  expect(asked).toBe(1)
  open(Source.made.at(-1)!)
  await passes(1_000)
  expect(asked).toBe(2)
  const news = new MessageEvent("change", { data: JSON.stringify({ kind: "claim" }) })
  Source.made.at(-1)!.dispatchEvent(news)
  await passes(1_000)
  expect(asked).toBe(3)
  const made = Source.made.length
  lost(Source.made.at(-1)!)
  await passes(1_000)
  expect(Source.made).toHaveLength(made + 1)
})

it("treats a connection as lost after a silence of more than two heartbeats", async () => {
  await show()
  open(Source.made[0]!)
  for (let beat = 0; beat < 4; beat++) {
    await passes(25_000)
    Source.made[0]!.dispatchEvent(new MessageEvent("heartbeat", { data: "{}" }))
  }
  expect(Source.made).toHaveLength(1)
  await passes(62_500)
  expect(channelState()).toBe("closed")
  await passes(1_000)
  expect(Source.made).toHaveLength(2)
})

it("stops connecting after sign-out", async () => {
  const { unmount } = await show()
  const [source] = Source.made
  let whileClosing: string | undefined
  source!.close = () => {
    whileClosing = channelState()
  }
  unmount()
  expect(whileClosing).toBe("leaving")
  expect(channelState()).toBe("closed")
  const again = await show()
  refused(Source.made[1]!)
  again.unmount()
  await passes(60_000)
  expect(Source.made).toHaveLength(2)
})

it("lets a slow query finish and refetches once for all changes since", async () => {
  let ended = 0
  let cancelled = 0
  function Slow() {
    useQuery({
      queryKey: [...api.reports.key(), "slow"],
      queryFn: async ({ signal }) => {
        asked += 1
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
  open(Source.made[0]!)
  const receipt = () => new MessageEvent("change", { data: JSON.stringify({ kind: "receipt" }) })
  for (let second = 0; second < 60; second++) {
    Source.made[0]!.dispatchEvent(receipt())
    await passes(1_000)
  }
  expect(cancelled).toBe(0)
  expect(asked).toBe(4)
  expect(ended).toBe(4)
  await passes(60_000)
  expect(ended).toBe(asked)
  expect(asked).toBe(5)
})
