// npm start, npm run dev, npm run demo: installs and builds missing parts, then runs the server.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { install, node, root } from "./install.mjs"
import { ended } from "./node.mjs"
import { buildScreens } from "./screens.mjs"
import { keepRunning } from "./supervise.mjs"

const wants = (flag) => process.argv.includes(flag)

install()
if (wants("--dev")) await develop()
else {
  const isBuilt = buildScreens()
  if (!isBuilt && !existsSync(join(root, "web", "dist", "index.html"))) process.exit(1)
  if (!isBuilt) console.error("The screens of the last build are served.")
  if (wants("--demo")) process.env.DATA_DIR ||= join(root, "data", "demo")
  process.exitCode = await keepRunning(wants("--demo") ? "server/src/demo.ts" : "server/src/main.ts")
}

async function develop() {
  const screensPort = 5173
  const port = process.env.PORT || "3000"
  const screens = `http://127.0.0.1:${screensPort}`
  const environment = {
    ...process.env,
    PORT: port,
    PUBLIC_URL: process.env.PUBLIC_URL || screens,
    MILKWOOD_SERVER: `http://127.0.0.1:${port}`,
  }
  const options = { cwd: root, env: environment, stdio: "inherit" }
  const server = spawn(node, ["--watch", "--watch-preserve-output", "server/src/main.ts"], options)
  const vite = join(root, "node_modules", "vite", "bin", "vite.js")
  const web = spawn(node, [vite, "--host", "127.0.0.1", "--port", String(screensPort), "--clearScreen", "false"], {
    ...options,
    cwd: join(root, "web"),
  })
  process.exitCode = await ended(server, web)
  web.kill()
}
