import pino from "pino"
import { jobs } from "./jobs.ts"
import { App } from "./platform/app.ts"
import { systemClock } from "./platform/clock.ts"
import { Database } from "./platform/database/database.ts"
import { FileStore } from "./platform/files/files.ts"
import { reactions } from "./reactions.ts"
import { localUrl, prepareDataDir, readConfig } from "./runtime/config.ts"
import { migrate } from "./runtime/migrate.ts"
import { withDatabase } from "./runtime/open-database.ts"
import { StartRefusedError } from "./runtime/start-refused.ts"
import { createAdministratorLink } from "./users/setup.ts"

/** `npm run admin:link`: prints a one-time sign-in link for a locked-out administrator. */
async function printLink(): Promise<void> {
  const config = readConfig(process.env)
  prepareDataDir(config.dataDir)
  await withDatabase(config, async (url) => {
    await migrate(url)
    const database = new Database(url)
    try {
      const app = new App({
        reactions,
        jobs,
        database,
        clock: systemClock,
        files: new FileStore(config.dataDir),
        log: pino({ level: "silent" }),
        publicUrl: config.publicUrl ?? localUrl(config.host, config.port),
        smtpUrl: config.smtpUrl,
      })
      const link = await createAdministratorLink(app)
      console.log(`Open this link within 24 hours to become administrator:\n${link.url}`)
    } finally {
      await database.close()
    }
  })
}

try {
  await printLink()
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof StartRefusedError ? error.message : error)
}
