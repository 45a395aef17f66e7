import { fileURLToPath } from "node:url"
import { Generator, getConfig } from "@tanstack/router-generator"
import { routerOptions } from "./routes.config.ts"

// Writes src/routeTree.gen.ts without a build, for the type check. The file is generated; do not edit or commit it.
const root = fileURLToPath(new URL(".", import.meta.url))
const generator = new Generator({ config: getConfig(routerOptions, root), root })
await generator.run()
