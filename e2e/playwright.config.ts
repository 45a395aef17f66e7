import { defineConfig } from "@playwright/test"
import { browser } from "../scripts/browser.mjs"

const { executablePath, env } = await browser()

/** Chromium without a sandbox (containers run as root) and without its own errands on the network. */
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
  // The longest goes first, so that no worker waits for it at the end.
  projects: [
    { name: "main job", testMatch: "main-job.journey.ts" },
    { name: "journeys", testMatch: "*.journey.ts", testIgnore: "main-job.journey.ts" },
  ],
  outputDir: "../test-results",
  fullyParallel: false,
  // Each file has a server and a database of its own.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 240_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    // Nothing hangs: an action that finds no target says so.
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    locale: "en-ZA",
    timezoneId: "Africa/Johannesburg",
    viewport: { width: 1440, height: 900 },
    screenshot: "only-on-failure",
    launchOptions: { executablePath, env, args: flags },
  },
})
