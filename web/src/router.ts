import type { QueryClient } from "@tanstack/react-query"
import { createRouter, type RouterHistory } from "@tanstack/react-router"
import { routeTree } from "./routeTree.gen.ts"
import { RouteFailed } from "./shell/route-failed.tsx"
import { NotFoundPage } from "./ui/plain-page.tsx"

/** The router over the address book; `history` only in tests. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context: { queryClient },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: RouteFailed,
    scrollRestoration: true,
  })
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface HistoryState {
    /** The record that a form has made, whose address the page now shows: without a change here the router stays put. */
    madeId?: string
    /** The e-mail address that was typed on one page before the product and is needed on the next. */
    email?: string
  }
}
