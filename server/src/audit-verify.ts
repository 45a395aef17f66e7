import { join } from "node:path"
import { Database } from "./platform/database/database.ts"
import { verifyAudit } from "./platform/trail/sealer.ts"
import { prepareDataDir, readConfig } from "./runtime/config.ts"
import { checkInstallation } from "./runtime/installation.ts"
import { migrate } from "./runtime/migrate.ts"
import { visitDatabase } from "./runtime/open-database.ts"
import { StartRefused } from "./runtime/start-refused.ts"

/** `npm run audit:verify`: recomputes the chain of the audit trail; ends with 1 when something was edited or removed. */
async function verify(): Promise<void> {
  const config = readConfig(process.env)
  prepareDataDir(config.dataDir)
  await visitDatabase(config, async (url) => {
    await migrate(url)
    await checkInstallation(url, config.dataDir)
    const database = new Database(url)
    try {
      const { ok, rows, unsealed, faults } = await verifyAudit(database, join(config.dataDir, "audit-seal.json"))
      for (const fault of faults) console.error(fault)
      console.log(
        `${rows} sealed rows ${ok ? "are as they were written" : "were checked"}; ${unsealed} wait for their seal.`,
      )
      if (!ok) process.exitCode = 1
    } finally {
      await database.close()
    }
  })
}

try {
  await verify()
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof StartRefused ? error.message : error)
}
