import { runServer } from "./runtime/run.ts"

await runServer()
