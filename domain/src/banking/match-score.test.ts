import { expect, test } from "vitest"
import { addDays, formatMonth } from "../kernel/calendar.ts"
import { isRefusal } from "../kernel/refusal.ts"
import { isNameWithin, lineWordsOf } from "./line-words.ts"
import { rank, scoreCandidate } from "./match-rank.ts"
import { type PolicyEvidence, scorePolicy } from "./match-score.ts"
import { scoreNotOurs, scoreRecord } from "./match-score-records.ts"
import { scoreSplit } from "./match-score-splits.ts"
import { weights } from "./match-weights.ts"
import {
  checkLinkable,
  checkLinkableTogether,
  checkParts,
  checkPayable,
  checkPayableTogether,
  checkReceiptReturn,
  checkReturnableTogether,
  type Part,
} from "./matching.ts"

const day = "2026-11-05"
const createScoredLine = (text: string, amountCents: number) => ({
  day,
  amountCents,
  words: lineWordsOf({ text, reference: "", day }),
})
const createOpenInvoice = (at: number, outstandingCents: number) => ({
  ...{ id: `i${at}`, number: `INV-2026-00000${at}`, dueOn: `2026-0${at}-28`, outstandingCents },
})
const createPolicyEvidence = (more: Partial<PolicyEvidence> = {}): PolicyEvidence => ({
  ...{ policyId: "p1", policyNumber: "GP-2026-000001", groupId: "g1", groupName: "Soweto Retail" },
  ...{ open: [], references: [], named: null, namesAnother: null, learnt: null, usual: [], isOnlyAmount: false },
  ...more,
})
const createReference = (number: string, slip: "none" | "short" | "swapped" = "none") => ({
  kind: "invoice" as const,
  ...{ number, slip, isOpen: true },
})
const paidParts = (candidate: ReturnType<typeof scorePolicy>) =>
  candidate.parts[0]!.allocations!.map(({ invoiceNumber, amountCents }) => `${invoiceNumber} ${amountCents}`)
const openInvoices = [createOpenInvoice(1, 100_00), createOpenInvoice(2, 250_00), createOpenInvoice(3, 400_00)]

test("allocates a payment to the named invoice, then to the oldest; the rest becomes credit", () => {
  const named = scorePolicy(
    createScoredLine("INV-2026-000002", 250_00),
    createPolicyEvidence({ open: openInvoices, references: [createReference("INV-2026-000002")] }),
    "ZAR",
  )
  expect(paidParts(named)).toEqual(["INV-2026-000002 25000"])
  expect(named.reasons.map(({ about }) => about)).toEqual(["reference", "amount"])
  const more = scorePolicy(
    createScoredLine("INV-2026-000002", 310_55),
    createPolicyEvidence({ open: openInvoices, references: [createReference("INV-2026-000002")] }),
    "ZAR",
  )
  expect(paidParts(more)).toEqual(["INV-2026-000002 25000", "INV-2026-000001 6055"])
  const credit = scorePolicy(createScoredLine("", 900_00), createPolicyEvidence({ open: openInvoices }), "ZAR")
  expect(credit.parts[0]!.allocations!.reduce((sum, one) => sum + one.amountCents, 0)).toBe(750_00)
})

test.each([
  [400_00, ["INV-2026-000003 40000"], "INV-2026-000003 has exactly this amount outstanding"],
  [750_00, ["INV-2026-000001 10000", "INV-2026-000002 25000", "INV-2026-000003 40000"], /^The total owed/],
  [500_00, ["INV-2026-000001 10000", "INV-2026-000003 40000"], /add up to this amount$/],
  [396_05, ["INV-2026-000003 39605"], /3,95 less than INV-2026-000003: a bank charge may have been deducted/],
])("a payment of %s for a named employer pays %s", (cents, pays, sentence) => {
  const candidate = scorePolicy(
    createScoredLine("", cents),
    createPolicyEvidence({ open: openInvoices, named: "whole" }),
    "ZAR",
  )
  expect(paidParts(candidate)).toEqual(pays)
  expect(candidate.reasons.find(({ about }) => about === "amount")!.sentence).toMatch(sentence)
})

