// npm test: domain, server and web tests, then the browser journeys. `-- --keep-times` records how long files take.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { install, node, root } from "./install.mjs"
import { ended } from "./node.mjs"
import { timesFile } from "./quick-tests.mjs"
import { buildScreens } from "./screens.mjs"

install()
const reports = mkdtempSync(join(tmpdir(), "milkwood-report-"))
const total = { passed: 0, failed: 0 }

const add = ({ passed, failed }, exitCode) => {
  total.passed += passed
  // A run can fail without a failed test, for example when a file does not load.
  total.failed += failed || (exitCode === 0 ? 0 : 1)
}

if (!buildScreens()) add({ passed: 0, failed: 0 }, 1)
add(...(await unitTests()))
add(...(await journeys()))
rmSync(reports, { recursive: true, force: true })

console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

async function unitTests() {
  const file = join(reports, "vitest.json")
  const exitCode = await run("vitest/vitest.mjs", [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ])
  const report = read(file)
  if (process.argv.includes("--keep-times")) keepTimes(report)
  const brokenFiles = report.testResults?.filter((one) => one.status === "failed" && one.assertionResults.length === 0)
  return [
    { passed: report.numPassedTests ?? 0, failed: (report.numFailedTests ?? 0) + (brokenFiles?.length ?? 0) },
    exitCode,
  ]
}

/** Files of less than two seconds are omitted. */
function keepTimes({ testResults }) {
  const times = testResults
    .map(({ name, startTime, endTime }) => [relative(root, name), Math.round((endTime - startTime) / 1_000)])
    .filter(([, seconds]) => seconds > 1)
    .sort()
  writeFileSync(timesFile, `${JSON.stringify(Object.fromEntries(times), null, 2)}\n`)
}

async function journeys() {
  const file = join(reports, "playwright.json")
  const args = ["test", "--config", join(root, "e2e", "playwright.config.ts"), "--reporter=list,json"]
  const exitCode = await run("@playwright/test/cli.js", args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file })
  const { expected = 0, flaky = 0, unexpected = 0 } = read(file).stats ?? {}
  return [{ passed: expected + flaky, failed: unexpected }, exitCode]
}

function run(script, args, environment = {}) {
  const path = join(root, "node_modules", script)
  return ended(spawn(node, [path, ...args], { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } }))
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return {}
  }
}
