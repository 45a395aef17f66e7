import "./platform/before.ts"
import "@mantine/core/styles.layer.css"
import "@fontsource-variable/inter/wght.css"
import "./ui/theme.css"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { queryClient } from "./platform/query-client.ts"
import { createAppRouter } from "./router.ts"
import { Providers } from "./shell/providers.tsx"

// Loaded first, because other modules use Temporal.
if (!("Temporal" in globalThis)) await import("temporal-polyfill/global")

const router = createAppRouter(queryClient)

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
)
