import { fileURLToPath } from "node:url"
import type { Config } from "@tanstack/router-plugin"

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const routerOptions = {
  target: "react",
  autoCodeSplitting: true,
  routesDirectory: resolvePath("./src"),
  virtualRouteConfig: "./src/routes.ts",
  generatedRouteTree: resolvePath("./src/routeTree.gen.ts"),
  quoteStyle: "double",
  semicolons: false,
  disableLogging: true,
} satisfies Partial<Config>
