import { fileURLToPath } from "node:url"
import type { Config } from "@tanstack/router-plugin"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const routerOptions = {
  target: "react",
  autoCodeSplitting: true,
  routesDirectory: here("./src"),
  virtualRouteConfig: "./src/routes.ts",
  generatedRouteTree: here("./src/routeTree.gen.ts"),
  quoteStyle: "double",
  semicolons: false,
  disableLogging: true,
} satisfies Partial<Config>
