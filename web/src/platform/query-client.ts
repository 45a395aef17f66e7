import { QueryClient } from "@tanstack/react-query"
import { isOverloaded, isUnreachable, refusalCodeOf } from "./errors.ts"

/**
 * Reads are retried three times if the server is unreachable or overloaded, never after other refusals. Old data stays
 * visible during a refetch; lists also keep their rows between pages (`DataTable`). Writes are never retried
 * automatically.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 10 * 60_000,
        retry: (failures, error) =>
          failures < 3 && (isUnreachable(error) || isOverloaded(error) || refusalCodeOf(error) === undefined),
        retryDelay: (attempt) => Math.min(400 * 2 ** attempt, 4_000),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  })
}

export const queryClient = createQueryClient()
