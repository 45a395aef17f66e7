import { addDays, addMonths, type Day, daysBetween, firstOfMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { expect, test } from "vitest"
import {
  createFigureReader,
  type DemoCompany,
  dayOf,
  listAllRows,
  mapInSequence,
  type ReportRow,
  sortedJson,
  sumByKey,
  sumOf,
} from "./house-says.ts"

/** Compares report totals with the ledger and the modules' own lists. */
export function testPeopleFigures(house: () => DemoCompany): void {
  const { atEnd, balances, claimsOf, membersOf } = createFigureReader(house)

  test("movements and the member register", async () => {
    const { client, onScreen, today } = house()
    const members = await membersOf()
    const movements = await onScreen("movements")
    const of = (kind: string) => movements.rows.filter(({ movement }) => movement === kind)
    const people = (rows: readonly ReportRow[]) => sortedJson(rows.map((row) => [row.memberNumber, row.on]))
    expect(people(of("joiner"))).toEqual(sortedJson(members.map(({ number, startOn }) => [number, startOn])))
    const gone = members.filter(({ endOn }) => endOn !== null)
    expect(people(of("leaver"))).toEqual(sortedJson(gone.map(({ number, endOn }) => [number, addDays(endOn!, 1)])))
    expect(of("suspended").length).toBeGreaterThan(of("resumed").length)
    expect(of("tier_change").length).toBeGreaterThan(0)
    const month = await onScreen("movements", { movement: "joiner" })
    const joined = members.filter(({ startOn }) => firstOfMonth(startOn) === firstOfMonth(today))
    expect(people(month.rows)).toEqual(sortedJson(joined.map(({ number, startOn }) => [number, startOn])))

    const register = await onScreen("member_register")
    // Members are covered on their last day, although already terminated.
    const now = members.filter(({ startOn, endOn }) => startOn <= today && (endOn === null || endOn >= today))
    for (const { status, endOn } of now) expect(status === "Terminated").toBe(endOn === today)
    expect(
      sortedJson(
        register.rows.map((row) => [
          row.number,
          row.name,
          row.idNumber,
          row.groupName,
          row.policyNumber,
          row.tier,
          row.startOn,
          row.dependents,
          row.premiumCents,
        ]),
      ),
    ).toEqual(
      sortedJson(
        now.map((row) => [
          ...[row.number, `${row.firstName} ${row.lastName}`, row.idNumber, row.groupName, row.policyNumber],
          ...[row.tierName, row.startOn, row.dependents, row.status === "Suspended" ? 0 : row.premiumCents],
        ]),
      ),
    )
    expect(sortedJson(register.rows.filter(({ cover }) => cover === "suspended").map(({ number }) => number))).toEqual(
      sortedJson(now.filter(({ status }) => status === "Suspended").map(({ number }) => number)),
    )
    const until = await onScreen("movements", { from: addMonths(today, -24), to: today })
    const covered = register.rows.filter(({ cover }) => cover === "covered").length
    expect([until.sums.joined, (await onScreen("scheme_portfolio")).sums.members]).toEqual([covered, covered])
    const asOf = addMonths(today, -6)
    const then = await onScreen("member_register", { asOf })
    const were = members.filter(({ startOn, endOn }) => startOn <= asOf && (endOn === null || endOn >= asOf))
    expect(sortedJson(then.rows.map(({ number }) => number))).toEqual(sortedJson(were.map(({ number }) => number)))
    expect((await client.members.list({ status: "Suspended" })).total).toBe(now.length - covered)
  })

  test("families, ages and doubtful data", async () => {
    const { client, onScreen, today } = house()
    const register = await onScreen("member_register")
    const families = await onScreen("dependents")
    const alive = register.rows.filter(({ cover }) => cover === "covered")
    expect(
      sumByKey(
        families.rows,
        ({ memberNumber }) => memberNumber!,
        () => 1,
      ),
    ).toEqual(
      sumByKey(
        alive,
        ({ number }) => number!,
        ({ dependents }) => dependents,
      ),
    )
    const [school, weavers] = ["Magaliesberg Schools Trust", "=cmd() Weavers"]
    const ofTwo = ({ groupName }: ReportRow) => groupName === school || groupName === weavers
    const details = await mapInSequence(alive.filter(ofTwo), ({ id }) => client.members.detail({ memberId: id }))
    const known = families.rows.filter(ofTwo)
    expect(
      sortedJson(known.map((row) => [row.memberNumber, row.name, row.relationship, row.dateOfBirth, row.fromOn])),
    ).toEqual(
      sortedJson(
        details.flatMap(({ number, dependents }) =>
          dependents
            .filter(({ fromOn, untilOn }) => fromOn <= today && (untilOn === null || untilOn >= today))
            .map((one) => [number, `${one.firstName} ${one.lastName}`, one.relationship, one.dateOfBirth, one.fromOn]),
        ),
      ),
    )
    expect(families.rows.map(({ age }) => age)).toContain(6)

    const ages = await onScreen("ages_and_lives")
    const ageOf = (born: Day) =>
      Number(today.slice(0, 4)) - Number(born.slice(0, 4)) - (today.slice(5) < born.slice(5) ? 1 : 0)
    const bandOf = (born: Day | null) => {
      if (born === null) return "Not known"
      const first = [25, 35, 45, 55, 65].findIndex((age) => ageOf(born) < age)
      return ["Under 25", "25 to 34", "35 to 44", "45 to 54", "55 to 64", "65 and over"].at(first)
    }
    const lineOf = ({ dateOfBirth, gender, tier }: ReportRow) => `${bandOf(dateOfBirth!)} ${gender} ${tier}`
    const linesOf = ({ rows }: typeof ages) =>
      rows.map(({ band, gender, tier, lives }) => [`${band} ${gender} ${tier}`, lives])
    const livesOf = (people: readonly ReportRow[]) => sortedJson(Object.entries(sumByKey(people, lineOf, () => 1)))
    expect(sortedJson(linesOf(ages))).toEqual(livesOf(alive))
    const policies = await listAllRows((place) => client.policies.list({ ...place, status: "Active" }))
    const { groupId } = policies.find(({ groupName }) => groupName === school)!
    const ofSchool = alive.filter(({ groupName }) => groupName === school)
    expect(sortedJson(linesOf(await onScreen("ages_and_lives", { groupId })))).toEqual(livesOf(ofSchool))
    const yearsOf = sumOf(ages.rows, ({ lives, averageAge }) => lives! * averageAge!)
    expect(Math.abs(yearsOf - sumOf(alive, ({ dateOfBirth }) => ageOf(dateOfBirth!)))).toBeLessThan(
      0.05 * alive.length + 1,
    )
    const insured = await mapInSequence(policies, ({ id: policyId }) => client.policies.detail({ policyId }))
    const assured = Object.fromEntries(insured.map(({ number, coverage }) => [number, coverage.sumAssuredCents]))
    expect(ages.sums.insuredCents).toBe(sumOf(alive, ({ policyNumber }) => assured[policyNumber!]))

    const doubtful = await onScreen("doubtful_data")
    const of = (kind: string) => doubtful.rows.filter(({ problem }) => problem === kind)
    const incomplete = await listAllRows((place) => client.members.list({ ...place, toComplete: true }))
    expect(
      sumByKey(
        of("missing"),
        ({ memberNumber }) => memberNumber!,
        () => 1,
      ),
    ).toEqual(
      sumByKey(
        incomplete.filter(({ status }) => status !== "Terminated"),
        ({ number }) => number,
        ({ toComplete }) => toComplete.length,
      ),
    )
    const byId = sumByKey(
      register.rows.filter(({ idNumber }) => idNumber !== null),
      ({ idNumber }) => idNumber!,
      () => 1,
    )
    const twice = register.rows.filter(({ idNumber }) => byId[idNumber!]! > 1)
    expect(twice.length).toBeGreaterThan(1)
    expect(sortedJson(of("several_groups").map(({ memberNumber }) => memberNumber))).toEqual(
      sortedJson(twice.map(({ number }) => number)),
    )
    expect(of("id_conflict")).toEqual([])
  })

  test("the claims register and outstanding claims", async () => {
    const { client, onScreen } = house()
    const claims = (await claimsOf()).filter(({ status }) => status !== "draft")
    const register = await onScreen("claims_register")
    expect(
      sortedJson(
        register.rows.map((row) => [
          ...[row.number, row.memberName, row.groupName, row.policyNumber, row.claimType, row.benefit, row.incidentOn],
          ...[row.submittedOn, row.decidedOn, row.requestedCents, row.approvedCents, row.status],
        ]),
      ),
    ).toEqual(
      sortedJson(
        claims.map((row) => [
          ...[row.number, `${row.member.firstName} ${row.member.lastName}`, row.group.name, row.policy.number],
          ...[row.claimType, row.benefit?.name ?? null, row.incidentOn, dayOf(row.submittedAt), dayOf(row.decidedAt)],
          ...[row.requestedAmountCents, row.approvedAmountCents, row.status],
        ]),
      ),
    )
    const payouts = await listAllRows((place) =>
      client.payouts.list({ ...place, paidFor: "claims", status: "completed" }),
    )
    const paid = sumByKey(
      payouts,
      ({ subject }) => subject.label,
      ({ amountCents }) => amountCents,
    )
    expect(
      sumByKey(
        register.rows,
        ({ number }) => number!,
        ({ paidCents }) => paidCents,
      ),
    ).toEqual(paid)
    const ledger = await atEnd()
    const settled = register.rows.filter(({ status }) => status === "approved" || status === "paid")
    const reservedCents = -ledger.claims_outstanding!
    expect(sumOf(settled, ({ approvedCents }) => approvedCents)).toBe(ledger.claims_expense! - reservedCents)

    const outstanding = await onScreen("outstanding_claims")
    const pending = await listAllRows((place) => client.claims.pending(place))
    const waiting = outstanding.rows.filter(({ status }) => status !== "approved")
    expect(
      sortedJson(waiting.map((row) => [row.number, row.status, row.waitingDays, row.requestedCents, row.reserveCents])),
    ).toEqual(
      sortedJson(
        await mapInSequence(pending, async ({ id: claimId, number, status, waitingDays, requestedAmountCents }) => {
          const { reserveCents } = await client.claims.reserve.detail({ claimId })
          return [number, status, waitingDays, requestedAmountCents, reserveCents]
        }),
      ),
    )
    expect(sumOf(waiting, ({ reserveCents }) => reserveCents)).toBe(reservedCents)
    const approved = outstanding.rows.filter(({ status }) => status === "approved")
    expect(sortedJson(approved.map(({ number }) => number))).toEqual(
      sortedJson(claims.filter(({ status }) => status === "approved").map(({ number }) => number)),
    )
    expect(sumOf(approved, ({ reserveCents }) => reserveCents)).toBe(-ledger.claims_payable!)
    const late = await onScreen("outstanding_claims", { overdue: true })
    expect(late.total).toBe((await client.claims.pending({ overdue: true })).total)
    expect(late.total).toBeGreaterThan(0)
  })

  test("the reserves of claims by month", async () => {
    const { client, onScreen } = house()
    const { rows, sums } = await onScreen("claim_reserves")
    for (const { month, openingCents, closingCents, ...row } of rows) {
      const moved = [row.submittedCents, row.changedCents, row.setCents, row.reopenedCents, row.approvedCents]
      expect(closingCents).toBe(openingCents! + sumOf([...moved, row.otherwiseCents], (cents) => cents))
      const { claims_outstanding } = await balances(lastOfMonth(month!))
      expect([month, closingCents]).toEqual([month, 0 - claims_outstanding!])
    }
    for (const name of ["submittedCents", "setCents", "reopenedCents", "approvedCents", "otherwiseCents"] as const)
      expect(sums[name], name).not.toBe(0)
    const pending = await listAllRows((place) => client.claims.pending(place))
    const reserves = await mapInSequence(pending, ({ id: claimId }) => client.claims.reserve.detail({ claimId }))
    const set = reserves.filter(({ setCents }) => setCents !== null)
    expect(set.length).toBeGreaterThan(0)
    for (const { setCents, reserveCents, movements } of set) {
      expect(reserveCents).toBe(setCents)
      expect(movements[0]!.reason).not.toBe("")
    }
  })

  test("turnaround and decisions", async () => {
    const { client, onScreen } = house()
    const decided = (await claimsOf()).filter(({ decidedAt }) => decidedAt !== null)
    const lasted = decided
      .map(({ submittedAt, decidedAt }) => daysBetween(dayOf(submittedAt)!, dayOf(decidedAt)!))
      .sort((one, other) => one - other)
    const tenth = (value: number) => Math.round(value * 10) / 10
    const half = lasted.length / 2
    const median = (lasted[Math.ceil(half) - 1]! + lasted[Math.floor(half)]!) / 2
    const turnaround = await onScreen("turnaround")
    const inTime = lasted.filter((days) => days <= 7).length
    expect(turnaround.rows.at(-1)).toMatchObject({
      ...{ stage: "Submission to decision", claims: lasted.length, longestDays: lasted.at(-1) },
      ...{ averageDays: tenth(sumOf(lasted, (days) => days) / lasted.length), medianDays: tenth(median) },
      ...{ inTime, late: lasted.length - inTime, inTimePercent: tenth((inTime * 100) / lasted.length) },
    })
    const details = await mapInSequence(decided, ({ id: claimId }) => client.claims.detail({ claimId }))
    const stages = { group_admin: "Group administrator", underwriter: "Underwriter", policy_holder: "Policy holder" }
    const approvals = details.flatMap(({ approvals, round }) =>
      approvals.filter((one) => one.round === round && one.decidedAt !== null),
    )
    const byStage = sumByKey(
      turnaround.rows,
      ({ stage }) => stage!,
      ({ claims }) => claims,
    )
    expect(byStage).toEqual({
      Review: details.filter(({ routedAt }) => routedAt !== null).length,
      ...sumByKey(
        approvals,
        ({ stage }) => stages[stage],
        () => 1,
      ),
      "Submission to decision": decided.length,
    })

    const decisions = await onScreen("decisions")
    const outcomeOf = (claim: (typeof decided)[number]) =>
      claim.status === "rejected"
        ? "Rejected"
        : claim.approvedAmountCents! < claim.requestedAmountCents!
          ? "Reduced"
          : "Approved"
    const by = (row: ReportRow) => `${row.outcome} ${row.benefit}`
    const of = (claim: (typeof decided)[number]) => `${outcomeOf(claim)} ${claim.benefit?.name ?? "No benefit"}`
    expect(sumByKey(decisions.rows, by, ({ claims }) => claims)).toEqual(sumByKey(decided, of, () => 1))
    expect(sumByKey(decisions.rows, by, (row) => row.requestedCents)).toEqual(
      sumByKey(decided, of, (claim) => claim.requestedAmountCents),
    )
    expect(decisions.rows.map(({ outcome }) => outcome)).toContain("Reduced")
    const ledger = await atEnd()
    expect(decisions.sums.approvedCents).toBe(ledger.claims_expense! + ledger.claims_outstanding!)
    const last = details.map(({ approvals, round, reviewedBy }) => {
      const latest = approvals.filter((one) => one.round === round && one.decidedAt !== null).at(-1)
      return latest?.decidedBy ?? reviewedBy
    })
    expect(
      sumByKey(
        decisions.rows,
        ({ approver }) => approver!,
        ({ claims }) => claims,
      ),
    ).toEqual(
      sumByKey(
        last,
        (name) => name!,
        () => 1,
      ),
    )
  })
}
