import { useSyncExternalStore } from "react"

/** States of specification 1, section 4. */
export type ChannelState = "closed" | "joining" | "joined" | "leaving"

const heartbeatMs = 25_000
/** After this silence the connection counts as lost, whatever the browser reports. */
const silenceTimeoutMs = 2.5 * heartbeatMs

/** Delay after each failed attempt; the last one repeats. */
export const reconnectDelaysMs = [1_000, 2_000, 5_000, 10_000] as const

let currentState: ChannelState = "closed"
let failedAttempts = 0
const stateListeners = new Set<() => void>()

function setState(next: ChannelState): void {
  currentState = next
  for (const listener of stateListeners) listener()
}

export const channelState = (): ChannelState => currentState

/** Whether at least two attempts to connect failed. */
const isChannelBroken = () => failedAttempts > 1 && currentState !== "joined"

export function useChannelBroken(): boolean {
  return useSyncExternalStore((listener) => {
    stateListeners.add(listener)
    return () => stateListeners.delete(listener)
  }, isChannelBroken)
}

interface ChannelHandlers {
  onEvent: Record<string, (data: string) => void>
  onJoined: (again: boolean) => void
}

/**
 * Connects to the live channel and reconnects after 1, 2, 5 and then every 10 seconds. Returns a function that
 * disconnects. The browser's own reconnect has no such steps, and gives up after any answer but 200.
 */
export function joinChannel(address: string, { onEvent, onJoined }: ChannelHandlers): () => void {
  let source: EventSource | undefined
  let again = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(handleLoss, silenceTimeoutMs)
  }
  function handleLoss(): void {
    source?.close()
    clearTimeout(silence)
    clearTimeout(timer)
    timer = setTimeout(openSource, reconnectDelaysMs[Math.min(failedAttempts, reconnectDelaysMs.length - 1)])
    failedAttempts += 1
    setState("closed")
  }
  function openSource(): void {
    setState("joining")
    source = new EventSource(address)
    heard()
    source.addEventListener("open", () => {
      failedAttempts = 0
      heard()
      setState("joined")
      onJoined(again)
      again = true
    })
    source.addEventListener("error", handleLoss)
    source.addEventListener("heartbeat", heard)
    for (const [name, listener] of Object.entries(onEvent)) {
      source.addEventListener(name, (event) => {
        heard()
        listener((event as MessageEvent<string>).data)
      })
    }
  }
  openSource()
  return () => {
    setState("leaving")
    clearTimeout(timer)
    clearTimeout(silence)
    source?.close()
    failedAttempts = 0
    setState("closed")
  }
}
