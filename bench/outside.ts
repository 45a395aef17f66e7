/* Independent calculation of the amounts owed, from docs/premiums.md alone; imports no product code. It records random
   histories through the REST API, runs billing, and compares `owedCents` per member and month, billed amounts and each
   policy's next invoice. Run with `npm run bench -- --deep=outside`.
   
   Arguments: server address, e-mail and password of an authorised user, number of histories, seed. */

const [server, email, password, count, seedText] = process.argv.slice(2) as [string, string, string, string, string]

// Seeded random numbers (mulberry32).
let state = Number(seedText)
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
const randomInteger = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
const pickRandom = <T>(from: readonly T[]): T => from[randomInteger(0, from.length - 1)]!
const isOneIn = (of: number) => random() < of

type Day = string
const utcDateOf = (day: Day) => new Date(`${day}T00:00:00Z`)
const isoDayOf = (date: Date): Day => date.toISOString().slice(0, 10)
const plusDays = (day: Day, days: number) => isoDayOf(new Date(utcDateOf(day).getTime() + days * 86_400_000))
const nextMonth = (month: Day): Day =>
  isoDayOf(new Date(Date.UTC(utcDateOf(month).getUTCFullYear(), utcDateOf(month).getUTCMonth() + 1)))
const firstDayOfMonth = (day: Day): Day => `${day.slice(0, 7)}-01`
const daysOf = (month: Day): Day[] => {
  const days: Day[] = []
  for (let day = month; day < nextMonth(month); day = plusDays(day, 1)) days.push(day)
  return days
}

interface DatedValue<T> {
  from: Day
  value: T
}
const valueOn = <T>(changes: readonly DatedValue<T>[], day: Day): T | undefined =>
  changes
    .filter(({ from }) => from <= day)
    .sort((a, b) => (a.from < b.from ? -1 : 1))
    .at(-1)?.value
function recordChange<T>(changes: DatedValue<T>[], change: DatedValue<T>, replacesLater: boolean): void {
  const kept = changes.filter(({ from }) => from !== change.from && !(replacesLater && from > change.from))
  changes.splice(0, changes.length, ...kept, change)
}

interface Row {
  person: "member" | "spouse" | "child" | "parent" | "other" | "family"
  tierId: string | null
  ageFrom: number | null
  ageUntil: number | null
  cents: number | null
  perMille: number | null
}
interface Table {
  ageOn: "month" | "anniversary"
  sumAssured:
    | { kind: "fixed"; cents: number }
    | { kind: "tier"; sums: { tierId: string; cents: number }[] }
    | { kind: "salary"; multiple: number }
    | null
  rows: Row[]
}
type Price = { cents: number } | { table: Table }

interface Dependent {
  relationship: Row["person"]
  born: Day
  fromOn: Day
  untilOn: Day | null
}
interface Member {
  id: string
  born: Day
  /** Both days inclusive. */
  periods: { from: Day; until: Day | null }[]
  tiers: DatedValue<string>[]
  suspended: DatedValue<boolean>[]
  salaries: DatedValue<number | null>[]
  dependents: Dependent[]
}
interface Policy {
  id: string
  startOn: Day
  endOn: Day | null
  billedFrom: Day
  prices: DatedValue<Price>[]
  rules: DatedValue<"whole" | "days">[]
  suspended: DatedValue<boolean>[]
  members: Member[]
}

const isMember = (member: Member, day: Day) =>
  member.periods.some(({ from, until }) => from <= day && (until === null || day <= until))

function isCoverCounted(policy: Policy, member: Member, day: Day): boolean {
  const inForce = policy.startOn <= day && (policy.endOn === null || day <= policy.endOn)
  return inForce && isMember(member, day) && !valueOn(policy.suspended, day) && !valueOn(member.suspended, day)
}

const roundHalfAway = (amount: number) => Math.sign(amount) * Math.floor(Math.abs(amount) + 0.5 + 1e-9)

function premiumOwed(policy: Policy, member: Member, month: Day): number | null {
  if (month < policy.billedFrom) return 0
  if (!isCoverCounted(policy, member, month)) return 0
  const premium = premiumOf(policy, member, month)
  if (premium === null || valueOn(policy.rules, month) === "whole") return premium
  const days = daysOf(month)
  const covered = days.filter((day) => isCoverCounted(policy, member, day))
  return roundHalfAway((premium * covered.length) / days.length)
}

