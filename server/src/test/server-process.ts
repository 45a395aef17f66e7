import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { pathToFileURL } from "node:url"

/** Node flags of `npm run restore` and the other commands. */
export const productFlags = ["--import", pathToFileURL(join(import.meta.dirname, "../runtime/module-loading.ts")).href]

const main = join(import.meta.dirname, "../main.ts")

/** A server as `npm start` runs it, on an existing database, with its own data folder. */
export class ServerProcess {
  readonly folder = mkdtempSync(join(tmpdir(), "milkwood-server-"))
  readonly #env: Record<string, string>
  #child: ChildProcess | undefined
  url = ""

  constructor(env: { DATABASE_URL: string } & Record<string, string>) {
    chmodSync(this.folder, 0o711)
    this.#env = env
  }

  /** @throws the server's output if it does not start */
  async start(): Promise<this> {
    const own = { PORT: "0", SMTP_URL: "", PUBLIC_URL: "", FILES_URL: "", DATA_DIR: this.folder }
    const child = spawn(process.execPath, [main], {
      env: { ...process.env, ...own, ...this.#env },
      stdio: ["ignore", "pipe", "pipe"],
    })
    this.#child = child
    const complaint = text(child.stderr)
    let said = ""
    for await (const part of child.stdout.setEncoding("utf8")) {
      said += part
      const found = /Milkwood is at (\S+)/.exec(said)
      if (!found) continue
      this.url = found[1]!
      return this
    }
    throw new Error((await complaint).trim())
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill(signal)
    await ended
  }

  kill(): Promise<void> {
    return this.#end("SIGKILL")
  }

  async close(): Promise<void> {
    await this.#end("SIGTERM")
    rmSync(this.folder, { recursive: true, force: true })
  }
}
