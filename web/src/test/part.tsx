import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router"
import { render } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import type { ComponentType } from "react"
import { useFocusKept } from "../platform/focus.ts"
import { createQueryClient } from "../platform/query-client.ts"
import { Providers } from "../shell/providers.tsx"
import { ConfirmProvider } from "../ui/confirm.tsx"
import { DisplayProvider } from "../ui/display.tsx"
import { toast } from "../ui/toast.tsx"

const display = {
  dayFormat: "YYYY-MM-DD",
  currency: "ZAR",
  timezone: "Africa/Johannesburg",
  today: "2026-11-20",
  hasBankAccount: true,
} as const

export async function openPart(Part: ComponentType) {
  toast.clear()
  function Page() {
    useFocusKept()
    return (
      <DisplayProvider value={display}>
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

export const focused = () => document.activeElement
