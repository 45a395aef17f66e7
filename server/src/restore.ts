import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { createInterface } from "node:readline/promises"
import { restoreBackup } from "./backups/restore-backup.ts"
import { readConfig } from "./runtime/config.ts"
import { StartRefusedError } from "./runtime/start-refused.ts"

/**
 * `npm run restore -- FILE [--key-file=KEY]`: restores a backup into an empty DATA_DIR. The key is read from the file,
 * BACKUP_KEY or a prompt.
 */
async function restore(): Promise<void> {
  const [file] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
  if (!file) throw new StartRefusedError("Name the backup file: npm run restore -- milkwood-backup.age")
  const config = readConfig(process.env)
  const { head, files, bytes } = await restoreBackup(config, resolve(file), await readKey())
  console.log(
    `Restored the backup of ${head.takenAt} into ${config.dataDir}: ${files} files, ${Math.ceil(bytes / 1_000_000)} MB.`,
  )
  if (!head.hasDatabase)
    console.log("It contains only files: restore the database of DATABASE_URL from its own backup.")
}

async function readKey(): Promise<string> {
  const file = process.argv.find((argument) => argument.startsWith("--key-file="))?.slice("--key-file=".length)
  const text = file ? readFileSync(resolve(file), "utf8") : (process.env.BACKUP_KEY ?? (await promptForKey()))
  const key = /AGE-SECRET-KEY-1[0-9A-Z]+/.exec(text.toUpperCase())?.[0]
  if (!key) throw new StartRefusedError("This is not a backup key: a backup key begins with AGE-SECRET-KEY-1.")
  return key
}

async function promptForKey(): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question("Key of the backup: ")
  } finally {
    terminal.close()
  }
}

try {
  await restore()
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof StartRefusedError ? error.message : error)
}