function premiumOf(policy: Policy, member: Member, month: Day): number | null {
  const price = valueOn(policy.prices, month)
  if (price === undefined) return null
  if ("cents" in price) return price.cents
  const { table } = price
  const tier = valueOn(member.tiers, month)
  if (tier === undefined) return null
  const agesOn = table.ageOn === "month" ? month : anniversary(policy.startOn, month)
  const rowOf = (person: Row["person"], born: Day) => {
    const age = yearsOf(born, agesOn)
    const own = table.rows.filter((row) => row.person === person && row.tierId === tier)
    const rows = own.length > 0 ? own : table.rows.filter((row) => row.person === person && row.tierId === null)
    return rows.find(({ ageFrom, ageUntil }) => (ageFrom ?? 0) <= age && age <= (ageUntil ?? 999))
  }
  const own = rowOf("member", member.born)
  if (!own) return null
  let sum: number
  if (own.cents !== null) sum = own.cents
  else {
    const insured = sumAssured(table, member, tier, month)
    if (insured === null) return null
    sum = roundHalfAway((insured * own.perMille!) / 1_000)
  }
  const family = member.dependents.filter(
    ({ fromOn, untilOn }) => fromOn <= month && (untilOn === null || month <= untilOn),
  )
  const rated = table.rows.some(({ person }) => person !== "member")
  if (!rated || family.length === 0) return sum
  if (table.rows.some(({ person }) => person === "family")) {
    const row = rowOf("family", member.born)
    return row ? sum + row.cents! : null
  }
  for (const { relationship, born } of family) {
    const row = rowOf(relationship, born)
    if (!row) return null
    sum += row.cents!
  }
  return sum
}

function sumAssured({ sumAssured: sum }: Table, member: Member, tier: string, month: Day): number | null {
  if (sum === null) return null
  if (sum.kind === "fixed") return sum.cents
  if (sum.kind === "tier") return sum.sums.find(({ tierId }) => tierId === tier)?.cents ?? null
  const salary = valueOn(member.salaries, month) ?? null
  return salary === null ? null : salary * sum.multiple
}

function yearsOf(born: Day, on: Day): number {
  const years = Number(on.slice(0, 4)) - Number(born.slice(0, 4))
  return on.slice(5) < born.slice(5) ? years - 1 : years
}

function anniversary(startOn: Day, month: Day): Day {
  const year = Number(month.slice(0, 4))
  const of = (which: number) => `${which}${startOn.slice(4)}`
  return of(year) <= month ? of(year) : of(year - 1)
}

