import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { alone } from "./alone.mjs"

/** A checkout in which nothing is installed or built, with an npm and a Vite that write down that they ran. */
let checkout: string
let started: ChildProcess[]

// Each goes on when a file named "go" is there.
const vite = `
const { appendFileSync, existsSync, mkdirSync } = require("node:fs")
appendFileSync("../ran", "vite ")
console.log("vite is " + process.pid)
const watch = setInterval(() => {
  if (!existsSync("../go")) return
  clearInterval(watch)
  mkdirSync("dist-next")
}, 10)`
const npm = `
const { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } = require("node:fs")
appendFileSync("ran", "npm ")
console.log("npm is " + process.pid)
const watch = setInterval(() => {
  if (!existsSync("go")) return
  clearInterval(watch)
  for (const folder of ["node_modules/.bin", "node_modules/vite/bin"]) mkdirSync(folder, { recursive: true })
  symlinkSync(${JSON.stringify(process.execPath)}, "node_modules/.bin/node")
  writeFileSync("node_modules/.package-lock.json", '{ "packages": {} }')
  writeFileSync("node_modules/vite/bin/vite.js", ${JSON.stringify(vite)})
}, 10)`

const start = `
import { install } from "./install.mjs"
import { buildScreens } from "./screens.mjs"
await install()
if (!(await buildScreens())) process.exitCode = 1`

// All of them come in the same millisecond, again and again.
const turns = `
import { mkdirSync, readdirSync, rmdirSync } from "node:fs"
import { alone } from "./alone.mjs"
for (let turn = 0; turn < 40; turn++) {
  while (Date.now() % 10);
  await alone(".", async () => {
    mkdirSync("held")
    for (let look = 0; look < 50; look++) readdirSync(".")
    rmdirSync("held")
  })
}`

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "milkwood-checkout-"))
  started = []
  for (const folder of ["scripts", "web", "domain", "bin"]) mkdirSync(join(checkout, folder))
  for (const name of ["alone.mjs", "install.mjs", "screens.mjs"])
    copyFileSync(join(import.meta.dirname, name), join(checkout, "scripts", name))
  writeFileSync(join(checkout, "scripts", "start.mjs"), start)
  writeFileSync(join(checkout, "scripts", "turns.mjs"), turns)
  writeFileSync(join(checkout, "package-lock.json"), '{ "packages": {} }')
  writeFileSync(join(checkout, "npm.js"), npm)
  symlinkSync(process.execPath, join(checkout, "bin", "node"))
})

afterEach(async () => {
  go()
  for (const child of started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  rmSync(checkout, { recursive: true, force: true })
})

function startOne(script = "start.mjs") {
  const env = { ...process.env, PATH: join(checkout, "bin"), npm_execpath: join(checkout, "npm.js") }
  const child = spawn(process.execPath, [`scripts/${script}`], {
    cwd: checkout,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  })
  started.push(child)
  const exit = once(child, "exit").then(([code]) => code)
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (part) => {
    said += part
    child.emit("said")
  })
  return {
    child,
    exit,
    /** Waits until it has printed something like this; answers the number in it. */
    async prints(pattern: RegExp): Promise<number> {
      while (!pattern.test(said)) await Promise.race([once(child, "said"), exit.then(() => Promise.reject(said))])
      return Number(pattern.exec(said)![1])
    },
  }
}

const waits = /^Process (\d+) installs packages or builds the screens here; waiting/m
const go = () => writeFileSync(join(checkout, "go"), "")
const ran = () => readFileSync(join(checkout, "ran"), "utf8")
const claims = () => readdirSync(checkout).filter((name) => name.startsWith(".busy-"))

test("of two first starts at once one installs, the other finds it done; a third has nothing to write", async () => {
  const first = startOne()
  const npmsId = await first.prints(/npm is (\d+)/)
  const second = startOne()
  expect([first.child.pid, npmsId]).toContain(await second.prints(waits))
  go()
  expect([await first.exit, await second.exit]).toEqual([0, 0])
  expect(ran()).toBe("npm vite ")
  expect(claims()).toEqual([])

  const before = statSync(checkout).mtimeMs
  expect(await startOne().exit).toBe(0)
  expect(statSync(checkout).mtimeMs).toBe(before)
})

test("of two that find the screens out of date one builds them", async () => {
  go()
  await startOne().exit
  writeFileSync(join(checkout, "web", "page.tsx"), "")
  rmSync(join(checkout, "go"))
  const first = startOne()
  await first.prints(/vite is (\d+)/)
  const second = startOne()
  await second.prints(waits)
  go()
  expect([await first.exit, await second.exit]).toEqual([0, 0])
  expect(ran()).toBe("npm vite vite ")
})

test("those who come at the same moment never meet", async () => {
  const many = Array.from({ length: 3 }, () => startOne("turns.mjs").exit)
  expect(await Promise.all(many)).toEqual([0, 0, 0])
})

test("when a start is killed, the next waits for the npm that it left behind", async () => {
  const killed = startOne()
  const left = await killed.prints(/npm is (\d+)/)
  killed.child.kill("SIGKILL")
  await killed.exit
  const next = startOne()
  expect(await next.prints(waits)).toBe(left)
  go()
  expect(await next.exit).toBe(0)
  expect(ran()).toBe("npm vite ")
  expect(claims()).toEqual([])
})

test("when both are killed, the next begins anew", async () => {
  const killed = startOne()
  const left = await killed.prints(/npm is (\d+)/)
  killed.child.kill("SIGKILL")
  await killed.exit
  process.kill(left, "SIGKILL")
  go()
  expect(await startOne().exit).toBe(0)
  expect(ran()).toBe("npm npm vite ")
  expect(claims()).toEqual([])
})

test.runIf(existsSync("/proc"))("where nothing can be written, work is done without a claim", async () => {
  expect(await alone("/proc", async () => "done")).toBe("done")
})

test("a claim that another program's process id looks like counts for nothing", async () => {
  writeFileSync(join(checkout, `.busy-${process.ppid}-1`), "")
  expect(await alone(checkout, async () => claims().length)).toBe(1)
})
