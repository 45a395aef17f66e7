import type { ClientLink } from "@orpc/client"
import { RPCHandler } from "@orpc/server/fetch"
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router"
import { render } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import type { UserActor } from "../../../server/src/platform/calls/actor.ts"
import { router as procedures } from "../../../server/src/router.ts"
import type { TestApp } from "../../../server/src/test/app.ts"
import { Browser } from "../../../server/src/users/browser.samples.ts"
import { readSessionActor } from "../../../server/src/users/session.ts"
import { type CallContext, createLink, transport } from "../platform/api.ts"
import { createQueryClient } from "../platform/query-client.ts"
import { beginVisit } from "../platform/session.ts"
import { createAppRouter } from "../router.ts"
import { Providers } from "../shell/providers.tsx"
import { toast } from "../ui/toast.tsx"

export { openTestApp, type TestApp } from "../../../server/src/test/app.ts"

const rpcHandler = new RPCHandler(procedures)

/** Answers API calls with this process's procedures, as this user or browser session; encoded as over HTTP. */
function createServerLink({ app }: TestApp, who: UserActor | Browser | null): ClientLink<CallContext> {
  const browser = who instanceof Browser ? who : undefined
  return createLink(async (path, init) => {
    const headers = browser?.headers()
    const actor = who instanceof Browser ? await readSessionActor(app, who.headers()) : who
    const responseHeaders = new Headers()
    const { response } = await rpcHandler.handle(new Request(`http://milkwood.test${path}`, init), {
      prefix: "/rpc",
      context: { app, actor, requestId: crypto.randomUUID(), responseHeaders, ...(headers && { headers }) },
    })
    browser?.keepCookies(responseHeaders)
    return response ?? new Response("not found", { status: 404 })
  })
}

/** Replaces calls of a procedure by name with a promise that rejects or never resolves. */
type CallOverride = (procedure: string) => Promise<never> | undefined

/**
 * Opens a page as a user: real screens, real procedures, real database.
 *
 *     const app = await openTestApp()
 *     const { user, location } = await openPage(app, app.people.manager, "/benefits")
 *     await user.click(await screen.findByRole("button", { name: "Add Product Type" }))
 *
 * Only the page opened last is connected to the API. Close the app after the file's tests.
 */
export async function openPage(app: TestApp, who: UserActor | Browser | null, path: string, instead?: CallOverride) {
  const link = createServerLink(app, who)
  transport.link = instead
    ? { call: (path, input, options) => instead(path.join(".")) ?? link.call(path, input, options) }
    : link
  toast.clear()
  beginVisit()
  const queryClient = createQueryClient()
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  // Preload the page's code: on a cold run that exceeds the waiting time of the tests.
  await router.load()
  const user = userEvent.setup()
  const page = render(
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return {
    ...page,
    user,
    queryClient,
    router,
    location: () => router.state.location.href,
  }
}
