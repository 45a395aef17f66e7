import { join } from "node:path"
import { Database } from "./platform/database/database.ts"
import { createSealFile, verifyAudit } from "./platform/trail/sealer.ts"
import { prepareDataDir, readConfig } from "./runtime/config.ts"
import { checkInstallation } from "./runtime/installation.ts"
import { migrate } from "./runtime/migrate.ts"
import { withDatabase } from "./runtime/open-database.ts"
import { StartRefusedError } from "./runtime/start-refused.ts"

/**
 * `npm run audit:verify`: verifies the audit trail's hash chain. Exit code 1 if it was edited or the seal file differs.
 * `-- --new-seal-file` regenerates a missing or damaged seal file.
 */
async function verify(): Promise<void> {
  const config = readConfig(process.env)
  prepareDataDir(config.dataDir)
  await withDatabase(config, async (url) => {
    await migrate(url)
    await checkInstallation(url, config.dataDir)
    const database = new Database(url)
    try {
      const sealFile = join(config.dataDir, "audit-seal.json")
      const { ok, rows, unsealed, oldestUnsealed, faults, canRegenerateSealFile } = await verifyAudit(
        database,
        sealFile,
      )
      for (const fault of faults) console.error(fault)
      console.log(
        `${rows} sealed rows ${ok ? "are unchanged" : "were checked"}; ${unsealed} are waiting for a seal${oldestUnsealed === null ? "" : `, the oldest since ${oldestUnsealed} (${describeAge(oldestUnsealed)})`}.`,
      )
      if (canRegenerateSealFile && process.argv.includes("--new-seal-file")) {
        await createSealFile(database, sealFile)
        console.log(`${sealFile} was created again.`)
      } else if (!ok) process.exitCode = 1
    } finally {
      await database.close()
    }
  })
}

function describeAge(instant: string): string {
  const minutes = Math.round(Temporal.Now.instant().since(Temporal.Instant.from(instant)).total("minutes"))
  if (minutes < 120) return `${minutes} minutes ago`
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} hours ago` : `${Math.round(minutes / 1440)} days ago`
}

try {
  await verify()
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof StartRefusedError ? error.message : error)
}
