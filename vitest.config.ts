import { existsSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import { defineConfig } from "vitest/config"
import { useMemoryForTemporaryFiles } from "./scripts/test-folder.mjs"

useMemoryForTemporaryFiles()

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** One PostgreSQL per run; server/src/test/app.ts creates a database per file. */
const postgresProject = {
  globalSetup: resolvePath("server/src/runtime/test-postgres.setup.ts"),
  // Long, because the machine may be busy; the timeout only ends hanging tests.
  testTimeout: 120_000,
  hookTimeout: 120_000,
}
/** Halves the import of the server in every worker. */
const execArgv = ["--import", pathToFileURL(resolvePath("server/src/runtime/module-loading.ts")).href]
const webSetup = resolvePath("web/src/test/setup.ts")

export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      // Workers share modules between test files, because module loading takes longer than these tests.
      { test: { name: "domain", include: ["domain/src/**/*.test.ts"], isolate: false } },
      {
        test: {
          name: "server",
          include: ["server/src/**/*.test.ts", "scripts/**/*.test.ts"],
          isolate: false,
          execArgv,
          ...postgresProject,
        },
      },
      {
        extends: resolvePath("web/vite.config.ts"),
        root: resolvePath("web"),
        test: {
          name: "web",
          include: ["src/**/*.test.{ts,tsx}"],
          environment: "jsdom",
          isolate: false,
          setupFiles: existsSync(webSetup) ? [webSetup] : [],
          execArgv,
          ...postgresProject,
        },
      },
    ],
  },
})
