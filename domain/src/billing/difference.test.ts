import { describe, expect, test } from "vitest"
import {
  applyStep,
  type History,
  historyMonths,
  instantAtStep,
  newHistory,
  type Step,
  someSteps,
} from "../../test/premium-histories.ts"
import { fc } from "../../test/property.ts"
import { addMonths, type Day } from "../kernel/calendar.ts"
import type { Instant } from "../kernel/dated-fact.ts"
import type { RateRow, RateTable } from "../policies/rates.ts"
import { calculateOwedPremium } from "../premiums/owed.ts"
import { type BilledDocument, type Cause, causesOf } from "./difference.ts"
import { causeSentence } from "./difference-words.ts"

class BillingModel {
  readonly history: History
  readonly billed = new Map<string, number>()
  readonly billedAt = new Map<Day, Instant>()
  readonly documents = new Map<string, BilledDocument[]>()

  constructor(history: History) {
    this.history = history
  }

  causes(month: Day, at: Instant): Cause[][] {
    return this.history.members.map((member, who) =>
      causesOf(
        this.history.policy,
        member,
        historyMonths
          .filter((one) => one <= month)
          .map((one) => ({
            month: one,
            billedCents: this.of(who, one),
            policyBilledAt: this.billedAt.get(one) ?? null,
            isBilled: this.documents.has(`${who} ${one}`),
            documents: this.documents.get(`${who} ${one}`) ?? [],
          })),
        at,
      ),
    )
  }

  /** Runs a month's billing; returns the number of member months billed or credited. */
  run(month: Day, at: Instant): number {
    let made = 0
    for (const [who, causes] of this.causes(month, at).entries())
      for (const cause of causes)
        for (const { month: one, cents } of cause.months) {
          made++
          this.add(who, one, cents, at)
        }
    return made
  }

  add(who: number, month: Day, cents: number, at: Instant): void {
    this.billed.set(`${who} ${month}`, this.of(who, month) + cents)
    if (!this.billedAt.has(month)) this.billedAt.set(month, at)
    const document = { kind: cents > 0 ? "invoice" : "creditNote", number: at, at, cents, by: null, run: null } as const
    this.documents.set(`${who} ${month}`, [...(this.documents.get(`${who} ${month}`) ?? []), document])
  }

  isBilled(who: number): boolean {
    return [...this.billed.keys()].some((key) => key.startsWith(`${who} `))
  }

  of(who: number, month: Day): number {
    return this.billed.get(`${who} ${month}`) ?? 0
  }
}

const step = someSteps.map((steps) => steps.map((one) => ({ record: one })))
const run = fc.constantFrom(...historyMonths).map((month) => [{ run: month }])
const manualActs = fc
  .record({
    who: fc.nat({ max: 3 }),
    month: fc.constantFrom(...historyMonths),
    cents: fc.integer({ min: -500_00, max: 500_00 }),
  })
  .map((hand) => [{ hand }])
type Act = { record: Step } | { run: Day } | { hand: { who: number; month: Day; cents: number } }
const acts = fc
  .array(fc.oneof<fc.Arbitrary<Act[]>[]>(step, run, run, manualActs), { maxLength: 8 })
  .map((all) => all.flat())

test("after any history, a run bills exactly what is owed and the next nothing", () => {
  fc.assert(
    fc.property(acts, (all) => {
      const books = new BillingModel(newHistory())
      for (const [index, act] of all.entries()) {
        const at = instantAtStep(index + 1)
        if ("record" in act) applyStep(books.history, act.record, at, (who) => books.isBilled(who))
        else if ("run" in act) books.run(act.run, at)
        else books.add(act.hand.who, act.hand.month, act.hand.cents, at)
      }
      const last = historyMonths.at(-1)!
      const at = instantAtStep(all.length + 1)
      books.run(last, at)
      for (const [who, member] of books.history.members.entries())
        for (const month of historyMonths) {
          const due = calculateOwedPremium(books.history.policy, member, month, at)
          if (due.cents !== null && !("nothing" in due && due.nothing === "before billed here from"))
            expect(books.of(who, month), `${who} ${month}`).toBe(due.cents)
        }
      expect(books.run(last, instantAtStep(all.length + 2))).toBe(0)
    }),
    { numRuns: Number(process.env.HISTORIES ?? 1_000) },
  )
}, 3_600_000)

