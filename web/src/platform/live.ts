import { modulesByRecordKind, modulesToRefresh, type Room } from "@milkwood/domain/screens"
import type { Query, QueryClient } from "@tanstack/react-query"
import { type QueryKey, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { api, silentlyRefetchedPaths } from "./api.ts"
import { joinChannel } from "./channel.ts"

/** Milliseconds in which changes are combined into one refetch. */
const batchWindowMs = 400

/**
 * Refetches what is on screen when the server reports changes. These requests do not extend the session. Mount it
 * wherever a user is signed in.
 */
export function LiveUpdates(): null {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (typeof EventSource === "undefined") return
    const waiting = new Set<Room | "all">()
    let timer: ReturnType<typeof setTimeout> | undefined
    const queue = (...rooms: (Room | "all")[]) => {
      for (const room of rooms) waiting.add(room)
      timer ??= setTimeout(() => {
        timer = undefined
        const keys = waiting.has("all") ? [api.key()] : [...waiting].map((room) => api[room as Room].key())
        waiting.clear()
        void refreshSilently(queryClient, keys)
      }, batchWindowMs)
    }
    const leave = joinChannel("/api/live", {
      onEvent: {
        change: (data) => {
          const { kind } = JSON.parse(data) as { kind: string }
          queue(...((modulesByRecordKind as Record<string, readonly Room[]>)[kind] ?? ["all" as const]))
        },
        resync: () => queue("all"),
      },
      onJoined: (again) => {
        if (again) queue("all")
      },
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [queryClient])
  return null
}

export const refreshModule = (queryClient: QueryClient, room: Room): Promise<unknown> =>
  Promise.all(modulesToRefresh(room).map((each) => queryClient.invalidateQueries({ queryKey: api[each].key() })))

/** After a refetch, a live query pauses three times as long as it ran, at most 10 seconds. */
const restLimits = { times: 3, mostMs: 10_000 }

const queuedRefetches = new WeakSet<Query>()
const runningRefetches = new WeakMap<Query, Promise<void>>()
const restUntilByQuery = new WeakMap<Query, number>()

/** Refetches visible queries under these keys as background requests; hidden ones refetch when shown. */
export async function refreshSilently(queryClient: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  const cache = queryClient.getQueryCache()
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey, refetchType: "none" })
  const shown = new Set(keys.flatMap((queryKey) => cache.findAll({ queryKey, type: "active" })))
  await Promise.all([...shown].map((query) => refresh(queryClient, query)))
}

async function refresh(queryClient: QueryClient, query: Query): Promise<void> {
  if (queuedRefetches.has(query)) return
  queuedRefetches.add(query)
  await runningRefetches.get(query)
  if (query.state.fetchStatus !== "idle") await query.promise?.catch(() => {})
  const wait = (restUntilByQuery.get(query) ?? 0) - Date.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  queuedRefetches.delete(query)
  if (!query.isActive()) return
  const refetched = refetch(queryClient, query)
  runningRefetches.set(query, refetched)
  await refetched
}

async function refetch(queryClient: QueryClient, query: Query): Promise<void> {
  const began = Date.now()
  silentlyRefetchedPaths.add(query.queryHash)
  await queryClient.refetchQueries({ predicate: (each) => each === query }, { cancelRefetch: false })
  silentlyRefetchedPaths.delete(query.queryHash)
  const ended = Date.now()
  restUntilByQuery.set(query, ended + Math.min((ended - began) * restLimits.times, restLimits.mostMs))
}
