import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { callInThreads } from "../test/at-once.ts"

test("concurrent writers of one file all read the first writer's complete text", async () => {
  const folder = mkdtempSync(join(tmpdir(), "milkwood-write-once-"))
  try {
    const files = Array.from({ length: 200 }, (_, nth) => `${nth}.json`)
    const args = ["one ", "two ", "three "].map((text) => files.map((file) => [join(folder, file), text.repeat(2_000)]))
    const read = await callInThreads<string>({
      module: join(import.meta.dirname, "write-once.ts"),
      call: "writeOnce",
      args,
    })
    for (const nth of files.keys()) {
      const texts = new Set(read.map((each) => each[nth]))
      expect(texts.size).toBe(1)
      expect(args.map((calls) => calls[nth]![1])).toContain([...texts][0])
    }
    expect(readdirSync(folder).sort()).toEqual([...files].sort())
  } finally {
    rmSync(folder, { recursive: true })
  }
})
