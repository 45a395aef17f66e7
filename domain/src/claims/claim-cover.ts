import {
  graceEndOn,
  type OpenPremium,
  type PremiumEvidence,
  premiumStanding,
  premiumStateNames,
} from "../billing/premium-standing.ts"
import { addMonths, type Day, type DayFormat, formatDay, formatMonth, formatMonths } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import { type Relationship, relationshipText } from "../members/member.ts"
import type { CauseOfDeath } from "./claim.ts"
import type { CoverLimit } from "./claim-limit.ts"

export interface CoverEvidence {
  incidentOn: Day
  requestedAmountCents: Cents
  /** `kind`: in force or suspended on that day; null means neither. */
  policy: { number: string; startOn: Day | null; endOn: Day | null; kind: "active" | "suspended" | null }
  /** `kind` is null if the member had no cover on the day; `since` is the first day of cover in the policy. */
  member: { kind: "covered" | "suspended" | null; since: Day | null }
  /** The insured dependent, with the first day of their own cover; null if the member is insured. */
  dependent: { name: string; relationship: Relationship; isCovered: boolean; since: Day | null } | null
  /** First day of the person's cover by this benefit (`coverOf`); null without cover. */
  coveredSince: Day | null
  waitingPeriodMonths: number
  /** Whether the policy's product type is a funeral product. */
  isFuneral: boolean
  /** Null for claims of other types; "unknown" for readers without medical access, whom the check must not tell. */
  causeOfDeath: CauseOfDeath | null
  /** Premiums up to the month of the incident: open amounts of sent invoices, and the member's unbilled months. */
  premiums: PremiumEvidence
  today: Day
  /** Days after the due day on which an incident is still covered without payment. */
  graceDays: number
  limit: Omit<CoverLimit, "childCap">
}

export const coverChecks = ["policy", "member", "waiting", "premiums", "maximum"] as const

export const coverResults = ["pass", "open", "fail"] as const

export interface CoverLine {
  check: (typeof coverChecks)[number]
  title: string
  /** `open`: not yet due, so neither passed nor failed. */
  result: (typeof coverResults)[number]
  label: string
  evidence: string
}

/**
 * The cover check: five lines, each with a result and evidence. It informs and blocks nothing. Without medical data, so
 * that every reader of the claim may see it.
 */
export function coverCheck(found: CoverEvidence, format: DayFormat, currency: Currency): CoverLine[] {
  return [
    policyLine(found, format),
    memberLine(found, format),
    waitingLine(found, format),
    premiumLine(found, format, currency),
    maximumLine(found, currency),
  ]
}

const passOrResult = (passed: boolean) =>
  passed ? ({ result: "pass", label: "Pass" } as const) : ({ result: "fail", label: "Fail" } as const)

function policyLine({ policy, incidentOn }: CoverEvidence, format: DayFormat): CoverLine {
  const title = "Policy active on the incident date"
  const on = formatDay(incidentOn, format)
  const line = (passed: boolean, evidence: string): CoverLine => ({
    check: "policy",
    title,
    ...passOrResult(passed),
    evidence,
  })
  if (policy.kind === "suspended") return line(false, `${policy.number} was suspended on ${on}.`)
  if (policy.kind === null) return line(false, `${policy.number} was not in force on ${on}.`)
  const from = policy.startOn ? ` from ${formatDay(policy.startOn, format)}` : ""
  const to = policy.endOn ? ` to ${formatDay(policy.endOn, format)}` : ""
  return line(true, `${policy.number} runs${from}${to}.`)
}

function memberLine({ member, dependent, incidentOn }: CoverEvidence, format: DayFormat): CoverLine {
  const on = formatDay(incidentOn, format)
  const evidence =
    member.kind === "covered"
      ? `Covered since ${member.since ? formatDay(member.since, format) : on}.`
      : member.kind === "suspended"
        ? `The member was suspended on ${on}.`
        : `The member had no cover on ${on}.`
  const passed = member.kind === "covered" && (dependent === null || dependent.isCovered)
  const title = "Member active on the incident date"
  if (dependent === null) return { check: "member", title, ...passOrResult(passed), evidence }
  const person = `${dependent.name} (${relationshipText(dependent.relationship)})`
  const ofDependent = dependent.isCovered
    ? `${person} covered since ${dependent.since ? formatDay(dependent.since, format) : on}.`
    : `${person} had no cover on ${on}.`
  return { check: "member", title, ...passOrResult(passed), evidence: `${evidence} ${ofDependent}` }
}