test.each([
  [247_35, 248_00, true],
  [247_35, 250_00, true],
  [247_35, 300_00, true],
  [247_35, 247_50, false],
  [247_35, 400_00, false],
])("a named invoice of %s paid with %s leaves a rounding credit: %s", (owed, cents, isRounded) => {
  const its = [createOpenInvoice(1, 500_00), createOpenInvoice(2, owed)]
  const evidence = createPolicyEvidence({ open: its, named: "whole", references: [createReference("INV-2026-000002")] })
  const candidate = scorePolicy(createScoredLine("INV-2026-000002", cents), evidence, "ZAR")
  expect(paidParts(candidate)).toEqual([
    `INV-2026-000002 ${owed}`,
    ...(isRounded ? [] : [`INV-2026-000001 ${cents - owed}`]),
  ])
  expect(candidate.reasons.some(({ sentence }) => sentence.includes("rounded up by"))).toBe(isRounded)
  expect(candidate.isSure).toBe(false)
})

test("only an uncontested exact number and amount, or payer confirmed three times, is sure", () => {
  const line = createScoredLine("SOWETO RETAIL INV-2026-000002", 250_00)
  const exact = { open: openInvoices, references: [createReference("INV-2026-000002")], named: "whole" as const }
  const sure = (evidence: Partial<PolicyEvidence>, of = line) =>
    scorePolicy(of, createPolicyEvidence(evidence), "ZAR").isSure
  expect(sure(exact)).toBe(true)
  expect(sure(exact, { ...line, amountCents: 249_00 })).toBe(false)
  expect(sure({ ...exact, references: [createReference("INV-2026-000002", "short")] })).toBe(false)
  expect(sure({ ...exact, references: [createReference("INV-2026-000002", "swapped")] })).toBe(false)
  expect(sure({ ...exact, learnt: { confirmed: 9, declined: 1 } })).toBe(false)
  // The invoice number is exact, but the line does not name the employer.
  expect(sure({ ...exact, named: null })).toBe(false)
  const learnt = (confirmed: number, declined = 0) => ({ open: openInvoices, learnt: { confirmed, declined } })
  expect(sure(learnt(3))).toBe(true)
  expect(sure(learnt(2))).toBe(false)
  expect(sure(learnt(3, 1))).toBe(false)
  expect(sure(learnt(3), { ...line, amountCents: 251_00 })).toBe(false)

  const first = scorePolicy(line, createPolicyEvidence(exact), "ZAR")
  const rival = scorePolicy(
    line,
    createPolicyEvidence({ ...exact, policyId: "p2", references: [createReference("INV-2026-000002", "short")] }),
    "ZAR",
  )
  expect(rank([first, rival])[0]!.isSure).toBe(false)
  expect(rank([first])[0]!.isSure).toBe(true)
  expect(rank([first], { declined: new Set(["receipt:x"]) })[0]!.isSure).toBe(false)
})

const createDatedInvoice = (at: number, outstandingCents: number) => ({
  ...createOpenInvoice(at, outstandingCents),
  month: `2026-0${at}-01`,
})

