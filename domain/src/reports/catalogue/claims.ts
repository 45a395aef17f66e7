import { claimStatuses, claimStatusNames, claimTabs, claimTypeNames, claimTypes } from "../../claims/claim.ts"
import {
  calendarMonth,
  choice,
  count,
  day,
  flag,
  list,
  money,
  namesFromValues,
  record,
  reference,
  status,
  text,
  words,
} from "../../kernel/list.ts"
import { report } from "../report.ts"

const permission = "reports.read"

export const claimsRegister = report({
  id: "claims_register",
  name: "Claims register (bordereau)",
  description: "Claims submitted in a period, with their amounts and dates.",
  category: "claims",
  dates: { kind: "period", start: "last 30 days" },
  list: list({
    key: "claims-register",
    noun: { one: "claim", many: "claims" },
    permission,
    order: "submittedOn",
    filters: {
      groupId: record("Employer", "group"),
      status: choice("Status", claimStatuses, claimStatusNames),
      claimType: choice("Type", claimTypes, claimTypeNames),
    },
    columns: {
      number: reference("Claim", { sort: true }),
      memberName: text("Member", { sort: true }),
      groupName: text("Group", { sort: true }),
      policyNumber: reference("Policy"),
      claimType: words("Type", claimTypeNames),
      benefit: text("Benefit", { none: "" }),
      incidentOn: day("Incident"),
      submittedOn: day("Submitted", { sort: true }),
      decidedOn: day("Decided"),
      requestedCents: money("Requested", { sort: true }),
      approvedCents: money("Approved"),
      paidCents: money("Paid"),
      status: status("Status", claimStatusNames),
    },
    sums: ["requestedCents", "approvedCents", "paidCents"],
  }),
  subtotals: ["groupName"],
  chart: { by: "status", of: ["requestedCents"], as: "bars" },
  details: {
    purpose: "Lists the claims of a period for reinsurers and auditors, without medical details.",
    frequency: "Monthly",
    keyMetrics: ["Requested", "Approved", "Paid"],
    dataPoints: ["Incident, submission and decision", "Amounts", "Status today"],
    stakeholders: ["Reinsurers", "Claims", "Finance"],
    insights: [
      "Requested less approved is the amount saved by reductions and rejections.",
      "Approved less paid is the amount still to be paid from the bank.",
    ],
  },
})

/** An approved claim is outstanding until it is paid. */
const outstandingStages = [...claimTabs.pending, "approved"] as const

export const outstandingClaims = report({
  id: "outstanding_claims",
  name: "Outstanding claims",
  description: "Unsettled claims by stage, age and amount, with the reserve for them.",
  category: "claims",
  dates: { kind: "now" },
  list: list({
    key: "outstanding-claims",
    noun: { one: "claim", many: "claims" },
    permission,
    order: "-waitingDays",
    filters: {
      groupId: record("Employer", "group"),
      status: choice("Stage", outstandingStages, claimStatusNames),
      overdue: flag("Waiting more than 7 days"),
    },
    columns: {
      number: reference("Claim", { sort: true }),
      memberName: text("Member", { sort: true }),
      groupName: text("Group", { sort: true }),
      claimType: words("Type", claimTypeNames),
      status: status("Stage", claimStatusNames),
      submittedOn: day("Submitted"),
      waitingDays: count("Days", { sort: true }),
      age: text("Age"),
      requestedCents: money("Requested"),
      approvedCents: money("Approved"),
      reserveCents: money("Reserve", { sort: true }),
    },
    sums: ["requestedCents", "reserveCents"],
  }),
  subtotals: ["groupName"],
  chart: { by: "status", of: ["reserveCents"], as: "bars" },
  details: {
    purpose: "Shows what open claims may still cost, and at which stage they wait.",
    frequency: "Weekly, and at month end",
    keyMetrics: ["Claims outstanding", "Reserve", "Claims waiting more than 7 days"],
    dataPoints: ["Stage", "Days since submission", "Requested amount", "Reserve, or approved amount not paid yet"],
    stakeholders: ["Claims", "Finance", "Actuaries"],
    insights: [
      "The reserve is the amount that an undecided claim is expected to pay, and the unpaid amount of an approved claim.",
      "A stage with many waiting claims needs more staff.",
    ],
  },
})

