import { backup } from "./backup.ts"
import { clicksInLists } from "./clicks.ts"
import { collection } from "./collection.ts"
import { crowd } from "./crowd.ts"
import { runDeepTests } from "./deep.ts"
import { importMembers } from "./import-members.ts"
import { invoicePdfs } from "./invoice-pdfs.ts"
import { lists } from "./lists.ts"
import { matching } from "./matching.ts"
import type { Bench, Measured } from "./measure.ts"
import { memberSearch } from "./member-search.ts"
import { paymentFile } from "./payment-file.ts"
import { policyDocuments } from "./policy-documents.ts"
import { premiumRun } from "./premium-run.ts"
import { receipt } from "./receipt.ts"
import { reportCsv, reportPdf, reportXlsx } from "./report-files.ts"

/* npm run bench [-- name …] [--flag …]: measures each against a reference in the same run and prints the ratio. Only
   broken invariants fail; missed targets are printed, since machines differ. --deep runs the long randomised tests
   instead. */

const benches: Bench[] = [
  importMembers,
  memberSearch,
  lists,
  clicksInLists,
  crowd,
  premiumRun,
  invoicePdfs,
  collection,
  policyDocuments,
  receipt,
  paymentFile,
  matching,
  backup,
  reportCsv,
  reportXlsx,
  reportPdf,
]

const wantedNames = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const flags = new Map(
  process.argv
    .slice(2)
    .filter((argument) => argument.startsWith("--"))
    .map((argument) => {
      const [name, value = ""] = argument.slice(2).split("=")
      return [name!, value]
    }),
)
const unknown = wantedNames.filter((name) => !benches.some((bench) => bench.name === name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}; there are ${benches.map(({ name }) => name).join(", ")}.`)
  process.exit(1)
}

let brokenLimitCount = 0
const deepTestNames = flags.get("deep")
if (deepTestNames !== undefined) {
  await runDeepTests(deepTestNames).catch((error: Error) => {
    brokenLimitCount += 1
    console.error(error.message)
  })
}
const runsEveryBench = wantedNames.length === 0 && deepTestNames === undefined
for (const bench of benches.filter(({ name }) => runsEveryBench || wantedNames.includes(name))) {
  console.log(`\n${bench.name}`)
  try {
    for (const measured of await bench.run((line) => console.log(`  ${line}`), flags)) print(measured)
  } catch (error) {
    brokenLimitCount += 1
    console.error(`  ${error instanceof Error ? error.message : error}`)
  }
}
process.exitCode = brokenLimitCount > 0 ? 1 : 0

function print({ what, ours, reference, unit, against, atMost, also = [] }: Measured): void {
  const ratio = ours / reference
  console.log(`  ${what}: ${formatNumber(ours)} ${unit}`)
  console.log(`  ${against}: ${formatNumber(reference)} ${unit}`)
  console.log(`  ratio ${ratio.toFixed(2)}${verdict(ratio, atMost)}`)
  for (const each of also)
    console.log(`  ${each.what}: ${formatNumber(each.value)} ${each.unit}${verdict(each.value, each.atMost)}`)
}

function verdict(value: number, atMost: number | undefined): string {
  if (atMost === undefined) return ""
  return value <= atMost ? ` (target: at most ${atMost})` : ` (MISSES its target of at most ${atMost})`
}

function formatNumber(value: number): string {
  return value >= 100 ? Math.round(value).toString() : value.toFixed(1)
}
