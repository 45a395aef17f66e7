import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests that work on the database share one PostgreSQL a run; see server/src/test/house.ts for a database a file. */
const onPostgres = {
  globalSetup: here("server/src/runtime/test-postgres.setup.ts"),
  testTimeout: 30_000,
  hookTimeout: 60_000,
}
const webSetup = here("web/src/test/setup.ts")

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { name: "domain", include: ["domain/src/**/*.test.ts"] } },
      { test: { name: "server", include: ["server/src/**/*.test.ts", "scripts/**/*.test.ts"], ...onPostgres } },
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
