import { refused } from "./commands.ts"

/** Refuses with STALE, and the current version, if the record has changed since the caller read it. */
export function expectVersion({ version }: { version: number }, read: number | undefined): void {
  if (version !== read) throw refused("STALE", undefined, { version })
}
