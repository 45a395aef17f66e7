import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { type Page, test } from "@playwright/test"
import { node, root } from "../scripts/install.mjs"
import { openPage } from "./browser.ts"
import { type MailServer, openMailServer } from "./mail-server.ts"

export interface RunningServer {
  url: string
  setupLink: string
  close(): Promise<void>
}

export interface Installation {
  app: RunningServer
  mail: MailServer
  admin: Page
}

/** A separate installation with a mail server for the tests of a file. */
export function useOwnInstallation(
  enter: (house: Installation) => void,
  { withMail = true, environment = {} }: { withMail?: boolean; environment?: Record<string, string> } = {},
): void {
  let house: Installation | undefined
  test.beforeAll(async ({ browser }) => {
    const mail = await openMailServer()
    const app = await openTestApp({ ...(withMail && { SMTP_URL: mail.url }), ...environment })
    house = { app, mail, admin: await openPage(browser, app.url) }
    enter(house)
  })
  test.afterAll(async () => {
    await house?.app.close()
    await house?.mail.close()
  })
}

/** The built product in a separate process on an empty folder, as `npm start` runs it. */
async function openTestApp(environment: Record<string, string> = {}): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), "milkwood-journey-"))
  // Under root the database runs as another user and must be able to traverse the folder.
  chmodSync(folder, 0o711)
  const server = spawn(node, ["server/src/main.ts"], {
    cwd: root,
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", DATA_DIR: folder, DATABASE_URL: "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const complaints: string[] = []
  server.stderr.on("data", (chunk: Buffer) => complaints.push(String(chunk)))
  try {
    const [url, setupLink] = await waitForOutput(server, [/^Milkwood is at (\S+)/, /^Set it up here, once: (\S+)/])
    return {
      url: url!,
      setupLink: setupLink!,
      async close() {
        await stop(server)
        rmSync(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await stop(server)
    throw new Error(`${(error as Error).message}\n${complaints.join("").slice(-2_000)}`)
  }
}

function waitForOutput(child: ChildProcess, patterns: RegExp[]): Promise<string[]> {
  const found: string[] = []
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      for (const [index, pattern] of patterns.entries()) {
        const match = pattern.exec(line)
        if (match) found[index] = match[1]!
      }
      if (patterns.every((_pattern, index) => found[index] !== undefined)) resolve(found)
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it was ready`)))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  await ended
}