test("an amount that matches several open invoices is not sure", () => {
  const learnt = { confirmed: 5, declined: 0 }
  const sure = (text: string, open: PolicyEvidence["open"], more: Partial<PolicyEvidence> = {}) =>
    scorePolicy(createScoredLine(text, 350_00), createPolicyEvidence({ open, learnt, ...more }), "ZAR").isSure
  expect(sure("SOWETO PREMIUM", [createDatedInvoice(8, 350_00)])).toBe(true)
  expect(sure("SOWETO PREMIUM", [createDatedInvoice(8, 350_00), createDatedInvoice(9, 350_00)])).toBe(false)
  expect(sure("SOWETO PREMIUM SEPT", [createDatedInvoice(8, 350_00), createDatedInvoice(9, 350_00)])).toBe(true)
  const first = scorePolicy(
    createScoredLine("SOWETO PREMIUM SEPT", 350_00),
    createPolicyEvidence({ open: [createDatedInvoice(8, 350_00), createDatedInvoice(9, 350_00)], learnt }),
    "ZAR",
  )
  expect(paidParts(first)).toEqual(["INV-2026-000009 35000"])
  const references = [createReference("INV-2026-000008")]
  expect(sure("INV-2026-000008", [createDatedInvoice(8, 350_00), createDatedInvoice(9, 350_00)], { references })).toBe(
    true,
  )
  const both = [createReference("INV-2026-000008"), { ...createReference("INV-2026-000007"), isOpen: false }]
  expect(
    sure("INV-2026-000008 INV-2026-000007", [createDatedInvoice(8, 350_00)], { references: both, learnt: null }),
  ).toBe(false)
})

test("a line that names another month is not sure and gives that reason", () => {
  const open = [createDatedInvoice(8, 350_00)]
  const scored = (text: string, groupName = "Soweto Retail") =>
    scorePolicy(
      createScoredLine(text, 350_00),
      createPolicyEvidence({ open, groupName, references: [createReference("INV-2026-000008")], named: "whole" }),
      "ZAR",
    )
  expect(scored("SOWETO RETAIL INV-2026-000008 AUGUST").isSure).toBe(true)
  expect(scored("SOWETO RETAIL INV-2026-000008 2026-08").isSure).toBe(true)
  for (const text of ["SEP", "SEPTEMBER 2026", "2026-09", "09/2026", "AUG AND SEP", "AUG 2025"]) {
    expect(scored(`SOWETO RETAIL INV-2026-000008 ${text}`).isSure, text).toBe(false)
  }
  const said8 = scored("SOWETO RETAIL INV-2026-000008 SEP").reasons.map(({ sentence }) => sentence.replace(/\s/g, " "))
  expect(said8).toContain(
    `The line names SEP, but INV-2026-000008 is for ${formatMonth("2026-08-01").replace(/\s/g, " ")}`,
  )
  // 02NOV is the payment's day and MAY is the employer's name, so neither is a month.
  expect(scored("PAID 02NOV SOWETO RETAIL INV-2026-000008").isSure).toBe(true)
  expect(scored("MAY BROTHERS INV-2026-000008", "May Brothers").isSure).toBe(true)
})

test("an exact number and amount are sure only if the payer is known or anonymous", () => {
  const line = createScoredLine("SRT PAYMASTER BRANCH INV-2026-000008", 350_00)
  const evidence = { open: [createDatedInvoice(8, 350_00)], references: [createReference("INV-2026-000008")] }
  const sure = (more: Partial<PolicyEvidence>, of = line) =>
    scorePolicy(of, createPolicyEvidence({ ...evidence, ...more }), "ZAR").isSure
  expect(sure({})).toBe(false)
  expect(sure({ isUsualPayer: true })).toBe(true)
  expect(sure({ named: "begun" })).toBe(true)
  expect(sure({}, createScoredLine("IBANK GROUP RISK CONTRIBUTION INV-2026-000008", 350_00))).toBe(true)
  expect(sure({ named: "whole", alsoNames: "Acacia Foods" })).toBe(false)
  expect(isNameWithin("SRT PAYMASTER", "SRT PAYMASTER BRANCH")).toBe(true)
  expect(isNameWithin("SRT PAYMASTER", "SRT PAYMENTS")).toBe(false)
})

