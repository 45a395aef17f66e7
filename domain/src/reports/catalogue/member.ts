import { choice, count, day, list, money, record, reference, text, words } from "../../kernel/list.ts"
import { dependentFields } from "../../members/dependent-fields.ts"
import { relationships } from "../../members/member.ts"
import { report } from "../report.ts"

const permission = "reports.read"

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).replaceAll("_", " ")
const namesOf = <const V extends string>(values: readonly V[]) =>
  Object.fromEntries(values.map((value) => [value, capitalize(value)])) as Record<V, string>

const genderNames = { male: "Male", female: "Female", other: "Other" }
export const coverKinds = ["covered", "suspended"] as const

export const memberRegister = report({
  id: "member_register",
  name: "Member register (bordereau)",
  description: "Everyone covered on a day: identity, group, tier, cover and premium.",
  category: "member",
  dates: { kind: "day" },
  list: list({
    key: "member-register",
    noun: { one: "member", many: "members" },
    permission,
    order: "number",
    filters: {
      groupId: record("Employer", "group"),
      policyId: record("Policy", "policy"),
      cover: choice("Cover", coverKinds, namesOf(coverKinds)),
    },
    columns: {
      number: reference("Number", { sort: true }),
      name: text("Name", { sort: true }),
      idNumber: text("ID or passport number", { none: "" }),
      dateOfBirth: day("Date of birth"),
      gender: words("Gender", genderNames, { none: "" }),
      groupName: text("Group", { sort: true }),
      policyNumber: reference("Policy"),
      tier: text("Benefit tier"),
      cover: words("Cover", namesOf(coverKinds)),
      startOn: day("Join date"),
      dependents: count("Dependents"),
      premiumCents: money("Premium", { none: "No premium", noneOf: "unrated", lacks: "withoutRate" }),
      withoutRate: count("Without a rate", { hidden: true }),
    },
    sums: ["dependents", "premiumCents", "withoutRate"],
  }),
  subtotals: ["groupName"],
  details: {
    purpose: "Lists all covered lives on a day, for reinsurers and auditors.",
    frequency: "Monthly",
    keyMetrics: ["Members covered", "Dependents covered", "Premium per month"],
    dataPoints: ["Cover on the report date", "Identity", "Tier and premium"],
    stakeholders: ["Reinsurers", "Underwriting", "Operations"],
    insights: [
      "The premium run bills for the number of covered members.",
      "Suspended members are listed without a premium.",
    ],
  },
})

const { relationship } = dependentFields

export const dependentsReport = report({
  id: "dependents",
  name: "Dependents and family composition",
  description: "Dependents covered on a day, by relationship and age.",
  category: "member",
  dates: { kind: "day" },
  list: list({
    key: "dependents",
    noun: { one: "dependent", many: "dependents" },
    permission,
    order: "memberNumber",
    filters: {
      groupId: record("Employer", "group"),
      relationship: choice(relationship.label, relationships, relationship.names),
    },
    columns: {
      memberNumber: reference("Member", { sort: true }),
      memberName: text("Member name", { sort: true }),
      groupName: text("Group", { sort: true }),
      name: text("Dependent", { sort: true }),
      relationship: words(relationship.label, relationship.names),
      idNumber: text(dependentFields.idNumber.label, { none: "" }),
      dateOfBirth: day(dependentFields.dateOfBirth.label),
      age: count("Age"),
      gender: words(dependentFields.gender.label, dependentFields.gender.names, { none: "" }),
      fromOn: day("Covered from"),
      untilOn: day("Covered until"),
      lives: count("Lives", { hidden: true }),
    },
    sums: ["lives"],
  }),
  chart: { by: "relationship", of: ["lives"], as: "bars" },
  details: {
    purpose: "Shows each member's family, and children who will soon be too old for cover.",
    frequency: "Quarterly",
    keyMetrics: ["Dependents covered", "Dependents per member"],
    dataPoints: ["Relationship", "Age on the day", "Cover start and end"],
    stakeholders: ["Underwriting", "Operations", "Actuaries"],
    insights: [
      "Children over 21 usually need proof that they are studying.",
      "Dependents without a date of birth cannot be rated by age.",
    ],
  },
})

export const ageBands = [
  "Under 25",
  "25 to 34",
  "35 to 44",
  "45 to 54",
  "55 to 64",
  "65 and over",
  "Not known",
] as const

export const agesAndLives = report({
  id: "ages_and_lives",
  name: "Ages and lives",
  description: "Members by age band, gender and tier, with the sums insured.",
  category: "member",
  dates: { kind: "day" },
  list: list({
    key: "ages-and-lives",
    noun: { one: "line", many: "lines" },
    permission,
    order: "place",
    sorts: ["place"],
    filters: { groupId: record("Employer", "group") },
    columns: {
      band: text("Age"),
      gender: words("Gender", genderNames, { none: "Not known" }),
      tier: text("Benefit tier"),
      lives: count("Lives", { sort: true }),
      averageAge: count("Average age", { tenths: true }),
      insuredCents: money("Sums insured", { sort: true }),
    },
    sums: ["lives", "insuredCents"],
  }),
  chart: { by: "band", of: ["lives"], as: "bars" },
  details: {
    purpose: "Shows the ages of covered lives, which determine the cost of their cover.",
    frequency: "Quarterly, and before a renewal",
    keyMetrics: ["Lives", "Average age", "Sums insured"],
    dataPoints: ["Age on the day", "Gender", "Tier", "The policy's sum assured"],
    stakeholders: ["Actuaries", "Underwriting", "Reinsurers"],
    insights: [
      "An average age that rises every year increases the cost of risk.",
      "Lives without a date of birth are listed separately: add the missing dates.",
    ],
  },
})

export const dataProblems = ["missing", "id_conflict", "several_groups"] as const
export const dataProblemNames: Record<(typeof dataProblems)[number], string> = {
  missing: "Missing field",
  id_conflict: "ID conflict",
  several_groups: "In several groups",
}

export const doubtfulData = report({
  id: "doubtful_data",
  name: "Incomplete or conflicting data",
  description: "Missing fields, ID numbers that do not match a date of birth, and people in several groups.",
  category: "member",
  dates: { kind: "now" },
  list: list({
    key: "doubtful-data",
    noun: { one: "problem", many: "problems" },
    permission,
    order: "memberNumber",
    filters: {
      groupId: record("Employer", "group"),
      problem: choice("Problem", dataProblems, dataProblemNames),
    },
    columns: {
      memberNumber: reference("Number", { sort: true }),
      memberName: text("Member", { sort: true }),
      groupName: text("Group", { sort: true }),
      policyNumber: reference("Policy"),
      problem: words("Problem", dataProblemNames, { sort: true }),
      what: text("Details"),
      problems: count("Problems", { hidden: true }),
    },
    sums: ["problems"],
  }),
  chart: { by: "problem", of: ["problems"], as: "bars" },
  details: {
    purpose: "Shows problems in the member data before they affect a claim or an invoice.",
    frequency: "Weekly",
    keyMetrics: ["Problems by kind", "Problems by group"],
    dataPoints: [
      "Missing fields of members",
      "ID number against date of birth",
      "The same ID number in several groups",
    ],
    stakeholders: ["Operations", "Employers' HR"],
    insights: [
      "A member without an ID number cannot be matched to a claim reliably.",
      "A person in several groups may be covered twice.",
    ],
  },
})
