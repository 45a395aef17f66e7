import { randomUUID } from "node:crypto"
import { payeesNeeded } from "@milkwood/domain/claims/claim-payees"
import { sql } from "drizzle-orm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createBankAccount } from "../banking/banking.samples.ts"
import { createMember } from "../members/members.samples.ts"
import { completePayout, createCompletedPayout, createPayout, samplePayee } from "../payouts/payouts.samples.ts"
import type { UserActor } from "../platform/calls/actor.ts"
import { type ClaimApp, type ClaimScene, insureGroup, openClaimApp } from "./claim-scene.samples.ts"
import { createApprovedClaim, createClaimPendingAt, createSubmittedClaim } from "./claims.samples.ts"
import { nominateHeirs, recordProposedPayees, sampleHeirs } from "./payees.samples.ts"

let app: ClaimApp
let scene: ClaimScene
let other: ClaimScene
beforeAll(async () => {
  app = await openClaimApp()
  scene = await insureGroup(app, "Payees Mill")
  other = await insureGroup(app, "Other Payees")
})
afterAll(() => app.close())

const manager = () => app.as(app.people.manager)
const releaser = () => app.as(app.people.manager2)
const underwriter = () => app.as(app.people.underwriter)
const addMember = async () => (await createMember(manager(), scene.policyId, { startOn: "2026-01-01" })).id
const key = () => randomUUID()
const payeesOf = (claimId: string) => manager().claims.payees.detail({ claimId })
const pay = (claimIds: string[], more: object = {}) =>
  manager().claims.payees.pay({ idempotencyKey: key(), claimIds, ...more })

async function approveDeath(heirs = true) {
  const memberId = await addMember()
  if (heirs) await nominateHeirs(manager(), memberId)
  return createApprovedClaim(scene.cast, { ...scene.sample, memberId, claimType: "death" })
}

const completePayment = (payoutId: string) => completePayout(releaser(), payoutId, "2026-11-02")

const sums = (claimId: string) =>
  app.sql.row<{ count: number; cents: number }>(sql`
    select count(*) as count, coalesce(sum(amount_cents), 0)::bigint as cents from payouts
    where subject_id = ${claimId} and status not in ('cancelled', 'returned')`)

test("two nominees are paid their parts; the claim is paid when both are, and owed again when one returns", async () => {
  const claim = await approveDeath()
  const approved = claim.approvedAmountCents!
  const proposed = await payeesOf(claim.id)
  expect(proposed).toMatchObject({
    isOwnDeath: true,
    nomination: { fromOn: "2026-02-01", nominees: [{ name: "Anna Nkosi" }, { name: "Ben Nkosi" }] },
    knownNomination: null,
    current: null,
    allowedActions: ["record"],
  })
  const recorded = await recordProposedPayees(manager(), claim.id)
  expect(recorded.current!.payees).toMatchObject([
    { name: "Anna Nkosi", amountCents: approved * 0.6, isMinor: false, hasPayment: false },
    { name: "Ben Nkosi", amountCents: approved * 0.4, isMinor: true, receiverName: "Cleo Nkosi" },
  ])
  await expect(createPayout(manager(), claim.id)).rejects.toMatchObject({ code: "WRONG_STATUS" })

  const { payments, refused, batch } = await pay([claim.id])
  expect([payments.map(({ payeeName, amountCents }) => [payeeName, amountCents]), refused, batch]).toEqual([
    [
      ["Anna Nkosi", approved * 0.6],
      ["Cleo Nkosi", approved * 0.4],
    ],
    [],
    null,
  ])
  const [first, second] = payments
  const shown = await manager().payouts.detail({ payoutId: second!.id })
  expect(shown).toMatchObject({
    reference: `${claim.number}/2`,
    notes: "For Ben Nkosi",
    payeeAccountNumber: "62007654321",
    formerPayee: null,
  })
  await completePayment(first!.id)
  expect((await manager().claims.detail({ claimId: claim.id })).status).toBe("approved")
  await completePayment(second!.id)
  expect((await manager().claims.detail({ claimId: claim.id })).status).toBe("paid")

  const { version } = await manager().payouts.detail({ payoutId: second!.id })
  const reason = "Account closed"
  await manager().payouts.return({
    payoutId: second!.id,
    version,
    idempotencyKey: key(),
    returnedOn: "2026-11-02",
    reason,
  })
  expect((await manager().claims.detail({ claimId: claim.id })).status).toBe("approved")
  const waiting = (await manager().claims.payable({ claimId: claim.id }))[0]
  expect(waiting).toMatchObject({ openCents: approved * 0.4, hasPayees: true })

  const owed = await payeesOf(claim.id)
  expect(owed.allowedActions).toEqual(["change", "pay"])
  const { id: payeeId, version: payeeVersion } = owed.current!.payees[1]!
  const receiver = {
    ...{ receivedBy: "guardian" as const, receiverName: "Cleo Nkosi", email: "", bank: "Nedbank" },
    ...{ branchCode: "198765", accountNumber: "1122334455" },
  }
  await manager().claims.payees.change({ claimId: claim.id, payeeId, version: payeeVersion, ...receiver })
  const again = await pay([claim.id])
  expect(again.payments).toMatchObject([{ payeeName: "Cleo Nkosi", amountCents: approved * 0.4 }])
  // Another account than at the last attempt of this payee is held.
  expect(await manager().payouts.detail({ payoutId: again.payments[0]!.id })).toMatchObject({
    formerPayee: { payeeAccountNumber: "62007654321" },
  })
  expect((await sums(claim.id))!.cents).toBe(approved)
})

