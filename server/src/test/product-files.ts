import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isTest, sources } from "../../../scripts/sources.mjs"

interface ProductFile {
  path: string
  text: string
}

const server = join(import.meta.dirname, "../..")

/** TypeScript and SQL of the product in order of path, without tests, samples and journeys. */
export function productFiles(): ProductFile[] {
  const statements = readdirSync(server, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql") && !path.startsWith("node_modules"))
    .map((path) => ({ path: `server/${path}`, text: readFileSync(join(server, path), "utf8") }))
  return [...(sources() as ProductFile[]), ...statements]
    .filter(({ path }) => !isTest(path) && !path.startsWith("e2e/"))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}
