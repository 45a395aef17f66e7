import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Client } from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { migrationLock } from "../platform/database/locks.ts"
import { productFlags } from "../test/server-process.ts"
import { isRunning, waitUntil } from "./postmaster.ts"

const main = join(import.meta.dirname, "../main.ts")
let dataDir: string
let startedProcesses: ChildProcess[]

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "milkwood-run-"))
  chmodSync(dataDir, 0o711)
})

beforeEach(() => {
  startedProcesses = []
})

afterEach(async () => {
  for (const child of startedProcesses) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill("SIGTERM")
    await once(child, "exit")
  }
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

type Server = ReturnType<typeof startServer>

function startServer(variables: Record<string, string> = {}, program = main) {
  const env = {
    ...process.env,
    PORT: "0",
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    SMTP_URL: "",
    PUBLIC_URL: "",
    ...variables,
  }
  const child = spawn(process.execPath, [...productFlags, program], { env, stdio: ["ignore", "pipe", "pipe"] })
  startedProcesses.push(child)
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (part) => {
    said += part
    child.emit("said")
  })
  const exit = once(child, "exit").then(([code]) => code as number | null)
  const complaint = text(child.stderr)
  return {
    child,
    pid: child.pid!,
    exit,
    complaint,
    async prints(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = pattern.exec(said)
        if (found) return found
        const ended = await Promise.race([once(child, "said").then(() => false), exit.then(() => true)])
        if (ended && !pattern.test(said)) throw new Error(`it ended, saying ${said} ${await complaint}`)
      }
    },
  }
}

async function readServerAddress(server: Server): Promise<string> {
  return (await server.prints(/Milkwood is at (\S+)/))[1]!
}

