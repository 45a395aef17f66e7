import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router"
import { render } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import type { ComponentType } from "react"
import { useRestoredFocus } from "../platform/focus.ts"
import { createQueryClient } from "../platform/query-client.ts"
import { Providers } from "../shell/providers.tsx"
import { ConfirmProvider } from "../ui/confirm.tsx"
import { DisplayProvider } from "../ui/display.tsx"
import { toast } from "../ui/toast.tsx"

const displaySettings = {
  dayFormat: "YYYY-MM-DD",
  currency: "ZAR",
  timezone: "Africa/Johannesburg",
  today: "2026-11-20",
  hasBankAccount: true,
} as const

export async function openComponent(Part: ComponentType) {
  toast.clear()
  function Page() {
    useRestoredFocus()
    return (
      <DisplayProvider value={displaySettings}>
        <ConfirmProvider>
          <main id="page" tabIndex={-1}>
            <Part />
          </main>
        </ConfirmProvider>
      </DisplayProvider>
    )
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: Page, notFoundComponent: () => null }),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  })
  await router.load()
  const user = userEvent.setup()
  const page = render(
    <Providers queryClient={createQueryClient()}>
      <RouterProvider router={router as never} />
    </Providers>,
  )
  return { ...page, user, router }
}

export const focusedElement = () => document.activeElement
