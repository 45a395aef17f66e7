import { keepPreviousData, QueryClient } from "@tanstack/react-query"
import { isUnreachable, refusalCode } from "./errors.ts"

/**
 * Reads are tried again three times while the server cannot be reached, never after a refusal. What was on screen
 * stays until there is something newer. Writes are never repeated by themselves.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 10 * 60_000,
        placeholderData: keepPreviousData,
        retry: (failures, error) => failures < 3 && (isUnreachable(error) || refusalCode(error) === undefined),
        retryDelay: (attempt) => Math.min(400 * 2 ** attempt, 4_000),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  })
}

/** The one cache of the application; tests make their own. */
export const queryClient = createQueryClient()
