import { z } from "zod"
import { dayFormats } from "../kernel/calendar.ts"
import { namesFromValues } from "../kernel/list.ts"
import { currencies, currencySigns } from "../kernel/money.ts"
import { setting } from "../kernel/setting.ts"
import { defaultMaxMegabytes, fileTypes, maxMegabytes } from "./documents.ts"
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
    help: "Determines when a new day begins",
    names: namesFromValues(timezones),
  }),
  dateFormat: setting(z.enum(dayFormats), "YYYY-MM-DD", {
    kind: "choice",
    label: "Date format",
    help: "Used wherever a date is shown",
    names: namesFromValues(dayFormats),
  }),
  /** cannot change once anything was posted: amounts are never converted */
  currency: setting(z.enum(currencies), "ZAR", {
    kind: "choice",
    label: "Currency",
    help: "Currency of all amounts on screens, documents and files. You cannot change it after the first amount is recorded",
    names: Object.fromEntries(currencies.map((value) => [value, `${value} (${currencySigns[value]})`])),
  }),
  /** applies to documents and imported lists */
  maxFileMegabytes: setting(
    z.int("Enter a whole number of megabytes").min(1, "At least 1 MB").max(maxMegabytes, `At most ${maxMegabytes} MB`),
    defaultMaxMegabytes,
    {
      kind: "number",
      label: "Maximum file size (MB)",
      help: "Applies to documents of claims and policies, and to imported staff lists and remittance lists",
      unit: "whole megabytes",
    },
  ),
  /** lists may always be CSV */
  allowedFileTypes: setting(
    z
      .array(z.enum(fileTypes))
      .min(1, "Allow at least one file type")
      .overwrite((types) => fileTypes.filter((type) => types.includes(type))),
    [...fileTypes],
    {
      kind: "several",
      label: "Allowed file types",
      help: "Applies to the same files; lists can always be CSV. PDFs and images open on the page; other files are downloaded. A change does not affect files already uploaded",
      names: namesFromValues(fileTypes),
    },
  ),
  /** also records views of records; changes and openings of claim documents are always recorded */
  auditLogging: setting(z.boolean(), true, {
    kind: "switch",
    label: "Audit logging",
    help: "Also records who viewed which record. Changes and openings of claim documents are always recorded",
  }),
  /** also attaches scheduled reports for recipients without an account; never reports with medical fields */
  attachReportsOutside: setting(z.boolean(), false, {
    kind: "switch",
    label: "Attach reports for outside recipients",
    help: "Attaches scheduled reports for recipients without an account, except reports that may contain medical details",
  }),
  /** report files are deleted after this many days; the record that they were made remains */
  keepReportsDays: setting(
    z.int("Enter a number of days").min(30, "At least 30 days").max(3_650, "At most 3 650 days"),
    365,
    {
      kind: "number",
      label: "Keep generated reports (days)",
      help: "Files are then deleted; the list still shows the generated reports",
      unit: "a number of days",
    },
  ),
}
