import { useSyncExternalStore } from "react"

export type Connection = "ok" | "away" | "offline"

let answering = true
const listeners = new Set<() => void>()
let probe: ReturnType<typeof setInterval> | undefined

const read = (): Connection => (navigator.onLine ? (answering ? "ok" : "away") : "offline")

function notify() {
  for (const listener of listeners) listener()
}

export function reportAnswer(answered: boolean) {
  if (answered === answering) return
  answering = answered
  notify()
  if (answered) {
    clearInterval(probe)
    probe = undefined
    for (const back of backListeners) back()
  } else {
    probe ??= setInterval(() => void ask(), 3_000)
  }
}

async function ask() {
  try {
    const response = await fetch("/api/ready", { cache: "no-store", headers: { "x-milkwood-background": "1" } })
    if (response.ok) reportAnswer(true)
  } catch {}
}

const backListeners = new Set<() => void>()

export function onBack(listener: () => void): () => void {
  backListeners.add(listener)
  return () => backListeners.delete(listener)
}

export function useConnection(): Connection {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    window.addEventListener("online", listener)
    window.addEventListener("offline", listener)
    return () => {
      listeners.delete(listener)
      window.removeEventListener("online", listener)
      window.removeEventListener("offline", listener)
    }
  }, read)
}
