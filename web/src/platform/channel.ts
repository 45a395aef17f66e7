import { useSyncExternalStore } from "react"

/** The states of the channel of news (specification 1, section 4). */
export type ChannelState = "closed" | "joining" | "joined" | "leaving"

/** The server is heard of at least this often. */
const heartbeatMs = 25_000
/** After so long a silence the connection is taken for lost, whatever the browser thinks of it. */
const silenceMs = 2.5 * heartbeatMs

/** How long after each attempt that came to nothing the next is made; the last goes on. */
export const reconnectSteps = [1_000, 2_000, 5_000, 10_000] as const

let state: ChannelState = "closed"
let attempts = 0
const listeners = new Set<() => void>()

function become(next: ChannelState): void {
  state = next
  for (const listener of listeners) listener()
}

export const channelState = (): ChannelState => state

/** Whether news has not come for longer than a moment: two attempts and more came to nothing. */
const isBroken = () => attempts > 1 && state !== "joined"

/** For the banner; a short break is nobody's concern. */
export function useChannelBroken(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, isBroken)
}

interface Hearing {
  onEvent: Record<string, (data: string) => void>
  /** `again` where news may have been missed since it was joined before. */
  onJoined: (again: boolean) => void
}

/**
 * Joins the channel of news and stays on it: what is lost or refused is joined again after 1, 2, 5 and then every 10
 * seconds. Answers how to leave. The browser's own way of connecting again is not used: it knows no steps, and gives up
 * for good after any answer but 200.
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