test("another policy of the employer with the same amount does not contest an exact number", () => {
  const line = createScoredLine("SOWETO RETAIL INV-2026-000008", 350_00)
  const first = scorePolicy(
    line,
    createPolicyEvidence({
      open: [createDatedInvoice(8, 350_00)],
      references: [createReference("INV-2026-000008")],
      named: "whole",
    }),
    "ZAR",
  )
  const sibling = scorePolicy(
    line,
    createPolicyEvidence({ policyId: "p2", open: [createOpenInvoice(5, 350_00)], named: "whole" }),
    "ZAR",
  )
  expect(rank([sibling, first])[0]).toMatchObject({ key: "policy:p1", isSure: true })
  const record = { id: "r", number: "REC-2026-000001", name: "Soweto Retail", on: day, amountCents: 350_00 }
  const receipt = scoreRecord(line, { ...record, as: "receipt", named: "whole", said: null }, "ZAR")
  expect(rank([receipt, first])[0]!.isSure).toBe(false)
})

test("a recorded receipt of the amount and payer ranks before a new receipt", () => {
  const line = createScoredLine("CREDIT TRANSFER SOWETO RETAIL", 350_00)
  const record = { id: "r", number: "REC-2026-000001", name: "Soweto Retail", amountCents: 350_00 }
  const receipt = (more: { on?: string; named?: "whole" | null } = {}) =>
    scoreRecord(line, { ...record, as: "receipt", said: null, on: day, named: "whole", ...more }, "ZAR")
  const usual = { named: "whole" as const, learnt: { confirmed: 7, declined: 0 } }
  const invoiced = scorePolicy(line, createPolicyEvidence({ open: [createDatedInvoice(9, 350_00)], ...usual }), "ZAR")
  expect(invoiced.score).toBeGreaterThan(receipt().score)
  expect(rank([invoiced, receipt()])).toMatchObject([
    { key: "receipt:r", isSure: false },
    { key: "policy:p1", lost: "Less likely: REC-2026-000001 with this amount is already recorded" },
  ])
  for (const other of [receipt({ on: addDays(day, -60) }), receipt({ named: null })])
    expect(rank([invoiced, other])[0]!.key).toBe("policy:p1")
  const numbered = createScoredLine("SOWETO RETAIL INV-2026-000009", 350_00)
  const exact = scorePolicy(
    numbered,
    createPolicyEvidence({
      open: [createDatedInvoice(9, 350_00)],
      references: [createReference("INV-2026-000009")],
      ...usual,
    }),
    "ZAR",
  )
  expect(rank([exact, receipt()])[0]!.key).toBe("policy:p1")
})

test("splits one payment between employers that the line names or whose payer is known", () => {
  const of = (policyId: string, groupId: string, cents: number[], more: Partial<PolicyEvidence> = {}) =>
    createPolicyEvidence({
      policyId,
      groupId,
      groupName: groupId,
      open: cents.map((each, at) => createOpenInvoice(at + 1, each)),
      ...more,
    })
  const parts = (cents: number, ...policies: PolicyEvidence[]) =>
    scoreSplit(createScoredLine("", cents), policies)?.parts.map(({ id, amountCents }) => `${id} ${amountCents}`)
  const named = { named: "whole" as const }
  const [one, two] = [of("p1", "g1", [100_00, 250_00], named), of("p2", "g2", [400_00], named)]
  expect(parts(650_00, one, two)).toEqual(["p1 25000", "p2 40000"])
  expect(parts(750_00, one, two)).toEqual(["p1 35000", "p2 40000"])
  // Without matching invoices, the line is divided between the named employers in proportion to their open amounts.
  expect(parts(751_00, one, two)).toEqual(["p1 35047", "p2 40053"])
  expect(parts(350_00, one, two)).toEqual(["p1 16333", "p2 18667"])
  expect(parts(351_00, of("p1", "g1", [], named), of("p2", "g2", [], { isNamedShort: true }))).toEqual([
    "p1 17550",
    "p2 17550",
  ])
  expect(parts(350_00, one, of("p2", "g1 and more", [400_00], named))).toBeUndefined()
  const learnt = { learnt: { confirmed: 1, declined: 0 } }
  const broker = [of("p1", "g1", [100_00], learnt), of("p2", "g2", [400_00], learnt), of("p3", "g3", [7_00], learnt)]
  expect(parts(500_00, ...broker)).toEqual(["p1 10000", "p2 40000"])
  const unknown = [of("p1", "g1", [100_00]), of("p2", "g2", [400_00])]
  expect(parts(500_00, ...unknown)).toBeUndefined()
  expect(parts(500_00, ...unknown.map((each) => ({ ...each, isOfPair: true })))).toEqual(["p1 10000", "p2 40000"])
})