test("a minor on the incident day is refused without guardian or trust", async () => {
  const claim = await approveDeath()
  const { proposal } = await payeesOf(claim.id)
  const record = (receivedBy: "self" | "trust", receiverName: string) =>
    manager().claims.payees.record({
      ...{ claimId: claim.id, replaces: null, ...proposal },
      payees: proposal.payees.map((payee, at) => (at === 1 ? { ...payee, receivedBy, receiverName } : payee)),
    })
  await expect(record("self", "")).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "payees.1.receivedBy" }] },
  })
  await expect(record("trust", "")).rejects.toMatchObject({ data: { fields: [{ path: "payees.1.receiverName" }] } })
  const saved = await record("trust", "The Nkosi Children's Trust")
  expect(saved.current!.payees[1]).toMatchObject({ receivedBy: "trust", receiverName: "The Nkosi Children's Trust" })
})

test("a retirement fund that owns the policy is paid for a member's death, not the nominees", async () => {
  const owned = await insureGroup(app, "Fund Mill")
  const { id: memberId } = await createMember(manager(), owned.policyId, { startOn: "2026-01-01" })
  await nominateHeirs(manager(), memberId)
  const { version, information } = await manager().policies.detail({ policyId: owned.policyId })
  await manager().policies.updateSection({
    ...{ policyId: owned.policyId, version },
    change: {
      section: "information",
      values: { ...information, owningFund: "Mill Provident Fund", owningFundFromOn: "2026-01-01" },
    },
  })
  const { id: claimId } = await createApprovedClaim(owned.cast, { ...owned.sample, memberId, claimType: "death" })
  const { proposal, owningFund } = await payeesOf(claimId)
  expect([owningFund, proposal.basis]).toEqual(["Mill Provident Fund", "fund"])
  const spouse = { name: "Anna Nkosi", relationship: "spouse" as const, dateOfBirth: "1980-05-01" }
  await expect(
    manager().claims.payees.record({
      claimId,
      replaces: null,
      ...proposal,
      basis: "nomination",
      payees: [{ ...proposal.payees[0]!, ...spouse }],
    }),
  ).rejects.toMatchObject({ code: "INVALID", data: { fields: [{ path: "basis" }] } })
  const account = { bank: "FNB", branchCode: "250655", accountNumber: "62001234567" }
  const payees = [{ ...proposal.payees[0]!, ...account }]
  await manager().claims.payees.record({ claimId, replaces: null, ...proposal, payees })
  expect((await pay([claimId])).payments).toMatchObject([{ payeeName: "Mill Provident Fund" }])
})

