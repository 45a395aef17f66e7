import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"

// Import first: it affects modules that are loaded later.

// Caches compiled modules, which take most of the start.
enableCompileCache(join(import.meta.dirname, "../../../node_modules/.cache/milkwood-code"))
// Keeps V8's young generation, and so the memory use, small.
setFlagsFromString("--semi-space-growth-factor=1")
