import { QueryClient } from "@tanstack/react-query"
import { isOverloaded, isUnreachable, refusalCode } from "./errors.ts"

/**
 * Reads are tried again three times while the server cannot be reached or has too much to do, never after another
 * refusal. What is on screen
 * stays while it is fetched anew (lists also keep their rows from page to page: `DataTable`; a record never shows in
 * the place of another). Writes are never repeated by themselves.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 10 * 60_000,
        retry: (failures, error) =>
          failures < 3 && (isUnreachable(error) || isOverloaded(error) || refusalCode(error) === undefined),
        retryDelay: (attempt) => Math.min(400 * 2 ** attempt, 4_000),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  })
}

/** The one cache of the application; tests make their own. */
export const queryClient = createQueryClient()