test("omits declined and low-scoring candidates and explains each lower rank", () => {
  const of = (key: string, weight: number, about: "reference" | "amount" = "reference") =>
    scoreCandidate({ key, kind: "policy", parts: [] }, [{ about, weight, sentence: `The ${key}` }])
  const ranked = rank([of("b", 40), of("a", 60), of("c", 3), of("d", 50)], { declined: new Set(["d"]) })
  expect(ranked.map(({ key, lost }) => [key, lost])).toEqual([
    ["a", null],
    ["b", "Less likely: the first suggestion has stronger evidence (the a)"],
  ])
  expect(rank([of("a", 60), of("b", 60)])[1]!.lost).toBe("As likely as the first suggestion")
})

test("splits one payment between two policies by their numbers or by their employer's name", () => {
  const one = createPolicyEvidence({
    open: [createOpenInvoice(1, 100_00)],
    references: [createReference("INV-2026-000001")],
  })
  const two = createPolicyEvidence({
    policyId: "p2",
    policyNumber: "GP-2026-000002",
    open: [createOpenInvoice(2, 250_00)],
    references: [createReference("INV-2026-000002")],
  })
  const parts = (cents: number, policies: PolicyEvidence[]) =>
    scoreSplit(createScoredLine("", cents), policies)?.parts.map(({ id, amountCents }) => `${id} ${amountCents}`)
  expect(parts(350_00, [one, two])).toEqual(["p1 10000", "p2 25000"])
  expect(parts(351_00, [one, two])).toBeUndefined()
  const silent = [one, two].map((each) => ({ ...each, references: [] }))
  expect(parts(350_00, silent)).toEqual(["p1 10000", "p2 25000"])
  expect(parts(350_00, [silent[0]!, { ...silent[1]!, groupId: "g2" }])).toBeUndefined()
})

test("the bank's words and learned payers mark a line as not ours", () => {
  const reasons = (text: string, cents: number, own = false) =>
    scoreNotOurs(createScoredLine(text, cents), [], own).map(({ key }) => key)
  expect(reasons("#MONTHLY ACCOUNT FEE", -75_00)).toEqual(["notOurs:charge"])
  expect(reasons("SCHOOL FEE", 75_00)).toEqual([])
  expect(reasons("CREDIT INTEREST", 12_00)).toEqual(["notOurs:interest"])
  expect(reasons("TRANSFER", -12_00, true)).toEqual(["notOurs:transfer"])
  const learnt = scoreNotOurs(
    createScoredLine("ZUMA CLEANING", -1),
    [{ reason: "transfer", confirmed: 2, declined: 1 }],
    false,
  )
  expect(learnt[0]!.score).toBe(weights.learnt.once + weights.learnt.more + weights.declined)
  const nobodyKnew = [{ reason: "unknown", confirmed: 3, declined: 0 }] as const
  expect(scoreNotOurs(createScoredLine("CASH DEPOSIT", 1), nobodyKnew, false)).toEqual([])
})

test("a line that mentions a return ranks a return above an equal payment", () => {
  const record = { id: "r", number: "REC-2026-000001", name: "Soweto Retail", on: "2026-11-03", amountCents: 50_00 }
  const scored = (as: "returned" | "payout", text: string) =>
    scoreRecord(createScoredLine(text, -50_00), { ...record, as, named: null, said: null }, "ZAR")
  expect(scored("returned", "UNPAID 1234").score).toBeGreaterThan(scored("payout", "UNPAID 1234").score)
  expect(scored("returned", "EFT").score).toBe(scored("payout", "EFT").score)
  expect(scored("returned", "UNPAID").parts[0]).toMatchObject({ as: "returned", amountCents: -50_00 })
})

