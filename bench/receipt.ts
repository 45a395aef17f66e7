import { randomUUID } from "node:crypto"
import { createRouterClient } from "@orpc/server"
import { sql } from "drizzle-orm"
import pg from "pg"
import pino from "pino"
import { createSentInvoice } from "../server/src/billing/billing.samples.ts"
import { openBillingApp } from "../server/src/billing/billing-scene.samples.ts"
import { jobs } from "../server/src/jobs.ts"
import { App } from "../server/src/platform/app.ts"
import { Database } from "../server/src/platform/database/database.ts"
import { FileStore } from "../server/src/platform/files/files.ts"
import { reactions } from "../server/src/reactions.ts"
import { createReceiptForm } from "../server/src/receipts/receipts.samples.ts"
import { verifyLedger } from "../server/src/reports/verify-ledger.ts"
import { router } from "../server/src/router.ts"
import { startTestPostgres } from "../server/src/runtime/postgres.ts"
import { testPostgresVariable } from "../server/src/runtime/test-postgres.setup.ts"
import { type Bench, measureMs, median, requireTrue, runAlternately } from "./measure.ts"
import { processorTime } from "./processor-time.ts"

const receiptsPerRound = 100
const rounds = 5

interface RecordedStatement {
  name?: string
  text: string
  values: unknown[]
}

/**
 * Records receipts with three allocations, against a bare pg client sending the same statements. `--hurried` skips the
 * disk sync at commits; `--statements` prints them.
 */
export const receipt: Bench = {
  name: "receipt",
  async run(say, flags) {
    const postgres = await startTestPostgres({ durable: !flags.has("hurried") })
    process.env[testPostgresVariable] = postgres.url
    const house = await openBillingApp()
    const database = new Database(house.app.database.ownerUrl)
    const bare = new pg.Client({ connectionString: database.url("staff"), options: "-c TimeZone=UTC" })
    await bare.connect()
    try {
      const policy = await house.policy({ premiumCents: 1_000_000_00 })
      const invoices = []
      for (const month of ["2026-08-01", "2026-09-01", "2026-10-01"])
        invoices.push(await createSentInvoice(house.manager, { policyId: policy.id, month, invoiceOn: month }))
      const app = new App({
        reactions,
        jobs,
        database,
        clock: house.clock,
        files: new FileStore(house.app.files.folder),
        log: pino({ level: "silent" }),
        publicUrl: house.app.publicUrl,
      })
      const actor = house.people.manager
      const context = () => ({ app, actor, requestId: randomUUID() })
      const client = createRouterClient(router, { context })
      const form = createReceiptForm({ policyId: policy.id, amountCents: 4_00, receivedOn: "2026-11-01" })
      const allocations = invoices.map(({ id }) => ({ invoiceId: id, amountCents: 1_00 }))
      const recordOne = () => client.receipts.record({ idempotencyKey: randomUUID(), ...form, allocations })
      for (let nth = 0; nth < 50; nth++) await recordOne()

      const { sent, answer } = await recordStatements(recordOne)
      say(`${sent.length} statements a receipt`)
      if (flags.has("statements")) for (const { text, values } of sent) say(`${text}\n    ${JSON.stringify(values)}`)
      const known = new Set([actor.userId, policy.id, policy.groupId, ...invoices.map(({ id }) => id)])
      const again = statementCopier(sent, answer.number, known)

      const owner = database.direct("owner")
      const work = { ours: [] as number[], bare: [] as number[] }
      const worked = async (of: keyof typeof work, all: () => Promise<void>) => {
        const before = processorTime(process.pid, postgres.pid())
        const ms = await measureMs(all)
        work[of].push((processorTime(process.pid, postgres.pid()) - before) / receiptsPerRound)
        return ms
      }
      const recorded = () =>
        worked("ours", async () => {
          for (let nth = 0; nth < receiptsPerRound; nth++) await recordOne()
        })
      const referred = async () => {
        const { last } = (await owner.row<{ last: number }>(
          sql`select last from number_counters where kind = 'receipt'`,
        ))!
        const made = Array.from({ length: receiptsPerRound }, (_, nth) => again(last + nth + 1))
        return worked("bare", async () => {
          for (const statements of made) for (const statement of statements) await bare.query(statement)
        })
      }
      await referred()
      const taken = await runAlternately(rounds, recorded, referred)
      const count = await owner.row<{ receipts: number; allocations: number }>(sql`
        select (select count(*) from receipts) as receipts, (select count(*) from receipt_allocations) as allocations`)
      requireTrue(count!.receipts === 51 + receiptsPerRound * (2 * rounds + 1), "both record every receipt")
      requireTrue(count!.allocations === 3 * count!.receipts, "each has three allocations")
      requireTrue((await verifyLedger(owner)).length === 0, "the books hold")
      return [
        {
          what: "a receipt with three allocations",
          ours: taken.ours / receiptsPerRound,
          reference: taken.reference / receiptsPerRound,
          unit: "ms",
          against: `a bare pg client that sends the same ${sent.length} statements`,
          atMost: 1.67,
          also: [
            { what: "CPU time", value: median(work.ours), unit: "ms" },
            { what: "CPU time of the reference", value: median(work.bare), unit: "ms" },
          ],
        },
      ]
    } finally {
      await bare.end()
      await database.close()
      await house.close()
      await postgres.close()
    }
  },
}

async function recordStatements<Answer>(
  call: () => Promise<Answer>,
): Promise<{ sent: RecordedStatement[]; answer: Answer }> {
  const sent: RecordedStatement[] = []
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked, values] = given as [string | (pg.QueryConfig & { name?: string }), unknown[] | undefined]
    if (typeof asked === "string") sent.push({ text: asked, values: values ?? [] })
    else
      sent.push({ ...(asked.name ? { name: asked.name } : {}), text: asked.text, values: values ?? asked.values ?? [] })
    return (query as (...all: unknown[]) => unknown).apply(this, given)
  } as typeof query
  try {
    return { sent, answer: await call() }
  } finally {
    pg.Client.prototype.query = query
  }
}

function statementCopier(
  sent: readonly RecordedStatement[],
  number: string,
  known: ReadonlySet<string>,
): (nth: number) => RecordedStatement[] {
  const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
  return (nth) => {
    const anew = new Map<string, string>()
    const idOf = (id: string): string => {
      if (known.has(id)) return id
      if (!anew.has(id)) anew.set(id, randomUUID())
      return anew.get(id)!
    }
    const other = number.replace(/\d+$/, String(nth).padStart(6, "0"))
    const copyOf = (value: unknown): unknown =>
      typeof value === "string"
        ? value.replaceAll(number, other).replace(ids, idOf)
        : Array.isArray(value)
          ? value.map(copyOf)
          : value
    return sent.map((statement) => ({ ...statement, values: statement.values.map(copyOf) }))
  }
}
