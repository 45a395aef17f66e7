import { setFlagsFromString } from "node:v8"

// Keeps V8's young generation, and so the memory use, small.
setFlagsFromString("--semi-space-growth-factor=1")
