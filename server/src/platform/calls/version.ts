import { refused } from "./commands.ts"

/** Refuses STALE, with the version that stands, when a locked record has changed since the caller read it. */
export function expectVersion({ version }: { version: number }, read: number | undefined): void {
  if (version !== read) throw refused("STALE", undefined, { version })
}
