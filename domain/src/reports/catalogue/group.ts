import {
  asItIs,
  calendarMonth,
  choice,
  count,
  day,
  list,
  money,
  record,
  reference,
  status,
  text,
  words,
} from "../../kernel/list.ts"
import { policyStatuses } from "../../policies/policy.ts"
import { report } from "../report.ts"

const permission = "reports.read"

export const schemePortfolio = report({
  id: "scheme_portfolio",
  name: "Scheme portfolio",
  description: "Every policy with its members, premium, claims, loss ratio, status and renewal.",
  category: "group",
  dates: { kind: "day" },
  list: list({
    key: "scheme-portfolio",
    noun: { one: "policy", many: "policies" },
    permission,
    order: "groupName",
    filters: {
      groupId: record("Employer", "group"),
      status: choice("Status", policyStatuses, asItIs(policyStatuses)),
    },
    columns: {
      groupName: text("Group", { sort: true }),
      policyNumber: reference("Policy", { sort: true }),
      status: status("Status today", asItIs(policyStatuses)),
      members: count("Members", { sort: true }),
      premiumCents: money("Premium a month", { none: "No premium", noneOf: "unrated" }),
      earnedCents: money("Premium, 12 months", { sort: true }),
      claims: count("Claims, 12 months"),
      incurredCents: money("Claims incurred", { sort: true }),
      lossRatio: count("Loss ratio %", { tenths: true, ratio: { part: "incurredCents", whole: "earnedCents" } }),
      startOn: day("Start"),
      endOn: day("Renewal"),
      timingCents: money("Timing difference", { hidden: true }),
      ledgerCents: money("Premium income of the ledger", { hidden: true }),
    },
    sums: ["members", "premiumCents", "earnedCents", "claims", "incurredCents", "timingCents", "ledgerCents"],
  }),
  subtotals: ["groupName"],
  chart: { by: "groupName", of: ["earnedCents", "incurredCents"], as: "bars" },
  details: {
    purpose: "Shows the whole book on a page: how large each scheme is, and what it brings and costs.",
    frequency: "Monthly",
    keyMetrics: ["Members covered", "Premium of 12 months", "Claims of 12 months", "Loss ratio"],
    dataPoints: [
      "Covers on the day",
      "Premium of invoices and credit notes by the month that it covers, claims expense of the ledger",
      "Policy dates",
    ],
    stakeholders: ["Management", "Underwriting", "Account managers"],
    insights: [
      "A loss ratio over 100 % means that claims cost more than the premium of the same months.",
      "Premium earned and the timing difference add up to the premium income of the ledger.",
      "Large schemes close to their renewal need attention first.",
    ],
  },
})

export const movementKinds = ["joiner", "leaver", "suspended", "resumed", "transfer", "tier_change"] as const
export const movementNames: Record<(typeof movementKinds)[number], string> = {
  joiner: "Joiner",
  leaver: "Leaver",
  suspended: "Suspended",
  resumed: "Cover resumed",
  transfer: "Transfer",
  tier_change: "Tier change",
}

export const movements = report({
  id: "movements",
  name: "Movements",
  description: "Joiners, leavers, suspensions, transfers and tier changes, with what they change in premium.",
  category: "group",
  dates: { kind: "period", start: "this month" },
  list: list({
    key: "movements",
    noun: { one: "movement", many: "movements" },
    permission,
    order: "on",
    filters: {
      groupId: record("Employer", "group"),
      movement: choice("Movement", movementKinds, movementNames),
    },
    columns: {
      on: day("Day", { sort: true }),
      movement: words("Movement", movementNames, { sort: true }),
      memberNumber: reference("Number"),
      memberName: text("Member", { sort: true }),
      groupName: text("Group", { sort: true }),
      policyNumber: reference("Policy"),
      tier: text("Benefit tier"),
      tierBefore: text("Tier before", { none: "" }),
      joined: count("Lives"),
      premiumCents: money("Premium effect", { none: "No premium", noneOf: "unrated" }),
    },
    sums: ["joined", "premiumCents"],
  }),
  subtotals: ["movement", "groupName"],
  chart: { by: "movement", of: ["joined"], as: "bars" },
  details: {
    purpose: "Shows who came and went, so that a change in premium can be explained person by person.",
    frequency: "Monthly, before the premium run",
    keyMetrics: ["Joiners less leavers", "Premium effect a month"],
    dataPoints: ["Dated covers of members", "Tier before and after", "The policy's premium or rates on the day"],
    stakeholders: ["Operations", "Underwriting", "Account managers"],
    insights: [
      "The premium effect is what a whole month costs more or less. By rates it is that of the member and their dependents on the day.",
      "Many leavers in one month may be a retrenchment: ask before the claims come.",
    ],
  },
})

