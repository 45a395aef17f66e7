import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

/** Debian's package; undefined if it is not installed. */
export const pgbouncerProgram = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"].find((path) =>
  existsSync(path),
)

/** PgBouncer in transaction mode with few connections, configured as in docs/operations.md. */
export class TestPgBouncer {
  readonly #folder: string
  readonly #port: number
  readonly #databaseUrl: string
  #child: ChildProcess | undefined

  private constructor(folder: string, port: number, databaseUrl: string) {
    this.#folder = folder
    this.#port = port
    this.#databaseUrl = databaseUrl
  }

  /** `owner`: a database whose roles already have secrets; `poolSize`: connections per role. */
  static async started(owner: Tx, databaseUrl: string, poolSize: number): Promise<TestPgBouncer> {
    const folder = mkdtempSync(join(tmpdir(), "milkwood-pgbouncer-"))
    chmodSync(folder, 0o755)
    const { hostname, port, pathname } = new URL(databaseUrl)
    const users = await owner.rows<{ line: string }>(sql`
      select format('"%s" "%s"', rolname, rolpassword) as line from pg_authid where rolname like 'milkwood\\_%'`)
    writeFileSync(join(folder, "users.txt"), `${users.map(({ line }) => line).join("\n")}\n`, { mode: 0o644 })
    const own = await findFreePort()
    writeFileSync(
      join(folder, "pgbouncer.ini"),
      `[databases]
milkwood = host=${hostname} port=${port} dbname=${pathname.slice(1)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, "users.txt")}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
`,
      { mode: 0o644 },
    )
    const pgbouncer = new TestPgBouncer(folder, own, databaseUrl)
    await pgbouncer.start()
    return pgbouncer
  }

  get url(): string {
    const url = new URL(this.#databaseUrl)
    url.port = String(this.#port)
    url.pathname = "/milkwood"
    return url.href
  }

  async start(): Promise<void> {
    // PgBouncer refuses to run as root.
    const as = process.getuid?.() === 0 ? ["-u", "nobody"] : []
    this.#child = spawn(pgbouncerProgram!, [...as, join(this.#folder, "pgbouncer.ini")], { stdio: "ignore" })
    for (let tries = 1; !(await isAnswering(this.#port)); tries++) {
      if (tries === 200) throw new Error("PgBouncer did not start")
      await pause(50)
    }
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }

  async close(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const isAnswering = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })
