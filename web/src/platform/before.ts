import { config } from "zod/v4/core"

// The content security policy forbids code made from text, which zod would otherwise try for speed.
config({ jitless: true })