test("the owner of the policy on the day of death is paid, also after the policy has another owner", async () => {
  const owned = await insureGroup(app, "Sold Mill")
  const setFund = async (owningFund: string, owningFundFromOn?: string) => {
    const { version, information } = await manager().policies.detail({ policyId: owned.policyId })
    return manager().policies.updateSection({
      ...{ policyId: owned.policyId, version },
      change: {
        section: "information",
        values: { ...information, owningFund, ...(owningFundFromOn && { owningFundFromOn }) },
      },
    })
  }
  await setFund("First Fund", "2026-03-01")
  await setFund("Second Fund", "2026-06-01")
  const coming = await setFund("")
  expect(coming.information.owningFund).toBe("Second Fund")
  expect(coming.upcomingOwningFund).toEqual({ owningFund: "", fromOn: "2026-12-01" })
  const terms = await manager().policies.datedTerms({ policyId: owned.policyId })
  expect(terms.owningFunds.map(({ fromOn, owningFund }) => [fromOn, owningFund])).toEqual([
    ["2026-01-01", ""],
    ["2026-03-01", "First Fund"],
    ["2026-06-01", "Second Fund"],
    ["2026-12-01", ""],
  ])
  await expect(setFund("Early Fund", "2025-12-31")).rejects.toMatchObject({
    code: "INVALID",
    data: { fields: [{ path: "owningFundFromOn" }] },
  })
  const payable = async (incidentOn: string) => {
    const { id: memberId } = await createMember(manager(), owned.policyId, { startOn: "2026-01-01" })
    const sample = { ...owned.sample, memberId, claimType: "death" as const, incidentOn, notificationOn: incidentOn }
    const { id } = await createApprovedClaim(owned.cast, sample)
    const { owningFund, proposal } = await payeesOf(id)
    return [owningFund, proposal.basis]
  }
  expect(await payable("2026-02-28")).toEqual(["", "estate"])
  expect(await payable("2026-05-31")).toEqual(["First Fund", "fund"])
  expect(await payable("2026-06-01")).toEqual(["Second Fund", "fund"])
})

test("without a nomination the estate is paid, or other people by an underwriter's decision", async () => {
  const claim = await approveDeath(false)
  const claimId = claim.id
  const estate = await recordProposedPayees(manager(), claimId)
  expect(estate.current).toMatchObject({ basis: "estate", payees: [{ name: expect.stringMatching(/^Estate of /) }] })
  const decision = {
    ...{
      claimId,
      replaces: estate.current!.id,
      basis: "decision" as const,
      reason: "The spouse is the only dependent",
    },
    payees: [
      { ...estate.current!.payees[0]!, name: "Zoe", relationship: "spouse" as const, dateOfBirth: "1990-01-01" },
    ].map(({ id: _, isMinor: __, amountCents: ___, hasPayment: ____, version: _____, ...payee }) => payee),
  }
  await expect(manager().claims.payees.record(decision)).rejects.toMatchObject({ code: "NEEDS_UNDERWRITER" })
  await expect(underwriter().claims.payees.record({ ...decision, replaces: null })).rejects.toMatchObject({
    code: "CONFLICT",
  })
  const decided = await underwriter().claims.payees.record(decision)
  expect(decided.current).toMatchObject({ basis: "decision", reason: decision.reason, payees: [{ name: "Zoe" }] })
  expect(decided.earlier).toMatchObject([{ recordedBy: app.people.manager.name }])
  const refusals = await pay([claimId]).catch((error) => error)
  expect(refusals).toMatchObject({ code: "INVALID", message: `${claim.number}: Zoe has no bank account.` })
  const [trail] = await manager().claims.activity({ claimId })
  expect(trail).toMatchObject({ sentence: "recorded the payees" })
  expect(trail!.changes).toContainEqual({ field: "payeeReason", before: null, after: decision.reason })
  for (const reader of [scene.people.hr, scene.people.signatory]) {
    expect(JSON.stringify(await app.as(reader).claims.activity({ claimId }))).not.toContain("Zoe")
  }
})

test("a living member's benefit is payable to the member", async () => {
  const { id } = await createSubmittedClaim(scene.cast, { ...scene.sample, memberId: await addMember() })
  const { current, isOwnDeath } = await recordProposedPayees(manager(), id)
  expect([isOwnDeath, current!.basis, current!.payees[0]!.relationship, current!.payees[0]!.amountCents]).toEqual([
    false,
    "member",
    "member",
    null,
  ])
})

test("a nomination recorded after the death is a warning, with the one that was known", async () => {
  const claim = await approveDeath()
  const memberId = claim.member.id
  await manager().members.nominations.record({
    memberId,
    fromOn: "2026-10-01",
    nominees: [{ ...sampleHeirs[0]!, shareBasisPoints: 10_000 }],
  })
  // The test clock is after the incident, so both were recorded after it.
  const late = await payeesOf(claim.id)
  expect(late.nomination).toMatchObject({ fromOn: "2026-10-01" })
  expect(late.warnings).toEqual([
    { sentence: "The nomination was recorded after the incident date.", claims: [], members: [] },
  ])
  await app.sql.run(sql`
    update nominations set recorded_at = '2026-02-03T08:00:00Z' where member_id = ${memberId} and from_on = '2026-02-01'`)
  const changed = await payeesOf(claim.id)
  expect(changed.knownNomination).toMatchObject({ fromOn: "2026-02-01" })
  expect(changed.warnings.map(({ sentence }) => sentence)).toContain(
    "On the incident date another nomination was on record.",
  )
})

