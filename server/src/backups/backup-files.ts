import { access, mkdir, readdir, rm } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import type { Cx } from "../platform/calls/commands.ts"

const backupFolderOf = ({ data }: Pick<App, "data">): string => {
  if (!data) throw new Error("Only a server with a data folder can create backups.")
  return join(data.folder, "backups")
}

export const backupPathsOf = (app: Pick<App, "data">, backupId: string) => ({
  complete: join(backupFolderOf(app), `${backupId}.age`),
  unfinished: join(backupFolderOf(app), `${backupId}.part`),
})

export const serverPlace = (): string => hostname()

export async function createBackupFolder(app: Pick<App, "data">): Promise<void> {
  await mkdir(backupFolderOf(app), { recursive: true, mode: 0o700 })
}

/** Marks backups without a file as lost and deletes files without a row. */
export async function tidyBackups({ app, tx }: Pick<Cx, "app" | "tx">): Promise<void> {
  const rows = await tx.rows<{ id: string }>(sql`select id from backups where state in ('made', 'making')`)
  const named = new Set(rows.map(({ id }) => id))
  const gone: string[] = []
  const ours = sql`select id from backups where state = 'made' and coalesce(place, ${serverPlace()}) = ${serverPlace()}`
  for (const { id } of await tx.rows<{ id: string }>(ours))
    await access(backupPathsOf(app, id).complete).catch(() => gone.push(id))
  if (gone.length > 0)
    await tx.run(sql`update backups set state = 'lost' where id = any (${sql.param(gone)}::uuid[]) and state = 'made'`)
  for (const name of await readdir(backupFolderOf(app))) {
    const id = /^([0-9a-f-]{36})\.(age|part)$/.exec(name)?.[1]
    if (id && !named.has(id)) await rm(join(backupFolderOf(app), name), { force: true })
  }
}
