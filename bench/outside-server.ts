import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pino from "pino"
import { createSampleBenefits } from "../server/src/benefits/benefits.samples.ts"
import { clientOf, createUser, demoPassword, setUpInsurer } from "../server/src/demo/cast.ts"
import { jobs } from "../server/src/jobs.ts"
import { App } from "../server/src/platform/app.ts"
import { systemClock } from "../server/src/platform/clock.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { reactions } from "../server/src/reactions.ts"
import { migrate } from "../server/src/runtime/migrate.ts"
import { openEmbeddedPostgres } from "../server/src/runtime/postgres.ts"
import { startWorkers } from "../server/src/workers.ts"
import { startServer } from "./server.ts"

export async function compareWithOutsideRules(histories: number, seed: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "milkwood-outside-"))
  chmodSync(folder, 0o711)
  const postgres = await openEmbeddedPostgres(folder)
  await migrate(postgres.url)
  const app = new App({
    ...{ reactions, jobs, clock: systemClock, log: pino({ level: "silent" }), publicUrl: "http://127.0.0.1:3000" },
    database: new Database(postgres.url, { maxConnections: 6 }),
    files: new FileStore(join(folder, "files")),
  })
  const email = await createManager(app)
  const stopWorkers = await startWorkers(app, { sealFile: join(folder, "seals") })
  const server = await startServer({ url: postgres.url, folder }, "product")
  try {
    const script = join(import.meta.dirname, "outside.ts")
    const child = spawn(process.execPath, [script, server.url, email, demoPassword, String(histories), seed], {
      stdio: "inherit",
    })
    const [code] = await once(child, "exit")
    return code
  } finally {
    await server.stop()
    await stopWorkers()
    await app.database.close()
    await postgres.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function createManager(app: App): Promise<string> {
  const admin = await setUpInsurer(app)
  await createSampleBenefits(clientOf(app, admin))
  const email = "manager@milkwood.example"
  await createUser(app, admin, { name: "Max Manager", email, role: "manager" })
  return email
}
