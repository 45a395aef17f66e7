import { useSyncExternalStore } from "react"

/** Specification 1, section 4. */
export type ChannelState = "closed" | "joining" | "joined" | "leaving"

const heartbeatMs = 25_000
/** After this silence the connection counts as lost, whatever the browser reports. */
const silenceMs = 2.5 * heartbeatMs

/** Delay after each failed attempt; the last one repeats. */
export const reconnectSteps = [1_000, 2_000, 5_000, 10_000] as const

let state: ChannelState = "closed"
let attempts = 0
const listeners = new Set<() => void>()

function become(next: ChannelState): void {
  state = next
  for (const listener of listeners) listener()
}

export const channelState = (): ChannelState => state

/** A longer interruption: two or more attempts failed. */
const isBroken = () => attempts > 1 && state !== "joined"

export function useChannelBroken(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, isBroken)
}

interface Hearing {
  onEvent: Record<string, (data: string) => void>
  onJoined: (again: boolean) => void
}

/**
 * Connects to the live channel and reconnects after 1, 2, 5 and then every 10 seconds. Returns a function that leaves
 * it. The browser's own reconnect has no steps, and gives up after any answer but 200.
 */
export function join(address: string, { onEvent, onJoined }: Hearing): () => void {
  let source: EventSource | undefined
  let again = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(lost, silenceMs)
  }
  function lost(): void {
    source?.close()
    clearTimeout(silence)
    clearTimeout(timer)
    timer = setTimeout(connect, reconnectSteps[Math.min(attempts, reconnectSteps.length - 1)])
    attempts += 1
    become("closed")
  }
  function connect(): void {
    become("joining")
    source = new EventSource(address)
    heard()
    source.addEventListener("open", () => {
      attempts = 0
      heard()
      become("joined")
      onJoined(again)
      again = true
    })
    source.addEventListener("error", lost)
    source.addEventListener("heartbeat", heard)
    for (const [name, listener] of Object.entries(onEvent)) {
      source.addEventListener(name, (event) => {
        heard()
        listener((event as MessageEvent<string>).data)
      })
    }
  }
  connect()
  return () => {
    become("leaving")
    clearTimeout(timer)
    clearTimeout(silence)
    source?.close()
    attempts = 0
    become("closed")
  }
}