let cookie = ""
class RequestRefused extends Error {
  readonly status: number
  constructor(status: number, what: string) {
    super(what)
    this.status = status
  }
}
// biome-ignore lint/suspicious/noExplicitAny: This file has no types for the server's answers.
async function callApi(method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${server}/api/v1${path}`, {
    method,
    headers: { ...(body && { "content-type": "application/json" }), cookie },
    ...(body && { body: JSON.stringify(body) }),
  })
  const set = answer.headers.getSetCookie()
  if (set.length > 0) cookie = set.map((one) => one.split(";")[0]).join("; ")
  const said = await answer.text()
  if (!answer.ok) throw new RequestRefused(answer.status, `${method} ${path}: ${answer.status} ${said.slice(0, 500)}`)
  return JSON.parse(said)
}

await callApi("POST", "/users/token", { email, password })
const { today } = (await callApi("GET", "/settings/display")) as { today: Day }
const { tiers, productTypes } = await callApi("GET", "/benefits/choices")
const tierIds: string[] = tiers.slice(0, 2).map(({ id }: { id: string }) => id)
const earliestDay = plusDays(firstDayOfMonth(today), -300)
const latestDay = plusDays(today, 25)

function randomDay(from: Day = earliestDay): Day {
  const day = plusDays(
    from,
    randomInteger(0, Math.max(1, (utcDateOf(latestDay).getTime() - utcDateOf(from).getTime()) / 86_400_000)),
  )
  if (isOneIn(0.3)) return firstDayOfMonth(day) < from ? day : firstDayOfMonth(day)
  return day
}

function createRateTable(): Table {
  const tiered = isOneIn(0.4)
  const bands: [number | null, number | null][] = isOneIn(0.5)
    ? [[null, null]]
    : [
        [null, 34],
        [35, isOneIn(0.8) ? null : 50],
      ]
  const sum = pickRandom<Table["sumAssured"]>([
    null,
    { kind: "fixed", cents: randomInteger(1, 50_000_000) },
    { kind: "tier", sums: tierIds.map((tierId) => ({ tierId, cents: randomInteger(1, 50_000_000) })) },
    { kind: "salary", multiple: randomInteger(1, 600) / 100 },
  ])
  const rows = (person: Row["person"], ofTiers: (string | null)[], of: [number | null, number | null][]): Row[] =>
    ofTiers.flatMap((tierId) =>
      of.map(([ageFrom, ageUntil]) => {
        const perMille = person === "member" && sum !== null ? randomInteger(1, 400_000) / 10_000 : null
        return {
          person,
          tierId,
          ageFrom,
          ageUntil,
          perMille,
          cents: perMille === null ? randomInteger(0, 90_000) : null,
        }
      }),
    )
  const others = pickRandom<Row[]>([
    [],
    rows("family", [null], [[null, null]]),
    [...rows("spouse", [null], bands), ...rows("child", [null], [[null, 25]])],
  ])
  const ageOn = pickRandom(["month", "anniversary"] as const)
  return { ageOn, sumAssured: sum, rows: [...rows("member", tiered ? [tierIds[0]!, null] : [null], bands), ...others] }
}

const idNumbers = new Set<string>()
function createIdNumber(born: Day): string {
  for (;;) {
    const digits = `${born.replaceAll("-", "").slice(2)}${String(randomInteger(0, 9_999)).padStart(4, "0")}08`
    const sum = [...digits].reduce((total, digit, place) => {
      const twice = Number(digit) * (place % 2 === 0 ? 1 : 2)
      return total + (twice > 9 ? twice - 9 : twice)
    }, 0)
    const number = `${digits}${(10 - (sum % 10)) % 10}`
    if (idNumbers.has(number)) continue
    idNumbers.add(number)
    return number
  }
}

const randomBirthDay = (years: [number, number]) =>
  plusDays(`${Number(today.slice(0, 4)) - randomInteger(...years)}-01-01`, randomInteger(0, 364))

async function addMember(policyId: string, startOn: Day, nth: string): Promise<Member> {
  const born = randomBirthDay([20, 60])
  const tierId = pickRandom(tierIds)
  const monthlyCents = isOneIn(0.8) ? randomInteger(100_000, 9_000_000) : null
  const { id } = await callApi("POST", "/members", {
    ...{ policyId, tierId, startOn, monthlyCents },
    personal: {
      ...{ firstName: `Member${nth}`, lastName: "Outside", idNumber: createIdNumber(born), passportNumber: null },
      ...{ dateOfBirth: null, gender: null },
    },
    contact: { email: `member${nth}@outside.example`, phone: "0215550100", address: "1 Long Street" },
    employment: { employmentStatus: "employed", employer: "", jobTitle: "Clerk" },
  })
  return {
    ...{ id, born, suspended: [], dependents: [] },
    periods: [{ from: startOn, until: null }],
    tiers: [{ from: startOn, value: tierId }],
    salaries: [{ from: startOn, value: monthlyCents }],
  }
}

async function createActivePolicy(nth: number): Promise<Policy> {
  const startOn =
    randomDay(earliestDay) > today ? earliestDay : isOneIn(0.5) ? firstDayOfMonth(randomDay(earliestDay)) : earliestDay
  const premiumCents = randomInteger(1, 99_999)
  const byDays = isOneIn(0.4)
  const billedFrom = isOneIn(0.3) ? firstDayOfMonth(plusDays(startOn, randomInteger(0, 90))) : null
  const draft = await callApi("POST", "/policies", {
    group: { kind: "new", name: `Outside ${seedText} ${nth}` },
    ...{ description: "", productTypeId: productTypes[0].id, startOn, endOn: null, coverageType: "life" },
    ...{ premiumCents, sumAssuredCents: 100_000_000, waitingPeriodMonths: 0 },
    ...{ billedFromOn: billedFrom, endRule: byDays ? "by days" : "whole month", dueDays: 30 },
    ...{ contactName: "Thandi Mokoena", contactEmail: "hr@outside.example", contactPhone: "0215550100" },
    ...{ contactPosition: "HR manager" },
  })
  const table = isOneIn(0.5) ? createRateTable() : null
  let { version } = draft
  if (table) version = (await callApi("PUT", `/policies/${draft.id}/rates`, { version, rates: table })).version
  const members = [await addMember(draft.id, startOn, `${nth}-0`)]
  await callApi("POST", `/policies/${draft.id}/activate`, { version }).catch(async (error: RequestRefused) => {
    if (error.status !== 409) throw error
    const saved = await callApi("PUT", `/policies/${draft.id}/rates`, { version, rates: null })
    await callApi("POST", `/policies/${draft.id}/activate`, { version: saved.version })
    table?.rows.splice(0)
  })
  const isRated = table !== null && table.rows.length > 0
  return {
    ...{ id: draft.id, startOn, endOn: null, billedFrom: billedFrom ?? firstDayOfMonth(startOn), members },
    prices: [{ from: startOn, value: isRated ? { table } : { cents: premiumCents } }],
    rules: [{ from: startOn, value: byDays ? "days" : "whole" }],
    suspended: [],
  }
}

const reason = "As the employer wrote"

type Step = (policy: Policy, member: Member, nth: string) => Promise<void>
const randomLaterChanges = () => {
  const replaces = isOneIn(0.3)
  return { replaces, laterChanges: replaces ? "replace" : "keep" }
}
const versionOf = async (member: Member): Promise<number> => (await callApi("GET", `/members/${member.id}`)).version
const steps: Record<string, Step> = {
  async join(policy, _, nth) {
    policy.members.push(await addMember(policy.id, randomDay(policy.startOn), nth))
  },
  async leave(_, member) {
    const on = randomDay(member.periods.at(-1)!.from)
    await callApi("POST", `/members/${member.id}/terminate`, { version: await versionOf(member), on, reason })
    member.periods.at(-1)!.until = on
  },
  async rejoin(_, member) {
    const last = member.periods.at(-1)!
    if (last.until === null) return
    const on = randomDay(plusDays(last.until, 1))
    if (on <= last.until) return
    const { laterChanges } = randomLaterChanges()
    await callApi("POST", `/members/${member.id}/reinstate`, {
      version: await versionOf(member),
      on,
      reason,
      laterChanges,
    })
    const held = valueOn(member.tiers, last.until)!
    member.tiers = [...member.tiers.filter(({ from }) => from <= last.until!), { from: on, value: held }]
    member.suspended = member.suspended.filter(({ from }) => from <= last.until!)
    recordChange(member.suspended, { from: on, value: false }, false)
    member.periods.push({ from: on, until: null })
  },
  async suspend(_, member) {
    if (member.periods.at(-1)!.until !== null) return
    const [on, { replaces, laterChanges }] = [randomDay(member.periods.at(-1)!.from), randomLaterChanges()]
    await callApi("POST", `/members/${member.id}/suspend`, {
      version: await versionOf(member),
      on,
      reason,
      laterChanges,
    })
    recordChange(member.suspended, { from: on, value: true }, replaces)
  },
  async reinstate(_, member) {
    if (member.periods.at(-1)!.until !== null || !member.suspended.some(({ value }) => value)) return
    const [on, { replaces, laterChanges }] = [randomDay(member.periods.at(-1)!.from), randomLaterChanges()]
    await callApi("POST", `/members/${member.id}/reinstate`, {
      version: await versionOf(member),
      on,
      reason,
      laterChanges,
    })
    recordChange(member.suspended, { from: on, value: false }, replaces)
  },
  async tier(_, member) {
    if (member.periods.at(-1)!.until !== null) return
    const [on, { replaces, laterChanges }] = [randomDay(member.periods.at(-1)!.from), randomLaterChanges()]
    const tierId = pickRandom(tierIds)
    await callApi("POST", `/members/${member.id}/tier`, {
      version: await versionOf(member),
      on,
      tierId,
      reason,
      laterChanges,
    })
    recordChange(member.tiers, { from: on, value: tierId }, replaces)
  },
  async salary(_, member) {
    const [on, { replaces, laterChanges }] = [randomDay(member.periods[0]!.from), randomLaterChanges()]
    const monthlyCents = randomInteger(100_000, 9_000_000)
    await callApi("POST", `/members/${member.id}/salary`, {
      version: await versionOf(member),
      on,
      monthlyCents,
      laterChanges,
    })
    recordChange(member.salaries, { from: on, value: monthlyCents }, replaces)
  },
  async dependent(_, member) {
    const { dependents, version } = await callApi("GET", `/members/${member.id}`)
    const fromOn = randomDay(member.periods[0]!.from)
    const untilOn = isOneIn(0.4) ? plusDays(fromOn, randomInteger(0, 120)) : null
    const relationship = pickRandom(["spouse", "child", "parent"] as const)
    const born = randomBirthDay(relationship === "child" ? [1, 30] : relationship === "spouse" ? [20, 60] : [62, 90])
    const added = {
      firstName: "Dependent",
      lastName: "Outside",
      idNumber: createIdNumber(born),
      relationship,
      dateOfBirth: null,
    }
    await callApi("PATCH", `/members/${member.id}`, {
      version,
      dependents: [...dependents.map(pickSentFields), { ...added, gender: null, fromOn, untilOn }],
    })
    member.dependents.push({ relationship, born, fromOn, untilOn })
  },
  async premium(policy) {
    const [from, { replaces, laterChanges }] = [randomDay(policy.startOn), randomLaterChanges()]
    const { coverage, version } = await callApi("GET", `/policies/${policy.id}`)
    if ("table" in (valueOn(policy.prices, today) ?? {})) return
    const premiumCents = randomInteger(1, 99_999)
    await callApi("PATCH", `/policies/${policy.id}`, {
      version,
      change: { section: "coverage", values: { ...coverage, premiumCents, premiumFromOn: from, laterChanges } },
    })
    recordChange(policy.prices, { from, value: { cents: premiumCents } }, replaces)
  },
  async rates(policy) {
    const [fromOn, { replaces, laterChanges }, table] = [
      randomDay(policy.startOn),
      randomLaterChanges(),
      createRateTable(),
    ]
    const { version } = await callApi("GET", `/policies/${policy.id}`)
    await callApi("PUT", `/policies/${policy.id}/rates`, { version, rates: table, fromOn, laterChanges })
    recordChange(policy.prices, { from: fromOn, value: { table } }, replaces)
  },
  async rule(policy) {
    const [from, { replaces, laterChanges }, byDays] = [randomDay(policy.startOn), randomLaterChanges(), isOneIn(0.5)]
    const { terms, version } = await callApi("GET", `/policies/${policy.id}`)
    await callApi("PATCH", `/policies/${policy.id}`, {
      version,
      change: {
        section: "terms",
        values: { ...terms, endRule: byDays ? "by days" : "whole month", endRuleFromOn: from, laterChanges },
      },
    })
    recordChange(policy.rules, { from, value: byDays ? "days" : "whole" }, replaces)
  },
}

const sentFields = [
  "id",
  "firstName",
  "lastName",
  "idNumber",
  "relationship",
  "dateOfBirth",
  "gender",
  "fromOn",
  "untilOn",
]
const pickSentFields = (dependent: Record<string, unknown>) =>
  Object.fromEntries(sentFields.map((field) => [field, dependent[field]]))

const policyEndings: ((policy: Policy) => Promise<void>)[] = [
  async (policy) => {
    const { version } = await callApi("GET", `/policies/${policy.id}`)
    await callApi("POST", `/policies/${policy.id}/suspend`, { version, reason })
    recordChange(policy.suspended, { from: today, value: true }, true)
  },
  async (policy) => {
    const on = randomDay(policy.startOn)
    const { version } = await callApi("GET", `/policies/${policy.id}`)
    await callApi("POST", `/policies/${policy.id}/terminate`, { version, on, reason })
    policy.endOn = on
  },
]

const taken = new Map<string, number>()
const refusedStepCounts = new Map<string, number>()
async function attempt(name: string, step: () => Promise<void>): Promise<boolean> {
  try {
    await step()
    taken.set(name, (taken.get(name) ?? 0) + 1)
    return true
  } catch (error) {
    if (!(error instanceof RequestRefused) || ![409, 422].includes(error.status)) throw error
    refusedStepCounts.set(name, (refusedStepCounts.get(name) ?? 0) + 1)
    return false
  }
}

let comparedMonthCount = 0
let ratedMonthCount = 0
let unratedMonthCount = 0
const faults: string[] = []

interface PolicyHistory {
  policy: Policy
  nth: number
  story: string[]
}

async function compare({ policy, nth, story }: PolicyHistory, isBilled: boolean): Promise<void> {
  const { next } = await callApi("GET", `/invoices/next?policyId=${policy.id}`)
  const told = (what: string) => {
    if (faults.length === 0) console.error(`The story of history ${nth}:\n  ${story.join("\n  ")}`)
    faults.push(`history ${nth}, ${what}`)
  }
  let open = 0
  let withoutPremium = 0
  for (const [place, member] of policy.members.entries()) {
    const { months } = await callApi("GET", `/invoices/member-months?memberId=${member.id}`)
    type ReportedMonth = { month: string; owedCents: number | null; billedCents: number }
    const said = new Map<Day, ReportedMonth>(months.map((one: ReportedMonth) => [`${one.month.slice(0, 7)}-01`, one]))
    const last = next ? `${next.month.slice(0, 7)}-01` : firstDayOfMonth(today)
    for (let month = firstDayOfMonth(earliestDay); month <= last; month = nextMonth(month)) {
      const { owedCents: theirs, billedCents } = said.get(month) ?? { owedCents: 0, billedCents: 0 }
      const ours = premiumOwed(policy, member, month)
      comparedMonthCount++
      if (ours === null) withoutPremium++
      else open += ours - billedCents
      if (ours !== null && ours !== 0 && "table" in (valueOn(policy.prices, month) ?? {})) ratedMonthCount++
      if (theirs !== ours) told(`member ${place}, ${month}: the API says ${theirs} is owed, the documentation ${ours}`)
      if (isBilled && ours !== null && month <= today && billedCents !== ours)
        told(`member ${place}, ${month}: ${billedCents} is billed, and ${ours} owed`)
    }
  }
  unratedMonthCount += withoutPremium
  if (next && withoutPremium === 0 && next.monthCents + next.adjustmentsCents !== open)
    told(`the next invoice is ${next.monthCents} and ${next.adjustmentsCents}, owed less billed is ${open}`)
}

async function runBilling(policies: Policy[]): Promise<Set<string>> {
  const key = () => ({ idempotencyKey: crypto.randomUUID() })
  const policyIds = policies.map(({ id }) => id)
  let run = await callApi("POST", "/billing-runs", { ...key(), month: today.slice(0, 7), policyIds })
  const until = async (...states: string[]) => {
    while (!states.includes(run.status)) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      run = await callApi("GET", `/billing-runs/${run.id}`)
    }
  }
  await until("previewed")
  if (run.counts.waiting > 0) {
    run = await callApi("POST", `/billing-runs/${run.id}/make`, { ...key(), version: run.version, outcome: "draft" })
    await until("made")
  }
  const parked = new Set<string>()
  for (let page = 1; ; page++) {
    const { rows } = await callApi("GET", `/billing-runs/policies?runId=${run.id}&pageSize=100&page=${page}`)
    for (const { policyId, state } of rows) if (state === "parked") parked.add(policyId)
    if (rows.length < 100) return parked
  }
}

async function takeRandomSteps({ policy, nth, story }: PolicyHistory, first: number, count: number): Promise<void> {
  for (let step = first; step < first + count; step++) {
    const name = pickRandom(Object.keys(steps))
    const place = randomInteger(0, policy.members.length - 1)
    if (await attempt(name, () => steps[name]!(policy, policy.members[place]!, `${nth}-${step}`)))
      story.push(`${name} of member ${place}: ${JSON.stringify(policy.members.at(name === "join" ? -1 : place))}`)
  }
  story.push(JSON.stringify({ ...policy, members: undefined }))
}

const policyHistories: PolicyHistory[] = []
for (let historyIndex = 0; historyIndex < Number(count); historyIndex++) {
  const policy = await createActivePolicy(historyIndex)
  const told: PolicyHistory = { policy, nth: historyIndex, story: [JSON.stringify({ ...policy, members: undefined })] }
  policyHistories.push(told)
  await takeRandomSteps(told, 1, 8)
}
const parked = await runBilling(policyHistories.map(({ policy }) => policy))
for (const told of policyHistories) await compare(told, !parked.has(told.policy.id))
for (const told of policyHistories) {
  await takeRandomSteps(told, 9, 4)
  if (isOneIn(0.3)) await attempt("end of the policy", () => pickRandom(policyEndings)(told.policy))
  await compare(told, false)
}

const formatCounts = (counts: Map<string, number>) => [...counts].map(([name, times]) => `${name} ${times}`).join(", ")
console.log(
  `${count} histories, ${comparedMonthCount} member months, ${ratedMonthCount} by rates, ${unratedMonthCount} that no premium covers`,
)
console.log(
  `recorded: ${formatCounts(taken)}\nrefused: ${formatCounts(refusedStepCounts)}\npolicies that could not be billed: ${parked.size}`,
)
for (const fault of faults.slice(0, 20)) console.error(fault)
if (faults.length > 0) {
  console.error(`${faults.length} differ, seed ${seedText}`)
  process.exitCode = 1
}
