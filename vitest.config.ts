import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests that work on the database share one PostgreSQL a run; see server/src/test/app.ts for a database a file. */
const onPostgres = {
  globalSetup: here("server/src/runtime/test-postgres.setup.ts"),
  // Generous: these are there to end what hangs, and the machine may be busy with other things.
  testTimeout: 120_000,
  hookTimeout: 120_000,
}
const webSetup = here("web/src/test/setup.ts")

export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      // Files of a worker share its modules, which are loaded once: loading them takes longer than the tests do.
      { test: { name: "domain", include: ["domain/src/**/*.test.ts"], isolate: false } },
      {
        test: {
          name: "server",
          include: ["server/src/**/*.test.ts", "scripts/**/*.test.ts"],
          isolate: false,
          ...onPostgres,
        },
      },
      {
        extends: here("web/vite.config.ts"),
        root: here("web"),
        test: {
          name: "web",
          include: ["src/**/*.test.{ts,tsx}"],
          environment: "jsdom",
          setupFiles: existsSync(webSetup) ? [webSetup] : [],
          ...onPostgres,
        },
      },
    ],
  },
})
