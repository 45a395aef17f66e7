import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core"
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { cssVariables, theme } from "../ui/theme.ts"
import { Toaster } from "../ui/toast.tsx"

const colourSchemeManager = localStorageColorSchemeManager({ key: "milkwood-colour-scheme" })

export function Providers({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colourSchemeManager}
        defaultColorScheme="auto"
      >
        {/* Menus, dialogs and toasts render here, inside a landmark and after everything else. */}
        <section id="layers" aria-label="Menus, dialogs and messages" />
        {children}
        <Toaster />
      </MantineProvider>
    </QueryClientProvider>
  )
}
