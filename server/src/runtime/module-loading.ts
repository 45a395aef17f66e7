import { enableCompileCache, type ResolveFnOutput, registerHooks } from "node:module"
import { join } from "node:path"

// This module affects modules loaded later, so it must be imported first or loaded with `--import`.

enableCompileCache(join(import.meta.dirname, "../../../node_modules/.cache/milkwood-code"))

// Node parses a package.json again for every import into its package. drizzle-orm's has 180 KB: without these
// shortcuts, parsing it takes more than half of the start.
const resolvedModules = new Map<string, ResolveFnOutput>()
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith(".") && context.parentURL?.includes("/node_modules/drizzle-orm/"))
      return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true }
    if (!specifier.startsWith("drizzle-orm")) return next(specifier, context)
    const known = resolvedModules.get(specifier) ?? next(specifier, context)
    resolvedModules.set(specifier, known)
    return { ...known, shortCircuit: true }
  },
})