describe("cause sentences", () => {
  const wording = { dateFormat: "YYYY-MM-DD", timezone: "Africa/Johannesburg", currency: "ZAR" } as const
  /** Bills month by month, applies steps at their instants, and returns the cause sentences. */
  function describeCauses(steps: { on: Instant; step: Step }[], until: Day = "2024-09-01"): string[] {
    const history = newHistory()
    const at = (day: Day): Instant => `${day}T08:00:00Z`
    applyStep(history, { step: "join", who: 0, on: "2024-01-01", tier: "tier-1" }, at("2024-01-01"))
    const books = new BillingModel(history)
    const left = [...steps]
    for (let month = "2024-01-01"; month <= until; month = addMonths(month, 1)) {
      books.run(month, at(month))
      const next = addMonths(month, 1)
      while (left[0] && left[0].on.slice(0, 10) < next) {
        const { on, step: one } = left.shift()!
        applyStep(history, one, on)
      }
    }
    const names = ["Thandi Mokoena", "Sipho Dlamini", "Ann Botha", "Ravi Naidoo"]
    return books
      .causes(until, at("2024-12-31"))
      .flatMap((causes, who) =>
        causes.map((cause) => causeSentence(cause, names[who]!, wording).replaceAll("\u00a0", " ")),
      )
  }
  const on = "2024-09-20T10:00:00Z"

  test.each<[string, Step[], string[]]>([
    [
      "who joined earlier than anybody knew",
      [{ step: "join", who: 1, on: "2024-08-01", tier: "tier-1" }],
      ["Sipho Dlamini joined on 2024-08-01, recorded 2024-09-20: August and September, 2 × R 350,00"],
    ],
    [
      "who left",
      [{ step: "leave", who: 0, on: "2024-06-30" }],
      ["Thandi Mokoena left on 2024-06-30, recorded 2024-09-20: July, August and September, 3 × -R 350,00"],
    ],
    [
      "who was suspended",
      [{ step: "suspend", who: 0, days: { from: "2024-07-15", until: "2024-08-20" } }],
      ["Thandi Mokoena was suspended on 2024-07-15, recorded 2024-09-20: August, -R 350,00"],
    ],
    [
      "a premium",
      [{ step: "premium", days: { from: "2024-08-01", until: null }, cents: 400_00 }],
      [
        "Thandi Mokoena: the premium changed from R 350,00 to R 400,00 on 2024-08-01, recorded 2024-09-20: August and September, 2 × R 50,00",
      ],
    ],
    [
      "a suspended policy",
      [{ step: "policySuspended", days: { from: "2024-08-10", until: null } }],
      ["Thandi Mokoena: the policy was suspended on 2024-08-10, recorded 2024-09-20: September, -R 350,00"],
    ],
    [
      "a policy that ended",
      [{ step: "policyEnds", on: "2024-08-31" }],
      ["Thandi Mokoena: the policy ended on 2024-08-31, recorded 2024-09-20: September, -R 350,00"],
    ],
  ])("%s", (_, steps, sentences) => expect(describeCauses(steps.map((one) => ({ on, step: one })))).toEqual(sentences))

  test("a withdrawn end is explained as continued cover, not as joining", () => {
    const steps: { on: Instant; step: Step }[] = [
      { on: "2024-01-01T09:00:00Z", step: { step: "join", who: 3, on: "2024-01-01", tier: "tier-1" } },
      { on: "2024-05-20T10:00:00Z", step: { step: "leave", who: 0, on: "2024-05-31" } },
      { on, step: { step: "join", who: 0, on: "2024-05-31", tier: "tier-1" } },
    ]
    expect(describeCauses(steps)).toEqual([
      "Thandi Mokoena stays covered after 2024-05-31, recorded 2024-09-20: June, July, August and September, 4 × R 350,00",
    ])
  })

  test("an earlier first billing month only adds months that are then owed", () => {
    const steps: { on: Instant; step: Step }[] = [
      { on: "2024-01-01T07:00:00Z", step: { step: "billedFrom", month: "2024-06-01" } },
      { on, step: { step: "billedFrom", month: "2024-05-01" } },
      { on: "2024-09-21T10:00:00Z", step: { step: "leave", who: 0, on: "2024-08-31" } },
    ]
    expect(describeCauses(steps)).toEqual([
      "Thandi Mokoena: May 2024, R 350,00",
      "Thandi Mokoena left on 2024-08-31, recorded 2024-09-21: September, -R 350,00",
    ])
    expect(describeCauses([{ on, step: { step: "billedFrom", month: "2024-03-01" } }])).toEqual([])
  })

  const row = (person: RateRow["person"], over: Partial<RateRow>): RateRow => ({
    ...{ person, tierId: null, ageFrom: null, ageUntil: null, cents: null, perMille: null },
    ...over,
  })
  const byHousehold: RateTable = {
    ...{ ageOn: "month", sumAssured: null },
    rows: [
      row("member", { tierId: "tier-2", cents: 500_00 }),
      row("member", { ageUntil: 29, cents: 200_00 }),
      row("member", { ageFrom: 30, cents: 400_00 }),
      row("spouse", { ageUntil: 29, cents: 100_00 }),
      row("spouse", { ageFrom: 30, cents: 150_00 }),
    ],
  }
  const bySalary: RateTable = {
    ...{ ageOn: "month", sumAssured: { kind: "salary", multiple: 10 } },
    rows: [row("member", { perMille: 1 })],
  }
  type DayRange = { from: Day; until: Day | null }
  const always: DayRange = { from: "2024-01-01", until: null }
  const rates = (table: RateTable, days: DayRange = always): Step => ({ step: "rates", days, table })
  // Member 0 of the test histories turns 14 in 2024.
  const spouse = (bornOn: Day | null, days: DayRange, which = 0): Step => ({
    ...{ step: "dependent", who: 0, which, relationship: "spouse", bornOn, days },
  })

  test.each<[string, Step[], Step, string]>([
    [
      "rates in place of a premium",
      [],
      rates(byHousehold, { from: "2024-08-01", until: null }),
      "Thandi Mokoena: the rates changed on 2024-08-01, recorded 2024-09-20: August and September, 2 × -R 150,00",
    ],
    [
      "another tier",
      [rates(byHousehold)],
      { step: "tier", who: 0, on: "2024-08-01", tier: "tier-2" },
      "Thandi Mokoena moved to another benefit tier on 2024-08-01, recorded 2024-09-20: August and September, 2 × R 300,00",
    ],
    [
      "a dependent who joined",
      [rates(byHousehold)],
      spouse("1980-01-01", { from: "2024-09-01", until: null }),
      "Thandi Mokoena: a spouse is covered from 2024-09-01, recorded 2024-09-20: September, R 150,00",
    ],
    [
      "a dependent who left",
      [rates(byHousehold), spouse("1980-01-01", always)],
      { step: "dependentEnds", who: 0, which: 0, on: "2024-07-31" },
      "Thandi Mokoena: a spouse is no longer covered after 2024-07-31, recorded 2024-09-20: August and September, 2 × -R 150,00",
    ],
    [
      "a dependent of whom something was put right",
      [rates(byHousehold), spouse("1980-01-01", always)],
      spouse("2000-01-01", { from: "2024-08-01", until: null }),
      "Thandi Mokoena: the details of a spouse were corrected, recorded 2024-09-20: August and September, 2 × -R 50,00",
    ],
    [
      "a date of birth",
      [rates(byHousehold)],
      { step: "born", who: 0, on: "1994-08-15" },
      "Thandi Mokoena: the date of birth was corrected, recorded 2024-09-20: September, R 200,00",
    ],
    [
      "a salary, which is not named",
      [rates(bySalary), { step: "salary", who: 0, on: "2024-01-01", cents: 20_000_00 }],
      { step: "salary", who: 0, on: "2024-08-01", cents: 21_000_00 },
      "Thandi Mokoena was re-rated on 2024-08-01, recorded 2024-09-20: August and September, 2 × R 10,00",
    ],
  ])("%s", (_, before, last, sentence) => {
    // Earlier steps are recorded in January and billed from February.
    const history = before.map((step, index) => ({ on: `2024-01-${10 + index}T08:00:00Z`, step }))
    expect(describeCauses([...history, { on, step: last }])).toEqual([sentence])
  })

  test("causes of one member are separate, in order of recording", () => {
    const steps: { on: Instant; step: Step }[] = [
      { on, step: { step: "premium", days: { from: "2024-07-01", until: "2024-07-31" }, cents: 300_00 } },
      { on: "2024-09-21T10:00:00Z", step: { step: "leave", who: 0, on: "2024-06-30" } },
    ]
    expect(describeCauses(steps)).toEqual([
      "Thandi Mokoena: the premium changed from R 350,00 to R 300,00 on 2024-07-01, recorded 2024-09-20: July, -R 50,00",
      "Thandi Mokoena left on 2024-06-30, recorded 2024-09-21: July, -R 300,00; August and September, 2 × -R 350,00",
    ])
  })

  test("under the by-days rule, an end within the month is explained as an end", () => {
    const always = { from: "2024-01-01", until: null }
    const steps: { on: Instant; step: Step }[] = [
      { on: "2024-01-02T10:00:00Z", step: { step: "endRule", days: always, rule: "by days" } },
      { on, step: { step: "leave", who: 0, on: "2024-09-10" } },
    ]
    expect(describeCauses(steps)).toEqual([
      "Thandi Mokoena left on 2024-09-10, recorded 2024-09-20: September, -R 233,33",
    ])
  })

  test.each<[string, Step[], Step, string]>([
    [
      "a return in the same month pays the days covered, not the whole month",
      [{ step: "leave", who: 0, on: "2024-09-02" }],
      { step: "join", who: 0, on: "2024-09-29", tier: "tier-1" },
      "Thandi Mokoena was reinstated on 2024-09-29, recorded 2024-09-20: September, R 23,34",
    ],
    [
      "two ends pay the days of both periods",
      [
        { step: "leave", who: 0, on: "2024-09-02" },
        { step: "join", who: 0, on: "2024-09-11", tier: "tier-1" },
      ],
      { step: "leave", who: 0, on: "2024-09-20" },
      "Thandi Mokoena left on 2024-09-20, recorded 2024-09-20: September, -R 116,67",
    ],
    [
      "a suspension within the month pays the other days",
      [],
      { step: "suspend", who: 0, days: { from: "2024-09-11", until: "2024-09-20" } },
      "Thandi Mokoena was suspended on 2024-09-11, recorded 2024-09-20: September, -R 116,67",
    ],
  ])("under the by-days rule, %s", (_, before, last, sentence) => {
    const rule: Step = { step: "endRule", days: { from: "2024-01-01", until: null }, rule: "by days" }
    const history = [rule, ...before].map((step, index) => ({ on: `2024-01-${10 + index}T08:00:00Z`, step }))
    expect(describeCauses([...history, { on, step: last }])).toEqual([sentence])
  })

  test("a tier change names both tiers if their names are known", () => {
    const tier = { id: "gold", beforeId: "standard", name: "Gold", beforeName: "Standard" }
    const cause: Cause = {
      ...{ kind: "tier", on: "2024-08-01", recordedAt: null, premium: null, tier },
      months: [{ month: "2024-08-01", cents: 50_00 }],
    }
    expect(causeSentence(cause, "Thandi Mokoena", wording).replaceAll("\u00a0", " ")).toBe(
      "Thandi Mokoena moved from Standard to Gold on 2024-08-01: August 2024, R 50,00",
    )
  })

  test("a manual document is named, and is separate from the month's other causes", () => {
    const history = newHistory()
    applyStep(history, { step: "join", who: 0, on: "2024-01-01", tier: "tier-1" }, "2024-01-01T08:00:00Z")
    const premium: Step = { step: "premium", days: { from: "2024-01-01", until: null }, cents: 400_00 }
    applyStep(history, premium, "2024-01-20T08:00:00Z")
    const document = { at: "2024-01-05T08:00:00Z", by: "Nomsa Radebe" }
    const invoice: BilledDocument = { ...document, kind: "invoice", number: "INV-1", cents: 350_00, run: "RUN-1" }
    const note: BilledDocument = { ...document, kind: "creditNote", number: "CN-1", cents: -100_00, run: null }
    const said = (documents: BilledDocument[]) => {
      const billedCents = documents.reduce((sum, { cents }) => sum + cents, 0)
      const month = { month: "2024-01-01", billedCents, policyBilledAt: document.at, isBilled: true, documents }
      const causes = causesOf(history.policy, history.members[0]!, [month], "2024-02-05T08:00:00Z")
      return causes.map((cause) => causeSentence(cause, "Thandi Mokoena", wording).replaceAll("\u00a0", " "))
    }
    const raised =
      "Thandi Mokoena: the premium changed from R 350,00 to R 400,00 on 2024-01-01, recorded 2024-01-20: January, R 50,00"
    const credited = "Thandi Mokoena was credited incorrectly by credit note CN-1 (created by Nomsa Radebe)"
    expect(said([invoice, note])).toEqual([`${credited}: January 2024, R 100,00`, raised])
    expect(said([invoice, { ...note, cents: -350_00 }])).toEqual([`${credited}: January 2024, R 350,00`, raised])
    expect(said([{ ...invoice, cents: 300_00, run: null }])).toEqual([
      "Thandi Mokoena was billed incorrectly on invoice INV-1 (created by Nomsa Radebe): January 2024, R 50,00",
      raised,
    ])
  })

  test("a member left out of an invoice is listed with invoice, run and user", () => {
    const history = newHistory()
    applyStep(history, { step: "join", who: 0, on: "2024-01-01", tier: "tier-1" }, "2024-01-01T08:00:00Z")
    const policyInvoice = { kind: "invoice", number: "INV-1", by: "Nomsa Radebe", run: "RUN-1" } as const
    const month = { month: "2024-01-01", billedCents: 0, policyBilledAt: "2024-01-05T08:00:00Z", policyInvoice }
    const [cause] = causesOf(history.policy, history.members[0]!, [month], "2024-02-05T08:00:00Z")
    expect(causeSentence(cause!, "Thandi Mokoena", wording).replaceAll("\u00a0", " ")).toBe(
      "Thandi Mokoena was left out of invoice INV-1 (run RUN-1, created by Nomsa Radebe), recorded 2024-01-01: January, R 350,00",
    )
  })

  test("manual billing is named as a cause; an unbilled month has none", () => {
    const history = newHistory()
    applyStep(history, { step: "join", who: 0, on: "2024-01-01", tier: "tier-1" }, "2024-01-01T08:00:00Z")
    const billed = (month: Day, billedCents: number, policyBilledAt: Instant | null) => ({
      month,
      billedCents,
      policyBilledAt,
    })
    const sentences = causesOf(
      history.policy,
      history.members[0]!,
      [
        billed("2024-01-01", 300_00, "2024-01-05T08:00:00Z"),
        billed("2024-02-01", 0, "2024-02-05T08:00:00Z"),
        billed("2024-03-01", 0, null),
      ],
      "2024-03-05T08:00:00Z",
    ).map((cause) => causeSentence(cause, "Thandi Mokoena", wording).replaceAll("\u00a0", " "))
    expect(sentences).toEqual([
      "Thandi Mokoena was billed incorrectly: January 2024, R 50,00",
      "Thandi Mokoena was left out, recorded 2024-01-01: February, R 350,00",
      "Thandi Mokoena: March 2024, R 350,00",
    ])
  })
})
