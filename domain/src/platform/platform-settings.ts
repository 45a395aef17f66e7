import { z } from "zod"
import { dayFormats } from "../kernel/calendar.ts"
import { asItIs } from "../kernel/list.ts"
import { currencies, currencySigns } from "../kernel/money.ts"
import { setting } from "../kernel/setting.ts"
import { fileTypes, largestMegabytes, usualMegabytes } from "./documents.ts"
import { organisation } from "./organisation-shape.ts"

/** Specification 2, section 9. */
export const timezones = ["Africa/Johannesburg", "UTC", "America/New_York"] as const
export type Timezone = (typeof timezones)[number]

export const platformSettings = {
  organisation: setting(organisation, {
    name: "Milkwood",
    vatNumber: "",
    address: "",
    bankAccount: { bank: "", accountHolder: "", accountNumber: "", branchCode: "" },
  }),
  /** for "today", due days and schedules */
  timezone: setting(z.enum(timezones), "Africa/Johannesburg", {
    kind: "choice",
    label: "Timezone",
    help: "Decides when a new day begins",
    names: asItIs(timezones),
  }),
  dateFormat: setting(z.enum(dayFormats), "YYYY-MM-DD", {
    kind: "choice",
    label: "Date format",
    help: "Used wherever a date is shown",
    names: asItIs(dayFormats),
  }),
  /** cannot change once anything was posted: amounts are never converted */
  currency: setting(z.enum(currencies), "ZAR", {
    kind: "choice",
    label: "Currency",
    help: "Of all amounts, on screens, documents and files; it stays once an amount is recorded",
    names: Object.fromEntries(currencies.map((value) => [value, `${value} (${currencySigns[value]})`])),
  }),
  /** applies to documents and imported lists */
  maxFileMegabytes: setting(
    z.int("Give whole megabytes").min(1, "At least 1 MB").max(largestMegabytes, `At most ${largestMegabytes} MB`),
    usualMegabytes,
    {
      kind: "number",
      label: "Maximum file size (MB)",
      help: "For documents of claims and policies, and for imported staff lists and remittance lists",
      unit: "whole megabytes",
    },
  ),
  /** lists may always be CSV */
  allowedFileTypes: setting(
    z
      .array(z.enum(fileTypes))
      .min(1, "Allow at least one type of file")
      .overwrite((types) => fileTypes.filter((type) => types.includes(type))),
    [...fileTypes],
    {
      kind: "several",
      label: "Allowed file types",
      help: "For the same files; a list may always be CSV. PDFs and pictures are shown on the page, other files are downloaded. Files uploaded earlier are kept",
      names: asItIs(fileTypes),
    },
  ),
  /** also records views of records; changes and reads of medical documents are always recorded */
  auditLogging: setting(z.boolean(), true, {
    kind: "switch",
    label: "Audit logging",
    help: "Also records who viewed which record. Changes, and views of medical documents, are always recorded",
  }),
  /** also attaches scheduled reports for recipients without an account; never reports with medical fields */
  attachReportsOutside: setting(z.boolean(), false, {
    kind: "switch",
    label: "Attach reports for outside recipients",
    help: "Scheduled reports also go as attachments to recipients without an account here; never those that may hold medical details",
  }),
  /** report files are deleted after this many days; the record that they were made remains */
  keepReportsDays: setting(
    z.int("Give a number of days").min(30, "At least 30 days").max(3_650, "At most 3 650 days"),
    365,
    {
      kind: "number",
      label: "Keep generated reports (days)",
      help: "Their files are then deleted; the record that they were made is kept",
      unit: "a number of days",
    },
  ),
}