test("warns of a payee with an approver's name, and of an account on other members' claims and nominations", async () => {
  const earlier = await createApprovedClaim(scene.cast, { ...scene.sample, memberId: await addMember() })
  await createPayout(manager(), earlier.id, { ...samplePayee, payeeAccountNumber: "62003334445" })
  const [recordedFor, nominating] = [await addMember(), await createMember(manager(), other.policyId)]
  const unpaid = await createSubmittedClaim(scene.cast, { ...scene.sample, memberId: recordedFor })
  const { proposal } = await payeesOf(unpaid.id)
  const account = { bank: "FNB", branchCode: "250655", accountNumber: "62003334445" }
  await manager().claims.payees.record({
    ...{ claimId: unpaid.id, replaces: null, ...proposal },
    payees: [{ ...proposal.payees[0]!, ...account }],
  })
  await manager().members.nominations.record({
    memberId: nominating.id,
    fromOn: "2026-02-01",
    nominees: [{ ...sampleHeirs[0]!, ...account, shareBasisPoints: 10_000 }],
  })
  const memberId = await addMember()
  const nominees = [
    {
      ...sampleHeirs[0]!,
      name: app.people.underwriter.name.toUpperCase(),
      accountNumber: "62003334445",
      shareBasisPoints: 10_000,
    },
  ]
  await manager().members.nominations.record({ memberId, fromOn: "2026-02-01", nominees })
  const claim = await createApprovedClaim(scene.cast, { ...scene.sample, memberId, claimType: "death" })
  const { warnings } = await recordProposedPayees(manager(), claim.id)
  expect(warnings).toContainEqual({
    sentence: `${app.people.underwriter.name} has the same name as a user who decided this claim.`,
    claims: [],
    members: [],
  })
  expect(warnings).toContainEqual({
    sentence: `The account of ${nominees[0]!.name} is also on another member's claim:`,
    claims: expect.toSatisfy((claims: { number: string }[]) => {
      const numbers = claims.map(({ number }) => number)
      return numbers.length === 2 && numbers.includes(earlier.number) && numbers.includes(unpaid.number)
    }),
    members: [],
  })
  expect(warnings).toContainEqual({
    sentence: `The account of ${nominees[0]!.name} is also a nominee's of another member:`,
    claims: [],
    members: [{ id: nominating.id, number: nominating.number }],
  })
})

test("a payee of the claim, by e-mail address, neither decides it nor prepares the payment", async () => {
  const memberId = await addMember()
  const claim = await createClaimPendingAt(scene.cast, "underwriter", {
    ...scene.sample,
    memberId,
    claimType: "death",
  })
  await manager().members.nominations.record({
    ...{ memberId, fromOn: "2026-02-01" },
    nominees: [
      { ...sampleHeirs[0]!, email: app.people.underwriter.email.toUpperCase(), shareBasisPoints: 5_000 },
      { ...sampleHeirs[0]!, name: "Max", email: app.people.manager.email, shareBasisPoints: 3_000 },
      { ...sampleHeirs[0]!, name: "Sam", email: scene.people.signatory.email, shareBasisPoints: 2_000 },
    ],
  })
  const decide = (actor: UserActor, { version } = claim) =>
    app.as(actor).claims.decide({
      ...{ claimId: claim.id, version, idempotencyKey: key() },
      ...{ decision: "approve" as const, comment: "Agreed" },
    })
  const isOwn = { code: "OWN_CLAIM", message: expect.stringContaining("your e-mail address") }
  await expect(decide(app.people.underwriter)).rejects.toMatchObject(isOwn)
  await recordProposedPayees(manager(), claim.id)
  await expect(decide(app.people.underwriter)).rejects.toMatchObject(isOwn)

  const colleague = await app.people.another("underwriter")
  const decided = await decide(colleague)
  await expect(decide(scene.people.signatory, decided)).rejects.toMatchObject(isOwn)
  await decide(await app.people.policyHolder(scene.groupId), decided)
  const { payments, refused } = await pay([claim.id])
  expect([payments.map(({ payeeName }) => payeeName), refused.map(({ reason }) => reason)]).toEqual([
    [sampleHeirs[0]!.name, "Sam"],
    ["Max has your e-mail address. Another person must prepare this payment."],
  ])
  expect((await payeesOf(claim.id)).warnings).toContainEqual({
    sentence: expect.stringContaining(`A payee has the e-mail address of ${app.people.manager.name}, a user who`),
    claims: [],
    members: [],
  })
  expect(
    (await app.as(app.people.manager2).claims.payees.pay({ idempotencyKey: key(), claimIds: [claim.id] })).payments,
  ).toHaveLength(1)
})

