import "./runtime/tuning.ts"
import { runServer } from "./runtime/run.ts"

await runServer()
