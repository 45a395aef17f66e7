import { execFileSync } from "node:child_process"
import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { setTimeout as pause } from "node:timers/promises"
import { generateX25519Identity, identityToRecipient } from "age-encryption"
import type { ArchiveSums } from "../server/src/backups/archive.ts"
import { takeBackupInSubprocess } from "../server/src/backups/take-backup-apart.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { type Book, openBook, readers } from "./book.ts"
import { deleteCrowdViews, keepWorking, readProcessMegabytes, targetsOf } from "./crowd.ts"
import { type Bench, type Measured, percentile95 } from "./measure.ts"
import { signIn, startServer } from "./server.ts"

const workingUsers = 10
const baselineMs = 15_000

/**
 * Ten users at work, alone and during a backup (compressed, encrypted, verified) of a book of about 2 GB. `--large`
 * uses the book of a million members.
 */
export const backup: Bench = {
  name: "backup",
  async run(say, flags) {
    const book = await openBook(say, flags.has("large") ? "large" : "small", { anew: flags.has("anew") })
    try {
      return [await measure(book, say)]
    } finally {
      await book.close()
    }
  },
}

async function measure(book: Book, say: (line: string) => void): Promise<Measured> {
  const { member } = await targetsOf(book)
  const server = await startServer(book, "product")
  const path = join(book.folder, "backup.age")
  const database = new Database(book.url)
  rmSync(path, { force: true })
  try {
    const emails = [readers.admin, readers.manager, readers.underwriter]
    const people = await Promise.all(
      Array.from({ length: workingUsers }, (_, nth) => signIn(server.url, emails[nth % emails.length]!)),
    )
    const alone = await keepWorking(people, member, () => pause(baselineMs))
    const memory: { at: number; mb: number }[] = []
    const watching = setInterval(() => memory.push({ at: performance.now(), mb: childMemory() }), 500)
    const recipient = await identityToRecipient(await generateX25519Identity())
    const app = { database, data: { folder: book.folder, postgres: join(book.folder, "postgres") } }
    const from = performance.now()
    let sums: ArchiveSums | undefined
    const meanwhile = await keepWorking(people, member, async () => {
      sums = await takeBackupInSubprocess(app, { path, recipient }, new AbortController().signal, () => {})
    })
    const took = performance.now() - from
    clearInterval(watching)
    say(
      `${sums!.files} files, ${Math.round(sums!.bytes / 1e6)} MB, in a file of ${Math.round(statSync(path).size / 1e6)} MB`,
    )
    const half = memory.filter(({ at }) => at < from + took / 2)
    const most = (taken: { mb: number }[]) => Math.max(0, ...taken.map(({ mb }) => mb))
    return {
      what: "95th percentile of users' calls while a backup is made",
      ours: percentile95(meanwhile.times),
      reference: percentile95(alone.times),
      unit: "ms",
      against: "the same calls without a backup",
      atMost: 3,
      also: [
        { what: "backup, read to its end", value: took / 1_000, unit: "s" },
        { what: "… content read per second", value: sums!.bytes / 1e6 / (took / 1_000), unit: "MB" },
        { what: "peak memory of its process in the first half", value: most(half), unit: "MB" },
        { what: "… over the whole backup", value: most(memory), unit: "MB", atMost: most(half) + 60 },
      ],
    }
  } finally {
    rmSync(path, { force: true })
    await database.close()
    await server.stop()
    await deleteCrowdViews(book)
  }
}

function childMemory(): number {
  const children = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
  const line = children.split("\n").find((each) => each.includes("take-backup.process"))
  return line ? readProcessMegabytes(Number.parseInt(line, 10)) : 0
}
