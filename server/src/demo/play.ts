import type { DependentCover } from "@milkwood/domain/benefits/benefit-terms"
import { addMonths, type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import type { WrittenLine } from "../banking/statement-files.samples.ts"
import { createSampleBenefits } from "../benefits/benefits.samples.ts"
import { jobs } from "../jobs.ts"
import type { SamplePayee } from "../payouts/payouts.samples.ts"
import { App } from "../platform/app.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { SetClock } from "../platform/clock.ts"
import { Database } from "../platform/database/database.ts"
import { demoLock } from "../platform/database/locks.ts"
import { withClient } from "../platform/database/with-client.ts"
import { queueRecurring, recurringJobs } from "../platform/work/schedule.ts"
import { reactions } from "../reactions.ts"
import { verifyLedger } from "../reports/verify-ledger.ts"
import type { Config } from "../runtime/config.ts"
import { waitForLock } from "../runtime/migrate.ts"
import { StartRefusedError } from "../runtime/start-refused.ts"
import { playBank } from "./bank.ts"
import { addNewMember, type Client, clientOf, createUser, setUpInsurer } from "./cast.ts"
import { playClaims } from "./claims.ts"
import { playCollection } from "./collection.ts"
import { createDice } from "./dice.ts"
import { playHeirs } from "./heirs.ts"
import { playLetters } from "./letters.ts"
import { playMonthEnds } from "./month-ends.ts"
import { openPaperUploader, type PaperUploader } from "./papers.ts"
import { playPayments } from "./payments.ts"
import { createPeopleMaker, type DemoGroup, demoGroups, employerDetailsOf, type PeopleMaker } from "./people.ts"
import { playRemittance } from "./remittance.ts"
import { playYear, runWaitingJobs } from "./year.ts"

export { demoPassword } from "./cast.ts"

export interface DemoScheme extends DemoGroup {
  groupId: string
  policyId: string
  /** Members who stay. */
  memberIds: string[]
  hr: UserActor
  hr2: UserActor
  signatory: UserActor
}

export interface DemoStage {
  app: App
  clock: SetClock
  /** Sets the clock to 09:00 in Johannesburg, unless it is later on that day. */
  on(day: Day): void
  /** Moves the clock on by some minutes, never past the working day or now. */
  passTime(): void
  as(actor: UserActor): Client
  chance: ReturnType<typeof createDice>
  people: PeopleMaker
  admin: UserActor
  manager: UserActor
  manager2: UserActor
  underwriter: UserActor
  benefits: Awaited<ReturnType<typeof createSampleBenefits>>
  schemes: DemoScheme[]
  post: PaperUploader
  /**
   * By policy and name. People of the same name share an account, because a different account would hold the payment.
   */
  payees: Map<string, SamplePayee>
  /** Dependents with a claim for their death. */
  deceased: Set<string>
  /** Bank lines for which the product has no record. */
  onlyAtBank: WrittenLine[]
}

const schemeAccounts = [
  { role: "admin", email: "admin@milkwood.example" },
  { role: "manager", email: "manager@milkwood.example" },
  { role: "underwriter", email: "underwriter@milkwood.example" },
  { role: "group_admin", email: `hr@${demoGroups[0]!.domain}` },
  { role: "policy_holder", email: `signatory@${demoGroups[0]!.domain}` },
]

/** The last employer created. Its entry in the immutable audit trail marks the seeding as complete. */
export const lastGroup = "Namaqua Copper"

/**
 * Seeds twelve months through the real commands with a simulated clock, unless already done. Throws if other data
 * exists (such as an interrupted seeding) or the ledger does not verify.
 */
export async function playDemo(
  real: App,
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
  say: (words: string) => void,
): Promise<typeof schemeAccounts> {
  const onWait = () => say("Another process plays the demo on this database; waiting for it...")
  await withClient(real.database.url("owner"), async (client) => {
    await waitForLock(client, demoLock, { onWait })
    const staff = real.database.direct("staff")
    const played = sql`select from audit_log where fact = 'GroupCreated' and record_label = ${lastGroup} limit 1`
    if (await staff.row(played)) return
    if (await staff.row(sql`select from users limit 1`))
      throw new StartRefusedError(
        databaseUrl
          ? "The database of DATABASE_URL holds something, but no demo that was played to its end. Give the demo an empty database, and set DATA_DIR to a folder of its own."
          : `The folder ${dataDir} holds something, but no demo that was played to its end. If it is a demo that was interrupted, delete the folder and start again; otherwise set DATA_DIR to another one.`,
      )
    // The seeding needs no durability: if interrupted, it starts over.
    const database = new Database(real.database.ownerUrl, { isHurried: true })
    try {
      await playDemoYear(real, database, say)
    } finally {
      await database.close()
    }
  })
  return schemeAccounts
}

async function playDemoYear(real: App, database: Database, say: (words: string) => void): Promise<void> {
  say("Playing twelve months of a company through. This takes about a minute...")
  const { today } = await real.moment()
  const months = Array.from({ length: 12 }, (_, place) => addMonths(firstOfMonth(today), place - 11))
  const stage = await openStage(real, database, addMonths(months[0]!, -1))

  for (const [index, group] of demoGroups.entries()) {
    stage.schemes.push(await openScheme(stage, group, months[0]!))
    say(`  ${String(index + 1).padStart(2)} of ${demoGroups.length}: ${group.name}, ${group.members} members`)
  }
  await playYear(stage, months, today, (diary) => {
    playCollection(stage, diary, months, today)
    playClaims(stage, diary, months.slice(-6), today)
    playPayments(stage, diary, months, today)
    playHeirs(stage, diary, today)
    playLetters(stage, diary, today)
    playBank(stage, diary, months.slice(-3), today)
    playMonthEnds(stage, diary, months.slice(-3, -1))
  })
  say("  Twelve premium runs and their receipts, promises, reminders and a write-off, and claims in every status")
  say("  Three months of the bank's statements, refunds, payment batches, and months that are closed")
  await runNightlyJobs(stage)
  await playRemittance(stage)
  await stage.post.close()

  const faults = await verifyLedger(real.database.direct("staff"))
  if (faults.length > 0) throw new Error(`the demo's books do not hold: ${faults.join(" ")}`)
  say("  The books hold: the ledger agrees with every invoice, receipt, claim and payment.")
  await prepareScheme(stage, today)
}

/** 09:00 and 17:00 in Johannesburg. */
const [dayStart, dayEnd] = ["07:00:00Z", "15:00:00Z"]
const timeOf = (clock: SetClock): string => clock.now().toString().slice(11)

async function openStage(real: App, database: Database, start: Day): Promise<DemoStage> {
  const clock = new SetClock(`${start}T07:00:00Z`)
  // No mail server, so the demo's past mails are never delivered.
  const { files, publicUrl } = real
  const log = real.log.child({}, { level: "warn" })
  const app = new App({ database, files, log, publicUrl, clock, reactions, jobs })
  const admin = await setUpInsurer(app)
  const insurer = (name: string, role: "manager" | "underwriter", local: string) =>
    createUser(app, admin, { name, role, email: `${local}@milkwood.example` })
  const chance = createDice(26_11_21)
  const setUpToNow = (instant: string) => {
    const now = real.clock.now().toString()
    clock.set(instant < now ? instant : now)
  }
  return {
    app,
    clock,
    on: (day) => {
      const isLater = clock.now().toString().slice(0, 10) === day && timeOf(clock) > dayStart
      if (!isLater) setUpToNow(`${day}T${dayStart}`)
    },
    passTime: () => {
      const day = clock.now().toString().slice(0, 10)
      const next = clock.now().add({ minutes: 35 }).toString()
      if (timeOf(clock) < dayEnd) setUpToNow(next < `${day}T${dayEnd}` ? next : `${day}T${dayEnd}`)
    },
    as: (actor) => clientOf(app, actor),
    chance,
    people: createPeopleMaker(chance),
    admin,
    manager: await insurer("Megan Jacobs", "manager", "manager"),
    manager2: await insurer("Sizwe Cele", "manager", "manager2"),
    underwriter: await insurer("Hendrik Venter", "underwriter", "underwriter"),
    benefits: await createSampleBenefits(clientOf(app, admin), coverOfDependents),
    schemes: [],
    payees: new Map(),
    deceased: new Set(),
    onlyAtBank: [],
    post: await openPaperUploader(app),
  }
}

/**
 * Death and disability benefits insure the member only. Funerals of children under 14 pay half of the member's cover,
 * and parents are not insured. Health benefits insure the family alike.
 */
function coverOfDependents(benefit: string, coverAmountCents: Cents): DependentCover[] | null {
  if (benefit === "Death benefit" || benefit === "Disability benefit") return []
  if (benefit !== "Funeral benefit") return null
  const amount = { salaryMultiple: null, percentage: 100, incidentLimitCents: null, yearLimitCents: null }
  return [
    { ...amount, insured: "spouse", ageFrom: 0, ageTo: null, amountCents: coverAmountCents },
    { ...amount, insured: "child", ageFrom: 0, ageTo: 13, amountCents: coverAmountCents / 2 },
    { ...amount, insured: "child", ageFrom: 14, ageTo: 20, amountCents: coverAmountCents },
  ]
}

/** Some employers lack the registration document. */
const paperTitlesOf = ({ product, name }: DemoGroup): string[] => [
  ...["Application form", "Policy contract", "Member schedule"],
  ...(name.startsWith("Garden") || name.startsWith("Limpopo") ? [] : ["Company registration"]),
  ...(product === "Group Life" ? ["Underwriting papers"] : []),
]

async function openScheme(stage: DemoStage, group: DemoGroup, startOn: Day): Promise<DemoScheme> {
  const manager = stage.as(stage.manager)
  const draft = await manager.policies.create({
    group: { kind: "new", name: group.name },
    description: `Staff scheme of ${group.name}`,
    productTypeId: stage.benefits.productTypes[group.product]!,
    coverageType: group.product === "Group Life" ? "life" : "health",
    premiumCents: group.premiumCents,
    sumAssuredCents: 500_000_00,
    waitingPeriodMonths: group.product === "Group Life" ? 0 : 1,
    startOn,
    endOn: null,
    contactName: group.office.hr,
    contactEmail: `hr@${group.domain}`,
    contactPhone: "0215550100",
    contactPosition: "HR manager",
  })
  const { id: policyId, groupId } = draft
  const { version } = await manager.employers.detail({ groupId })
  await manager.employers.update({ groupId, version, values: { name: group.name, ...employerDetailsOf(group) } })
  const person = (name: string, role: "group_admin" | "policy_holder", local: string) =>
    createUser(stage.app, stage.admin, { name, role, email: `${local}@${group.domain}`, groupIds: [groupId] })
  const hr = await person(group.office.hr, "group_admin", "hr")
  const hr2 = await person(group.office.hr2, "group_admin", "hr2")
  const signatory = await person(group.office.signatory, "policy_holder", "signatory")

  const scheme: DemoScheme = { ...group, groupId, policyId, memberIds: [], hr, hr2, signatory }
  for (let place = 0; place < group.members; place++) {
    const late = stage.chance.chance(0.12)
    await addNewMember(stage, scheme, late ? addMonths(startOn, stage.chance.between(1, 10)) : startOn)
  }
  const ready = await manager.policies.detail({ policyId })
  await stage.post.sendPolicyPapers(stage.manager, manager, ready, paperTitlesOf(group))
  await manager.policies.activate({ policyId, version: ready.version })
  return scheme
}

/** Nightly jobs, which start what is due by today. */
async function runNightlyJobs(stage: DemoStage): Promise<void> {
  const nightly = ["policies.daily", "ledger.releasePremium", "members.daily"]
  const begun = recurringJobs.filter(({ job }) => nightly.includes(job.kind))
  await queueRecurring(
    stage.app,
    begun.map((one) => ({ ...one, next: (now) => now })),
  )
  await runWaitingJobs(stage)
}

async function prepareScheme(stage: DemoStage, today: Day): Promise<void> {
  await stage.as(stage.manager).policies.create({
    group: { kind: "new", name: lastGroup },
    description: "Being quoted for",
    productTypeId: stage.benefits.productTypes["Group Life"]!,
    startOn: addMonths(firstOfMonth(today), 1),
    contactName: "Elna Cloete",
    contactEmail: "elna@namaquacopper.example",
  })
}