/**
 * A funeral product has no waiting period for accidental death: Policyholder Protection Rules (Long-term Insurance),
 * 2017, rule 2A.6.2.
 */
function waitingLine(
  { dependent, coveredSince: since, waitingPeriodMonths: months, incidentOn, isFuneral, causeOfDeath }: CoverEvidence,
  format: DayFormat,
): CoverLine {
  const title = "Waiting period over"
  if (months === 0)
    return { check: "waiting", title, ...passOrResult(true), evidence: "The policy has no waiting period." }
  if (!since) {
    const evidence = `${dependent ? `${dependent.name}'s` : "The member's"} cover had not begun.`
    return { check: "waiting", title, ...passOrResult(false), evidence }
  }
  const over = addMonths(since, months)
  const evidence = `${months} ${months === 1 ? "month" : "months"} from ${formatDay(since, format)}: incidents are covered from ${formatDay(over, format)}.`
  if (incidentOn < over && isFuneral && (causeOfDeath === "accident" || causeOfDeath === "unknown")) {
    const outcome =
      causeOfDeath === "accident"
        ? passOrResult(true)
        : ({ result: "open", label: "Depends on the cause of death" } as const)
    return { check: "waiting", title, ...outcome, evidence: `${evidence} An accidental death has no waiting period.` }
  }
  return { check: "waiting", title, ...passOrResult(incidentOn >= over), evidence }
}

function premiumLine(
  { premiums, incidentOn, today, graceDays }: CoverEvidence,
  format: DayFormat,
  currency: Currency,
): CoverLine {
  const standing = premiumStanding(premiums, { on: incidentOn, today }, graceDays)
  const { state, late, inGrace, notDue, neverBilled, notBilledYet } = standing
  const on = (day: Day) => formatDay(day, format)
  const amount = (open: OpenPremium[]) =>
    `${formatMoney(
      open.reduce((sum, { openCents }) => sum + openCents, 0),
      currency,
    )} on ${open.map(({ number }) => number).join(", ")}`
  const sentences: string[] = []
  if (late[0]) sentences.push(`Unpaid since ${on(late[0].dueOn)}: ${amount(late)}.`)
  if (neverBilled.length > 0) sentences.push(`${formatMonths(neverBilled)} not billed.`)
  if (inGrace[0]) {
    const { dueOn } = inGrace[0]
    const until = on(graceEndOn(dueOn, graceDays))
    sentences.push(
      `${amount(inGrace)} was due ${on(dueOn)}; cover continues until ${until}, so the incident is covered.`,
    )
  }
  if (notDue[0]) sentences.push(`${amount(notDue)} due ${on(notDue[0].dueOn)}.`)
  if (notBilledYet.length > 0) sentences.push(`${formatMonths(notBilledYet)} not billed yet.`)
  if (state === "paid") {
    const upTo = `up to ${formatMonth(incidentOn)}`
    sentences.push(premiums.monthsOwed === 0 ? `No premium was owed ${upTo}.` : `Paid ${upTo}.`)
  }
  return {
    check: "premiums",
    title: "Premiums paid up to the incident date",
    result: ({ paid: "pass", in_grace: "pass", not_due: "open", unpaid: "fail" } as const)[state],
    label: premiumStateNames[state],
    evidence: `${sentences.join(" ")} As at ${on(today)}.`,
  }
}

function maximumLine({ requestedAmountCents, limit }: CoverEvidence, currency: Currency): CoverLine {
  const { limitCents, working } = limit
  return {
    check: "maximum",
    title: "Amount within the maximum cover",
    ...passOrResult(limitCents === null || requestedAmountCents <= limitCents),
    evidence: [`${formatMoney(requestedAmountCents, currency)} requested.`, ...working].join(" "),
  }
}