const readPostmasterPid = () =>
  Number(readFileSync(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8").split("\n")[0])

async function readStartRefusal(server: Server): Promise<string> {
  expect(await server.exit).toBe(1)
  return (await server.complaint).trim()
}

test("the server prints address and setup link without accounts; a second process is refused", async () => {
  const first = startServer()
  const url = await readServerAddress(first)
  const [, link] = await first.prints(/once: (\S+)/)
  expect(link!.startsWith(`${url}/setup`)).toBe(true)
  expect((await fetch(`${url}/api/ready`)).status).toBe(200)
  const second = startServer({ PORT: new URL(url).port })
  expect(await readStartRefusal(second)).toMatch(
    new RegExp(`^Milkwood is already running with process id ${first.pid} on `),
  )
  expect((await fetch(`${url}/api/ready`)).status).toBe(200)
})

test("SIGTERM completes the running request, then stops the database", async () => {
  const server = startServer()
  const url = new URL(await readServerAddress(server))
  const database = readPostmasterPid()

  // A request whose body is incomplete when the signal arrives.
  const socket = connect({ host: url.hostname, port: Number(url.port) })
  const answer = text(socket)
  const body = JSON.stringify({ json: {} })
  const head = `POST /rpc/users/entrance HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  await new Promise<void>((sent) => socket.write(head + body.slice(0, 5), () => sent()))
  // If a later request is answered, this one has arrived.
  expect((await fetch(`${url.origin}/api/health`)).status).toBe(200)

  server.child.kill("SIGTERM")
  await server.prints(/Stopping/)
  expect(isRunning(database)).toBe(true)
  socket.write(body.slice(5))
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(await server.exit).toBe(0)
  expect(isRunning(database)).toBe(false)
})

test("a starting process waits for one that is stopping", async () => {
  const first = startServer()
  const url = await readServerAddress(first)
  first.child.kill("SIGTERM")
  await first.prints(/Stopping/)
  const second = startServer()
  expect((await fetch(`${await readServerAddress(second)}/api/ready`)).status).toBe(200)
  expect(await first.exit).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})

test("only one of several concurrent starts runs; the others name it", async () => {
  const all = Array.from({ length: 3 }, () => startServer())
  const outcomes = await Promise.all(
    all.map((one) =>
      Promise.race([readServerAddress(one).then(() => one.pid), one.exit.then(() => one.complaint)]).catch(
        () => one.complaint,
      ),
    ),
  )
  const running = outcomes.filter((outcome) => typeof outcome === "number")
  expect(running).toHaveLength(1)
  for (const said of outcomes.filter((outcome) => typeof outcome === "string"))
    expect(said).toContain(`Milkwood is already running with process id ${running[0]} on `)
})

test("Ctrl-C stops the server without waiting for idle connections", async () => {
  const server = startServer()
  const url = new URL(await readServerAddress(server))
  const socket = connect({ host: url.hostname, port: Number(url.port) })
  await once(socket, "connect")
  const closed = once(socket, "close")
  server.child.kill("SIGINT")
  await closed
  expect(await server.exit).toBe(0)
})

test("the server starts again after a kill of the server, the database, or both", async () => {
  const first = startServer()
  await readServerAddress(first)
  first.child.kill("SIGKILL")
  await first.exit

  const second = startServer()
  await readServerAddress(second)
  const killed = readPostmasterPid()
  process.kill(killed, "SIGKILL")
  expect(await waitUntil(() => !isRunning(killed), 10_000)).toBe(true)
  second.child.kill("SIGKILL")
  await second.exit

  const third = startServer()
  const url = await readServerAddress(third)
  expect((await fetch(`${url}/api/ready`)).status).toBe(200)
})

test("the server is ready again after its database was killed and restarted", async () => {
  const server = startServer()
  const url = await readServerAddress(server)
  process.kill(readPostmasterPid(), "SIGKILL")
  const ready = async () => (await fetch(`${url}/api/ready`)).status
  await expect.poll(ready, { interval: 100, timeout: 100_000 }).toBe(200)
})

test("refuses a port in use, another machine's address, and a file as data folder", async () => {
  const taken = createServer().listen(0, "127.0.0.1")
  await once(taken, "listening")
  const { port } = taken.address() as AddressInfo
  const sentences: string[] = []
  const refused: Record<string, string>[] = [
    { PORT: String(port) },
    { HOST: "192.0.2.1" },
    { DATA_DIR: main },
    { PORT: "x" },
  ]
  for (const variables of refused) sentences.push(await readStartRefusal(startServer(variables)))
  taken.close()
  expect(sentences).toEqual([
    `PORT: ${port} on 127.0.0.1 is in use by another program; set PORT to a free one.`,
    "HOST: 192.0.2.1 is not an address of this machine.",
    `DATA_DIR: ${main} is not a folder.`,
    "PORT must be a whole number from 0 to 65535.",
  ])
})

test("admin commands run with or without a server; a starting server waits for them", async () => {
  const own = { DATA_DIR: join(dataDir, "errands") }
  const errand = (name: string) => startServer(own, join(import.meta.dirname, `../${name}.ts`))
  const link = errand("admin-link")
  await link.prints(/Open this link within 24 hours/)
  const server = startServer(own)
  await readServerAddress(server)
  const links = [link, errand("admin-link"), errand("admin-link")]
  for (const link of links) {
    await link.prints(/Open this link within 24 hours/)
    expect(await link.exit).toBe(0)
  }
  expect(await errand("audit-verify").exit).toBe(0)
  server.child.kill("SIGTERM")
  expect(await server.exit).toBe(0)
})

test("refuses to start on another database's data folder", async () => {
  const owner = new Client({ connectionString: process.env.TEST_POSTGRES_URL })
  await owner.connect()
  const name = `other_${process.pid}`
  await owner.query(`create database ${name}`)
  const other = new URL(process.env.TEST_POSTGRES_URL!)
  other.pathname = name
  const first = startServer()
  await readServerAddress(first)
  const complaint = await readStartRefusal(startServer({ DATABASE_URL: other.href }))
  expect(complaint).toContain(`DATA_DIR: the folder ${dataDir} contains the documents of another database`)
  const verdict = startServer({ DATABASE_URL: other.href }, join(import.meta.dirname, "../audit-verify.ts"))
  expect(await readStartRefusal(verdict)).toBe(complaint)
  await owner.query(`drop database ${name}`)
  await owner.end()
})

test("two processes can share DATABASE_URL and the data folder", async () => {
  const name = `shared_${process.pid}`
  const owner = new Client({ connectionString: process.env.TEST_POSTGRES_URL })
  await owner.connect()
  await owner.query(`create database ${name}`)
  const shared = new URL(process.env.TEST_POSTGRES_URL!)
  shared.pathname = name
  const files = join(dataDir, "files only")
  const shares = (port = "0") => startServer({ DATABASE_URL: shared.href, DATA_DIR: files, PORT: port })
  const other = new Client({ connectionString: shared.href })
  await other.connect()
  await other.query("select pg_advisory_lock($1)", [migrationLock])
  const waiting = shares()
  await waiting.prints(/Another process is migrating the database/)
  waiting.child.kill("SIGTERM")
  expect(await waiting.exit).toBe(0)
  await other.end()
  const both = [shares(), shares()]
  const urls = await Promise.all(both.map(readServerAddress))
  expect(new Set(urls).size).toBe(2)
  for (const url of urls) expect((await fetch(`${url}/api/ready`)).status).toBe(200)
  expect(readdirSync(files)).not.toContain("postgres")
  const { port } = new URL(urls[0]!)
  expect(await readStartRefusal(shares(port))).toBe(
    `PORT: ${port} on 127.0.0.1 is in use by another program; set PORT to a free one.`,
  )
  for (const { child, exit } of both) {
    child.kill("SIGTERM")
    expect(await exit).toBe(0)
  }
  await owner.query(`drop database ${name}`)
  await owner.end()
})
