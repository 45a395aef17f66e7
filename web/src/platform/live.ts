import { type Room, roomsAfter, shownIn } from "@milkwood/domain/screens"
import type { Query, QueryClient } from "@tanstack/react-query"
import { type QueryKey, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { api, refetchingSilently } from "./api.ts"
import { join } from "./channel.ts"

/** Changes within this many milliseconds are asked for together, so that a long run does not cause a storm. */
const together = 400

/**
 * Screens follow what others change: the server says which record changed, and what is on screen of its kind is
 * fetched anew. Such fetches do not extend the session: nobody did anything. Stands wherever somebody is signed in.
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
      }, together)
    }
    const leave = join("/api/live", {
      onEvent: {
        change: (data) => {
          const { kind } = JSON.parse(data) as { kind: string }
          queue(...((shownIn as Record<string, readonly Room[]>)[kind] ?? ["all" as const]))
        },
        resync: () => queue("all"),
      },
      // News of the time without a connection was missed.
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

/** Fetches anew what a command of this room may have changed on screen. */
export const refreshAfter = (queryClient: QueryClient, room: Room): Promise<unknown> =>
  Promise.all(roomsAfter(room).map((each) => queryClient.invalidateQueries({ queryKey: api[each].key() })))

/** A query that follows the news is asked for at most a quarter of the time, however much comes. */
const rest = { times: 3, mostMs: 10_000 }

/** Queries that are asked for anew as soon as they may be. */
const due = new WeakSet<Query>()
const asking = new WeakMap<Query, Promise<void>>()
const restsUntil = new WeakMap<Query, number>()

/** Fetches anew what is on screen under these keys, marked as nobody's doing; the rest is fetched when it is shown. */
export async function refreshSilently(queryClient: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  const cache = queryClient.getQueryCache()
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey, refetchType: "none" })
  const shown = new Set(keys.flatMap((queryKey) => cache.findAll({ queryKey, type: "active" })))
  await Promise.all([...shown].map((query) => refresh(queryClient, query)))
}

/** Lets a query that still runs come to its end: it is asked for once more after it, whatever came meanwhile. */
async function refresh(queryClient: QueryClient, query: Query): Promise<void> {
  if (due.has(query)) return
  due.add(query)
  await asking.get(query)
  if (query.state.fetchStatus !== "idle") await query.promise?.catch(() => {})
  const wait = (restsUntil.get(query) ?? 0) - Date.now()
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
  due.delete(query)
  if (!query.isActive()) return
  const refetched = refetch(queryClient, query)
  asking.set(query, refetched)
  await refetched
}

async function refetch(queryClient: QueryClient, query: Query): Promise<void> {
  const began = Date.now()
  refetchingSilently.add(query.queryHash)
  await queryClient.refetchQueries({ predicate: (each) => each === query }, { cancelRefetch: false })
  refetchingSilently.delete(query.queryHash)
  const ended = Date.now()
  restsUntil.set(query, ended + Math.min((ended - began) * rest.times, rest.mostMs))
}
