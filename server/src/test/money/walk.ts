import { ORPCError } from "@orpc/server"
import { sql } from "drizzle-orm"
import { createBankAccount } from "../../banking/banking.samples.ts"
import { openBillingApp } from "../../billing/billing-scene.samples.ts"
import type { UserActor } from "../../platform/calls/actor.ts"
import { Bank } from "./bank.ts"
import { batchActions } from "./draw-batches.ts"
import { invoiceActions } from "./draw-invoices.ts"
import { matchingActions } from "./draw-matching.ts"
import { monthEndActions } from "./draw-month-end.ts"
import { payoutActions } from "./draw-payouts.ts"
import { receiptActions } from "./draw-receipts.ts"
import { statementActions } from "./draw-statements.ts"
import {
  createRandomSource,
  type Insured,
  type MoneyTestApp,
  type SimulatedActions,
  type SimulationContext,
} from "./hand.ts"

export const simulatedActions: SimulatedActions = {
  ...invoiceActions,
  ...receiptActions,
  ...payoutActions,
  ...batchActions,
  ...statementActions,
  ...matchingActions,
  ...monthEndActions,
}

export async function openMoneyTestApp(): Promise<MoneyTestApp> {
  const app = await openBillingApp({ connections: 20, isPreparing: true })
  // PDFs are stubs, because each step would wait for the low-priority PDF thread.
  Object.assign(app.app.limits.records, { hold: async () => Buffer.from("%PDF-1.7") })
  const admin = app.as(app.people.admin)
  const main = await createBankAccount(admin)
  const other = await createBankAccount(admin, { name: "Claims account", accountNumber: "62000000002" })
  const bank = new Bank([
    { id: main.id, accountNumber: main.accountNumber, isMain: true, format: "fnb", openingCents: 10_000_00 },
    { id: other.id, accountNumber: other.accountNumber, isMain: false, format: "camt053", openingCents: 2_500_00 },
  ])
  const { settings, version } = await admin.settings.detail()
  const changed = { autoMatch: true, autoMatchUpToCents: 2_000_00, writeOffLimitCents: 50_00 }
  await admin.settings.save({ version, settings: { ...settings, ...changed } })
  const insured: Insured[] = []
  for (const premiumCents of [350_00, 99_99, 1_234_56, 480_00]) {
    const groupName = insured.length === 3 ? "Employer 1" : `Employer ${insured.length + 1}`
    const { id: policyId, number, groupId } = await app.policy({ premiumCents, groupName, members: 2 })
    const of = async (actor: Promise<UserActor>) => app.as(await actor)
    const benefit = await app.sql.row<{ id: string }>(sql`select id from benefits where name = 'Hospital benefit'`)
    insured.push({
      ...{ policyId, number, benefitId: benefit!.id },
      cast: {
        captures: await of(app.people.groupAdmin(groupId)),
        manager: app.manager,
        group_admin: await of(app.people.groupAdmin(groupId)),
        underwriter: app.as(app.people.underwriter),
        policy_holder: await of(app.people.policyHolder(groupId)),
      },
    })
  }
  return { app, bank, insured }
}

export interface UserPair {
  maker: UserActor
  second: UserActor
}

export class Tally {
  readonly done = new Map<string, number>()
  readonly refused = new Map<string, number>()
  readonly idle = new Map<string, number>()
  readonly ms = new Map<string, number>()

  count(map: "done" | "refused" | "idle" | "ms", what: string, times = 1): void {
    this[map].set(what, (this[map].get(what) ?? 0) + times)
  }

  lines(): string[] {
    return [...Object.keys(simulatedActions), "look"].map((deed) => {
      const [done, idle, ms] = [this.done, this.idle, this.ms].map((map) => map.get(deed) ?? 0)
      const refused = [...this.refused].filter(([what]) => what.startsWith(`${deed}: `))
      const why = refused.map(([what, times]) => `${times} ${what.slice(deed.length + 2)}`).join(", ")
      return `${deed}: ${done}${idle ? `, nothing to do ${idle}` : ""}${why ? `, refused ${why}` : ""} (${Math.round(ms!)} ms)`
    })
  }
}

const raceErrorCodes = new Set(["BUSY", "CONFLICT", "OVERLOADED"])
/** Refusals that are never expected: each would hide a fault of the product or the test. */
const unexpectedErrorCodes = new Set([
  "FORBIDDEN",
  "UNAUTHENTICATED",
  "KEY_REUSED",
  "UNAVAILABLE",
  "FAULTS",
  "NOT_READ",
])

const isExpectedRefusal = (error: unknown, alone: boolean): error is ORPCError<string, unknown> =>
  error instanceof ORPCError &&
  error.defined &&
  !unexpectedErrorCodes.has(error.code) &&
  !(alone && raceErrorCodes.has(error.code))

const weightedActionNames = Object.entries(simulatedActions).flatMap(([name, { weight }]) =>
  Array.from({ length: weight }, () => name),
)

interface WalkOptions {
  seed: number
  steps: number
  pair: UserPair
  tally: Tally
  alone: boolean
  look?: () => Promise<string[]>
}

/** One history of random operations on two policies. Throws at the first fault, with seed and step. */
export async function simulateSteps(
  desk: MoneyTestApp,
  { seed, steps, pair, tally, alone, look }: WalkOptions,
): Promise<void> {
  const draw = createRandomSource(seed)
  const { app, insured } = desk
  const own = [draw.of(insured), draw.of(insured)]
  const hand: SimulationContext = {
    ...desk,
    ...{ draw, maker: app.as(pair.maker), makerActor: pair.maker, second: app.as(pair.second) },
    ...{ admin: app.as(app.people.admin), policy: own[0]! },
  }
  for (let step = 0; step < steps; step++) {
    hand.policy = draw.of(own)
    const name = draw.of(weightedActionNames)
    const where = `seed ${seed}, step ${step}: ${name}`
    const from = performance.now()
    try {
      const done = await simulatedActions[name]!.act(hand)
      tally.count(done === false ? "idle" : "done", name)
    } catch (error) {
      if (!isExpectedRefusal(error, alone)) throw new Error(where, { cause: error })
      tally.count("refused", `${name}: ${error.code}`)
    }
    tally.count("ms", name, performance.now() - from)
    const looked = performance.now()
    const faults = (await look?.()) ?? []
    tally.count("ms", "look", performance.now() - looked)
    if (faults.length > 0) throw new Error(`${where}\n${faults.join("\n")}`)
  }
}
