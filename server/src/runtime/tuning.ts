import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"

// Loaded before anything large, for its effect on what is loaded after it.

// The product's modules are kept compiled: they take longest of a start.
enableCompileCache(join(import.meta.dirname, "../../../node_modules/.cache/milkwood-code"))
// V8 grows its young generation rather than collect what a request leaves behind; the house stays small instead.
setFlagsFromString("--semi-space-growth-factor=1")