test("refuses parts of mixed directions or kinds, or with another total than the line", () => {
  const part = (as: Part["as"], amountCents: number, id = "x"): Part => ({ as, id, amountCents, allocations: null })
  const refused = (cents: number, ...parts: Part[]) => (checkParts(cents, parts, "ZAR") as { refused?: string }).refused
  expect(checkParts(100, [part("policy", 60), part("receipt", 40)], "ZAR")).toBe(true)
  expect(refused(100, part("policy", 60))).toBe("NOT_THIS_MUCH")
  expect(refused(100, part("policy", 160), part("receipt", -60))).toBe("NOT_THIS_MUCH")
  expect(refused(100, part("policy", 60), part("policy", 40))).toBe("NOT_TOGETHER")
  expect(refused(-100, part("policy", -100))).toBe("NOT_TOGETHER")
  expect(refused(100, part("payout", 100))).toBe("NOT_TOGETHER")
  expect(refused(-100, part("payout", -60), part("returned", -40, "y"))).toBe("NOT_TOGETHER")
  expect(checkParts(-100, [part("payout", -60), part("payout", -40, "y")], "ZAR")).toBe(true)
})

test("a receipt is linked in parts but reversed whole; a payment is linked once", () => {
  const receipt = { number: "REC-1", amountCents: 100, reversedAt: null }
  const on = (matchedCents: number, amountCents: number, isHeld = false, isElsewhere = false) => {
    return { matchedCents, amountCents, isHeld, isElsewhere }
  }
  const no = (decision: unknown) => (decision as { message?: string }).message
  expect(checkLinkable(receipt, on(40, 60), "ZAR")).toBe(true)
  expect(no(checkLinkable(receipt, on(40, 61), "ZAR"))).toMatch(/has only R.0,60 left to match/)
  expect(no(checkLinkable(receipt, on(100, 1), "ZAR"))).toBe("REC-1 is already matched with another line.")
  expect(no(checkLinkable(receipt, on(0, 100, true), "ZAR"))).toMatch(/included in the opening balance of the account/)
  expect(no(checkLinkable({ ...receipt, reversedAt: "now" }, on(0, 100), "ZAR"))).toBe("REC-1 was reversed.")
  expect(checkReceiptReturn(receipt, on(100, -100), "ZAR")).toBe(true)
  expect(checkReceiptReturn(receipt, on(0, -100, true), "ZAR")).toBe(true)
  expect(no(checkReceiptReturn(receipt, on(0, -100), "ZAR"))).toBe(
    "First match the bank line on which REC-1 was received.",
  )
  expect(no(checkReceiptReturn(receipt, on(100, -99), "ZAR"))).toMatch(/Only the full amount can be returned/)
  expect(no(checkReceiptReturn(receipt, on(100, -100, false, true), "ZAR"))).toBe(
    "REC-1 was received on another bank account.",
  )

  const payout = { number: "PAY-1", amountCents: 100, status: "processing" as const, bankAccountId: null }
  const line = { amountCents: -100, accountId: "a", isMain: true }
  const free = { isMatched: false, isHeld: false }
  expect(checkPayable(payout, line, free, "ZAR")).toBe("completed")
  expect(checkPayable({ ...payout, status: "completed" }, line, free, "ZAR")).toBe("paid")
  expect(no(checkPayable({ ...payout, status: "completed" }, line, { ...free, isMatched: true }, "ZAR"))).toMatch(
    /matched with another line/,
  )
  expect(no(checkPayable({ ...payout, status: "pending" }, line, free, "ZAR"))).toMatch(/not processing/)
  expect(no(checkPayable({ ...payout, bankAccountId: "b" }, line, free, "ZAR"))).toMatch(/another bank account/)
  expect(no(checkPayable(payout, { ...line, amountCents: -99 }, free, "ZAR"))).toMatch(/PAY-1 is R/)
})

