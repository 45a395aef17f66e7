import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"
import { api } from "./api.ts"
import { isUnreachable, refusalCode } from "./errors.ts"

/**
 * Reads are tried again three times while the server cannot be reached, never after a refusal. What is on screen
 * stays while it is fetched anew (lists also keep their rows from page to page: `DataTable`; a record never shows in
 * the place of another). Writes are never repeated by themselves.
 */
export function createQueryClient(): QueryClient {
  // A session that ended while its page was open: whoever one is is asked anew, and the guard leads to sign-in.
  const onError = (error: unknown) => {
    if (refusalCode(error) !== "UNAUTHENTICATED") return
    const me = api.users.me.queryKey()
    if (client.getQueryData(me)) void client.resetQueries({ queryKey: me })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 10 * 60_000,
        retry: (failures, error) => failures < 3 && (isUnreachable(error) || refusalCode(error) === undefined),
        retryDelay: (attempt) => Math.min(400 * 2 ** attempt, 4_000),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  })
  return client
}

/** The one cache of the application; tests make their own. */
export const queryClient = createQueryClient()
