import { config } from "zod/v4/core"

// The content security policy forbids eval, which zod otherwise tries for speed.
config({ jitless: true })
