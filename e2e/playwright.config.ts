import { defineConfig } from "@playwright/test"
import { browser } from "../scripts/browser.mjs"
import { useMemoryForTemporaryFiles } from "../scripts/test-folder.mjs"

useMemoryForTemporaryFiles()

const { executablePath, env } = await browser()

/** No sandbox (containers run as root) and no background requests of Chromium. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
]

export default defineConfig({
  testDir: ".",
  // The longest journey starts first, so that it does not run alone at the end.
  projects: [
    { name: "main job", testMatch: "main-job.journey.ts" },
    { name: "journeys", testMatch: "*.journey.ts", testIgnore: "main-job.journey.ts" },
  ],
  outputDir: "../test-results",
  fullyParallel: false,
  // Each file has a separate server and database.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 240_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    // An action without a target fails instead of hanging.
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    locale: "en-ZA",
    timezoneId: "Africa/Johannesburg",
    viewport: { width: 1440, height: 900 },
    screenshot: "only-on-failure",
    launchOptions: { executablePath, env, args: flags },
  },
})
