// node scripts/run.mjs <script.ts> [arguments]: installs missing packages and runs the script.
import { install } from "./install.mjs"
import { runScript } from "./node.mjs"

const [script, ...args] = process.argv.slice(2)
if (!script) {
  console.error("Which script? node scripts/run.mjs bench/main.ts")
  process.exit(1)
}
install()
await runScript(script, args)