test("many claims make one batch; claims without payees are named and the others are paid", async () => {
  const claims = [await approveDeath(), await approveDeath(), await approveDeath()]
  for (const { id } of claims.slice(0, 2)) await recordProposedPayees(manager(), id)
  const { id: bankAccountId } = await createBankAccount(app.as(app.people.admin))
  const { firstDay } = await manager().payouts.batches.choices({})
  const batch = { bankAccountId, executionOn: firstDay, format: "pain001" as const }
  const made = await pay(
    claims.map(({ id }) => id),
    { batch },
  )
  expect(made.payments).toHaveLength(4)
  expect(made.refused).toMatchObject([{ claimId: claims[2]!.id, number: claims[2]!.number, reason: payeesNeeded }])
  expect(await manager().payouts.batches.detail({ batchId: made.batch!.id })).toMatchObject({ paymentCount: 4 })
})

test("50 clients at once prepare each payee's payment once, and never more than the approved amount", async () => {
  const claim = await approveDeath()
  await recordProposedPayees(manager(), claim.id)
  const answers = await Promise.allSettled(Array.from({ length: 50 }, () => pay([claim.id])))
  const codes = new Set(answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : [])))
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  expect([...codes].filter((code) => !["PAYMENT_EXISTS", "INVALID", "CONFLICT"].includes(code))).toEqual([])
  expect(await sums(claim.id)).toEqual({ count: 2, cents: claim.approvedAmountCents })
})

test("payees recorded while payments are prepared never leave a payment to a former payee", async () => {
  const claim = await approveDeath()
  await recordProposedPayees(manager(), claim.id)
  await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => (at % 2 ? pay([claim.id]) : recordProposedPayees(manager(), claim.id))),
  )
  const { current, payments } = await payeesOf(claim.id)
  const ids = current!.payees.map(({ id }) => id)
  expect(payments.every(({ payeeId }) => ids.includes(payeeId!))).toBe(true)
  expect((await sums(claim.id))!.cents).toBeLessThanOrEqual(claim.approvedAmountCents!)
})

test("the database refuses a second payment of a payee, and one to someone else", async () => {
  const claim = await approveDeath()
  await recordProposedPayees(manager(), claim.id)
  const { payments } = await pay([claim.id], { payeeIds: [(await payeesOf(claim.id)).current!.payees[1]!.id] })
  expect(payments).toHaveLength(1)
  const copy = (payee: unknown) => sql`
    insert into payouts (id, group_id, policy_id, number, subject_kind, subject_id, subject_label, amount_cents, method, reference,
      payee_name, prepared_by, created_by, created_at, payee_id)
    select gen_random_uuid(), group_id, policy_id, number || 'x', subject_kind, subject_id, subject_label, 1, 'cash', reference,
      payee_name, prepared_by, created_by, created_at, ${payee} from payouts where id = ${payments[0]!.id}`
  await expect(app.sql.run(copy(sql`payee_id`))).rejects.toMatchObject({ constraint: "payouts_one_per_payee" })
  for (const payee of [sql`null`, sql`gen_random_uuid()`]) {
    await expect(app.sql.run(copy(payee))).rejects.toMatchObject({ constraint: "payouts_to_recorded_payees" })
  }
  const change = sql`update claim_payees set account_number = '1234567' where id = (select payee_id from payouts where id = ${payments[0]!.id})`
  await expect(app.sql.run(change)).rejects.toMatchObject({ constraint: "claim_payees_are_unpaid" })
  await expect(
    app.sql.run(sql`update claim_payee_sets set superseded_at = now() where claim_id = ${claim.id}`),
  ).rejects.toMatchObject({ constraint: "claim_payee_sets_are_unpaid" })
})