test("a returned deposit must equal its received, unreversed amount", () => {
  const receipt = (number: string, amountCents: number, matchedCents: number, more: object = {}) => ({
    ...{ number, amountCents, matchedCents, isHeld: false, isElsewhere: false, reversedAt: null },
    ...more,
  })
  const all = [
    receipt("REC-1", 100, 100),
    receipt("REC-2", 20, 0, { isHeld: true }),
    receipt("REC-3", 3, 2),
    receipt("REC-4", 4, 0),
    receipt("REC-5", 5, 5, { reversedAt: "now" }),
  ]
  const said = (cents: number, receipts = all) => {
    const decided = checkReturnableTogether({ number: "DEP-1" }, receipts, -cents, "ZAR")
    return isRefusal(decided) ? decided.message : decided.map(({ number }) => number)
  }
  expect(said(120)).toEqual(["REC-1", "REC-2"])
  expect(said(127)).toMatch(/DEP-1 has R\s1,20 to return, not R\s1,27\. Only the full amount can be returned/)
  expect(said(9, all.slice(2))).toBe("DEP-1 has no matched receipts to return.")
  const part = (as: Part["as"], amountCents: number): Part => ({ as, id: "d", amountCents, allocations: null })
  expect(checkParts(-120, [part("returnedDeposit", -120)], "ZAR")).toBe(true)
  expect(checkParts(-120, [part("returnedDeposit", -100), part("returned", -20)], "ZAR")).toBe(true)
  expect(isRefusal(checkParts(120, [part("returnedDeposit", 120)], "ZAR"))).toBe(true)
})

test("a batch must have the line's account, and its unmatched payments must equal the line", () => {
  const line = { accountId: "a", isMain: true }
  const batch = { number: "BAT-1", bankAccountId: "a" }
  const payment = (number: string, amountCents: number, more: object = {}) => ({
    ...{ number, amountCents, status: "processing" as const, bankAccountId: "a", isMatched: false, isHeld: false },
    ...more,
  })
  const all = [
    payment("PAY-1", 100),
    payment("PAY-2", 20, { status: "completed" }),
    payment("PAY-3", 3, { status: "completed", isMatched: true }),
    payment("PAY-4", 4, { status: "completed", isHeld: true }),
    payment("PAY-5", 5, { status: "returned" }),
  ]
  const said = (cents: number, of = batch, payments = all) => {
    const decided = checkPayableTogether(of, payments, { ...line, amountCents: -cents }, "ZAR")
    return isRefusal(decided) ? decided.message : decided.map(({ payment, kind }) => `${payment.number} ${kind}`)
  }
  expect(said(120)).toEqual(["PAY-1 completed", "PAY-2 paid"])
  expect(said(123)).toMatch(/2 payments of R\s1,20 in total left to match, not R\s1,23/)
  expect(said(120, { ...batch, bankAccountId: "b" })).toMatch(/another bank account/)
  expect(said(3, batch, all.slice(2))).toBe("BAT-1 has no payments left to match.")
})

test("a deposit's unmatched receipts must add up to the line", () => {
  const deposit = { number: "DEP-1" }
  const receipt = (number: string, amountCents: number, more: object = {}) => ({
    ...{ number, amountCents, reversedAt: null, matchedCents: 0, isHeld: false, isElsewhere: false },
    ...more,
  })
  const all = [
    receipt("REC-1", 100),
    receipt("REC-2", 20),
    receipt("REC-3", 3, { matchedCents: 1 }),
    receipt("REC-4", 4, { isHeld: true }),
    receipt("REC-5", 5, { reversedAt: "now" }),
  ]
  const said = (cents: number, receipts = all) => {
    const decided = checkLinkableTogether(deposit, receipts, cents, "ZAR")
    return isRefusal(decided) ? decided.message : decided.map(({ number }) => number)
  }
  expect(said(120)).toEqual(["REC-1", "REC-2"])
  expect(said(123)).toMatch(/^DEP-1 has R\s1,20 left to match, not R\s1,23\.$/)
  expect(said(3, all.slice(2))).toBe("DEP-1 has no receipts left to match.")
})
