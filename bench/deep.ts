import { spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { join } from "node:path"
import { requireTrue } from "./measure.ts"
import { compareWithOutsideRules } from "./outside-server.ts"

const root = join(import.meta.dirname, "..")
const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "..", "vitest.mjs")

/** Long versions of randomised tests: random histories and crash points. */
const deepTests: { what: string; tests: string; env: Record<string, string> }[] = [
  {
    what: "20,000 histories of the pure difference",
    tests: "domain/src/billing/difference.test",
    env: { HISTORIES: "20000" },
  },
  { what: "2,000 histories in the database", tests: "server/src/billing/difference.test", env: { RUNS: "2000" } },
  {
    what: "1,000 histories of 50 random money operations, and 20 concurrent clients",
    tests: "server/src/test/money",
    env: { HISTORIES: "1000", HOUSES: "4", SEED: process.env.SEED ?? `${Date.now() % 1_000_000}` },
  },
  { what: "20,000 histories of the pure cover", tests: "domain/src/members/cover-of.test", env: { RUNS: "20000" } },
  { what: "500 histories of cover in the database", tests: "server/src/members/cover-of.test", env: { RUNS: "500" } },
  {
    what: "20 points at which a premium run is killed",
    tests: "server/src/billing/premium-run-crash",
    env: { POINTS: "20" },
  },
]

const outsideTestTitle = "200 histories of owed premium over the API, compared with outside rules"

/**
 * `--deep` runs all tests, `--deep=kill` those with that word. Seeds are printed; `FC_SEED` (or `SEED` for money tests)
 * repeats a run.
 */
export async function runDeepTests(only: string): Promise<void> {
  for (const { what, tests, env } of deepTests.filter((one) => one.what.includes(only))) {
    console.log(`\n${what}${env.SEED ? `, seed ${env.SEED}` : ""}`)
    const child = spawn(process.execPath, [vitest, "run", tests], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...env },
    })
    const [code] = await once(child, "exit")
    requireTrue(code === 0, what)
  }
  if (outsideTestTitle.includes(only)) {
    const seed = process.env.SEED ?? `${Date.now() % 1_000_000}`
    console.log(`\n${outsideTestTitle}, seed ${seed}`)
    requireTrue((await compareWithOutsideRules(Number(process.env.HISTORIES ?? 200), seed)) === 0, outsideTestTitle)
  }
}