test("a death claim without recorded payees cannot be paid, by the command or in the database", async () => {
  const [claim, medical] = [
    await approveDeath(),
    await createApprovedClaim(scene.cast, { ...scene.sample, memberId: await addMember() }),
  ]
  await expect(createPayout(manager(), claim.id)).rejects.toMatchObject({
    code: "PAYEES_NEEDED",
    message: payeesNeeded,
  })
  expect(await sums(claim.id)).toEqual({ count: 0, cents: 0 })
  const payable = async (claimId: string) => (await manager().claims.payable({ claimId }))[0]
  expect(await payable(claim.id)).toMatchObject({ hasPayees: false, needsPayees: true })
  expect(await payable(medical.id)).toMatchObject({ hasPayees: false, needsPayees: false })

  const { id } = await createPayout(manager(), medical.id)
  const enter = (isAttempted: boolean) => sql`
    insert into payouts (id, group_id, policy_id, number, subject_kind, subject_id, subject_label, amount_cents, method, reference,
      payee_name, prepared_by, created_by, created_at, status, attempted_at, attempted_payee)
    select gen_random_uuid(), group_id, policy_id, number || ${isAttempted ? "x" : "y"}, subject_kind, ${claim.id}, ${claim.number}, 1,
      'cash', reference, payee_name, prepared_by, created_by, created_at, ${isAttempted ? "cancelled" : "pending"},
      ${isAttempted ? sql`created_at` : sql`null`}, ${isAttempted ? sql`payee_of(payouts)` : sql`null`}
    from payouts where id = ${id}`
  await expect(app.sql.run(enter(false))).rejects.toMatchObject({ constraint: "payouts_of_deaths_have_payees" })
  // A version before allowed it; payees can no longer be recorded.
  await app.sql.run(sql`alter table payouts disable trigger user`)
  await app.sql.run(enter(true))
  await app.sql.run(sql`alter table payouts enable trigger user`)
  await expect(recordProposedPayees(manager(), claim.id)).rejects.toMatchObject({ code: "WRONG_STATUS" })
  expect(await payable(claim.id)).toMatchObject({ needsPayees: false })
  expect((await createPayout(manager(), claim.id)).amountCents).toBe(claim.approvedAmountCents)
})

test("proposes the account of the member's last payment, and not a namesake's", async () => {
  const { id: memberId } = await createMember(manager(), scene.policyId, {
    ...{ firstName: "Thabo", lastName: "Accountson", startOn: "2026-01-01" },
  })
  const paid = await createApprovedClaim(scene.cast, { ...scene.sample, memberId, requestedAmountCents: 1_000_00 })
  const payee = { ...samplePayee, payeeName: "thabo accountson", payeeAccountNumber: "62004440001" }
  await createCompletedPayout(manager(), releaser(), paid.id, "2026-11-02", payee)
  const next = await createSubmittedClaim(scene.cast, { ...scene.sample, memberId, requestedAmountCents: 2_000_00 })
  expect((await payeesOf(next.id)).proposal).toMatchObject({
    basis: "member",
    payees: [{ name: "Thabo Accountson", bank: "FNB", branchCode: "250655", accountNumber: "62004440001" }],
  })
  const { id: namesakeId } = await createMember(manager(), scene.policyId, {
    ...{ firstName: "Thabo", lastName: "Accountson", startOn: "2026-01-01" },
  })
  const namesake = await createSubmittedClaim(scene.cast, { ...scene.sample, memberId: namesakeId })
  expect((await payeesOf(namesake.id)).proposal.payees).toMatchObject([{ accountNumber: "" }])
})

test("claims of other employers are unknown to a service of one, and unknown ids are refused", async () => {
  const claim = await approveDeath()
  const { current } = await recordProposedPayees(manager(), claim.id)
  const foreign = await createApprovedClaim(other.cast, other.sample)
  const payee = current!.payees[0]!
  const { receivedBy, receiverName, bank, branchCode, accountNumber, email, version } = payee
  const change = { payeeId: payee.id, version, receivedBy, receiverName, bank, branchCode, accountNumber, email }
  for (const claimId of [foreign.id, randomUUID()]) {
    await expect(manager().claims.payees.change({ claimId, ...change })).rejects.toMatchObject({ code: "NOT_FOUND" })
  }
  await expect(pay([claim.id, randomUUID()])).rejects.toMatchObject({ code: "NOT_FOUND" })
  for (const reader of [scene.people.hr, scene.people.signatory, other.people.hr]) {
    await expect(app.as(reader).claims.payees.detail({ claimId: claim.id })).rejects.toMatchObject({
      code: "FORBIDDEN",
    })
  }
  const rights = await app.sql.rows<{ may: boolean }>(sql`
    select has_table_privilege('milkwood_scoped', t, 'select') as may from unnest(array['claim_payees', 'claim_payee_sets']) t`)
  expect(rights.map(({ may }) => may)).toEqual([false, false])
})
