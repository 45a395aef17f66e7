// npm run check: formatting, lint, types and import rules. A failure does not skip the other checks.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { install, node, root } from "./install.mjs"
import { bin } from "./node.mjs"

install()

const tsc = (project) => [bin("tsc"), "-p", project]
const checks = [
  ["routes", [node, "generate-routes.ts"], "web"],
  ["lint", [bin("biome"), "check", "--error-on-warnings", "."]],
  ["types of domain", tsc("domain")],
  ["types of server", tsc("server")],
  ["types of web", tsc("web")],
  ["types of journeys", tsc("e2e")],
  ["import rules", [node, join("scripts", "import-rules.mjs")]],
  ["table rules", [node, join("scripts", "table-rules.mjs")]],
  ["schema rules", [node, join("scripts", "schema-rules.mjs")]],
]

const failed = []
for (const [name, [command, ...args], folder = "."] of checks) {
  const started = performance.now()
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: join(root, folder),
    encoding: "utf8",
    maxBuffer: 100_000_000,
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? "✓" : "✗"} ${name} (${seconds} s)`)
  if (status === 0) continue
  failed.push(name)
  console.log([stdout, stderr, error?.message].filter(Boolean).join("\n").trimEnd())
}

console.log(failed.length === 0 ? "Everything checks." : `Failed: ${failed.join(", ")}.`)
process.exitCode = failed.length === 0 ? 0 : 1