export const claimsExperience = report({
  id: "claims_experience",
  name: "Claims experience",
  description: "Premium earned, claims incurred and loss ratio, by month and over 12 rolling months.",
  category: "group",
  dates: { kind: "period", start: "last 12 months" },
  list: list({
    key: "claims-experience",
    noun: { one: "policy month", many: "policy months" },
    permission,
    order: "month",
    filters: { groupId: record("Employer", "group") },
    columns: {
      month: calendarMonth("Month", { sort: true }),
      groupName: text("Group", { sort: true }),
      policyNumber: reference("Policy"),
      lossRatio: count("Loss ratio %", { tenths: true, ratio: { part: "incurredCents", whole: "earnedCents" } }),
      rollingLossRatio: count("Loss ratio %, 12 months", { tenths: true }),
      earnedCents: money("Premium earned", { sort: true }),
      incurredCents: money("Claims incurred", { sort: true }),
      rollingEarnedCents: money("Premium, 12 months"),
      rollingIncurredCents: money("Claims, 12 months"),
      timingCents: money("Timing difference"),
      ledgerCents: money("Premium income of the ledger"),
    },
    sums: ["earnedCents", "incurredCents", "timingCents", "ledgerCents"],
  }),
  subtotals: ["month", "groupName"],
  chart: { by: "month", of: ["earnedCents", "incurredCents"], as: "lines" },
  details: {
    purpose: "Shows whether a scheme's premium carries its claims, month by month and without the noise of one.",
    frequency: "Quarterly, and before a renewal",
    keyMetrics: ["Premium earned", "Claims incurred", "Loss ratio over 12 months"],
    dataPoints: [
      "Premium of invoices and credit notes by the month that it covers",
      "Claims expense of the ledger by the month in which it counts",
      "Premium income of the ledger by the month in which it counts",
    ],
    stakeholders: ["Underwriting", "Actuaries", "Management"],
    insights: [
      "One large claim moves a month; the rolling year shows the trend.",
      "Credit notes lower the premium of the month that they are for.",
      "Premium earned and the timing difference add up to the premium income of the ledger. A difference is premium of a month that was closed when it was billed.",
    ],
  },
})

export const renewals = report({
  id: "renewals",
  name: "Renewals and expiries",
  description: "Policies that end in a period, with what has changed since they started.",
  category: "group",
  dates: { kind: "period", start: "next 90 days" },
  list: list({
    key: "renewals",
    noun: { one: "policy", many: "policies" },
    permission,
    order: "endOn",
    filters: { groupId: record("Employer", "group") },
    columns: {
      endOn: day("Ends", { sort: true }),
      groupName: text("Group", { sort: true }),
      policyNumber: reference("Policy", { sort: true }),
      status: status("Status", asItIs(policyStatuses)),
      startOn: day("Started"),
      membersAtStart: count("Members at start"),
      members: count("Members now", { sort: true }),
      premiumAtStartCents: money("Premium a month at start", { none: "No premium", noneOf: "unratedAtStart" }),
      premiumCents: money("Premium a month now", { none: "No premium", noneOf: "unrated" }),
      lossRatio: count("Loss ratio %, 12 months", { tenths: true }),
    },
    sums: ["membersAtStart", "members", "premiumAtStartCents", "premiumCents"],
  }),
  subtotals: ["groupName"],
  details: {
    purpose: "Shows which policies come up for renewal, early enough to talk to the employer.",
    frequency: "Monthly",
    keyMetrics: ["Policies that end", "Members on them", "Loss ratio"],
    dataPoints: ["End dates", "Covers and premiums at the start and today", "Premium and claims of 12 months"],
    stakeholders: ["Account managers", "Underwriting", "Management"],
    insights: [
      "A scheme that has grown since its start may deserve better rates.",
      "Cover ends with the policy: what is not renewed expires automatically.",
    ],
  },
})
