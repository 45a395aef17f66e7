import { useSyncExternalStore } from "react"

export type ConnectionState = "ok" | "away" | "offline"

let isServerAnswering = true
const listeners = new Set<() => void>()
let probe: ReturnType<typeof setInterval> | undefined

const readConnection = (): ConnectionState => (navigator.onLine ? (isServerAnswering ? "ok" : "away") : "offline")

function notifyListeners() {
  for (const listener of listeners) listener()
}

export function reportAnswer(answered: boolean) {
  if (answered === isServerAnswering) return
  isServerAnswering = answered
  notifyListeners()
  if (answered) {
    clearInterval(probe)
    probe = undefined
    for (const back of reconnectListeners) back()
  } else {
    probe ??= setInterval(() => void probeServer(), 3_000)
  }
}

async function probeServer() {
  try {
    const response = await fetch("/api/ready", { cache: "no-store", headers: { "x-milkwood-background": "1" } })
    if (response.ok) reportAnswer(true)
  } catch {}
}

const reconnectListeners = new Set<() => void>()

export function onReconnect(listener: () => void): () => void {
  reconnectListeners.add(listener)
  return () => reconnectListeners.delete(listener)
}

export function useConnection(): ConnectionState {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    window.addEventListener("online", listener)
    window.addEventListener("offline", listener)
    return () => {
      listeners.delete(listener)
      window.removeEventListener("online", listener)
      window.removeEventListener("offline", listener)
    }
  }, readConnection)
}