export const claimReserves = report({
  id: "claim_reserves",
  name: "Claim reserves by month",
  description: "How the reserves of open claims moved from month to month.",
  category: "claims",
  dates: { kind: "period", start: "last 12 months" },
  list: list({
    key: "claim-reserves",
    noun: { one: "month", many: "months" },
    permission,
    order: "month",
    filters: { groupId: record("Employer", "group") },
    columns: {
      month: calendarMonth("Month", { sort: true }),
      openingCents: money("Opening"),
      submittedCents: money("Submitted"),
      changedCents: money("Claim changed"),
      setCents: money("Set by a manager"),
      reopenedCents: money("Reopened"),
      approvedCents: money("Released by approval"),
      otherwiseCents: money("Released otherwise"),
      closingCents: money("Closing", { sort: true }),
    },
    sums: ["submittedCents", "changedCents", "setCents", "reopenedCents", "approvedCents", "otherwiseCents"],
  }),
  chart: { by: "month", of: ["closingCents"], as: "lines" },
  details: {
    purpose: "Explains the change in claims outstanding between two month ends.",
    frequency: "Monthly, at month end",
    keyMetrics: ["Closing reserve", "Reserves of submitted claims", "Reserves released by approval"],
    dataPoints: [
      "Movements of reserves by their day",
      "Open claims taken on by an update, as submitted",
      "Withdrawn approvals, as reopened",
    ],
    stakeholders: ["Finance", "Claims", "Actuaries", "Auditors"],
    insights: [
      "The opening reserve and the movements of a month add up to its closing reserve.",
      "The closing reserve of a month equals the balance of claims outstanding in the ledger.",
      "Released otherwise is the reserve of rejected and withdrawn claims.",
    ],
  },
})

export const turnaroundStages = [
  "Review",
  "Group administrator",
  "Underwriter",
  "Policy holder",
  "Submission to decision",
] as const

export const turnaround = report({
  id: "turnaround",
  name: "Turnaround",
  description:
    "Days per stage for claims decided in a period, compared with the seven-day target and with the promise in working days.",
  category: "claims",
  dates: { kind: "period", start: "last 30 days" },
  list: list({
    key: "turnaround",
    noun: { one: "stage", many: "stages" },
    permission,
    order: "place",
    sorts: ["place"],
    columns: {
      stage: text("Stage"),
      claims: count("Claims"),
      averageDays: count("Average days", { tenths: true }),
      medianDays: count("Median days", { tenths: true }),
      longestDays: count("Longest"),
      inTime: count("Within 7 days"),
      late: count("Over 7 days"),
      inTimePercent: count("On time %", { tenths: true }),
      kept: count("Promise kept"),
      missed: count("Promise missed"),
      keptPercent: count("Promise kept %", { tenths: true }),
    },
  }),
  chart: { by: "stage", of: ["averageDays", "medianDays"], as: "bars" },
  details: {
    purpose: "Shows how long people wait for a decision, and at which stage.",
    frequency: "Monthly",
    keyMetrics: ["Average and median days", "Share within 7 days", "Share of promises kept"],
    dataPoints: ["Submission, routing and each stage's decision"],
    stakeholders: ["Claims", "Management", "Compliance"],
    insights: [
      "A median far below the average means that a few claims take very long.",
      "Weekends count: a claim waiting over a weekend gains two days.",
      "The days of a reopened claim count from its reopening.",
      "The promise counts working days from complete documents to the decision, without the time that documents were asked for.",
    ],
  },
})

export const outcomes = ["Approved", "Reduced", "Rejected"] as const

export const decisions = report({
  id: "decisions",
  name: "Decisions",
  description: "Approved, reduced and rejected claims of a period, by benefit, reason and approver.",
  category: "claims",
  dates: { kind: "period", start: "last 30 days" },
  // Rejection reasons are free text and may contain medical details.
  medical: true,
  list: list({
    key: "decisions",
    noun: { one: "line", many: "lines" },
    permission,
    order: "outcome",
    filters: {
      outcome: choice("Outcome", outcomes, namesFromValues(outcomes)),
    },
    columns: {
      outcome: words("Outcome", namesFromValues(outcomes), { sort: true }),
      benefit: text("Benefit"),
      approver: text("Decided by", { sort: true }),
      reason: text("Reason", { none: "" }),
      claims: count("Claims", { sort: true }),
      requestedCents: money("Requested", { sort: true }),
      approvedCents: money("Approved"),
    },
    sums: ["claims", "requestedCents", "approvedCents"],
  }),
  subtotals: ["outcome", "approver"],
  chart: { by: "outcome", of: ["claims"], as: "bars" },
  details: {
    purpose: "Shows how claims were decided, by whom and why, so that similar cases are treated alike.",
    frequency: "Monthly",
    keyMetrics: ["Share approved", "Share reduced", "Share rejected"],
    dataPoints: ["Final decision", "Reasons for reductions and rejections", "Benefit", "Approver"],
    stakeholders: ["Claims", "Underwriting", "Compliance"],
    insights: [
      "If a benefit is rejected often, it may be described incorrectly when it is sold.",
      "Reasons are free text and may contain medical details, so this report is never sent as an attachment.",
    ],
  },
})
