import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { maxRetentionYears, minRetentionYears } from "./retention.ts"

/** Specification 2, section 9. */
export const privacySettings = {
  /** Years from the end of membership until people without open business are anonymised. */
  retentionYears: setting(
    z
      .int("Enter a number of years")
      .min(minRetentionYears, `At least ${minRetentionYears} years: the law requires records to be kept that long`)
      .max(maxRetentionYears, `At most ${maxRetentionYears} years`),
    7,
    {
      kind: "number",
      label: "Data retention (years)",
      help: "Members who left longer ago and have no open claims, invoices or payments are anonymised. Older e-mails and documents are deleted. Amounts are kept without names",
      unit: "a number of years",
    },
  ),
  /** Removes due records a week after they were listed; if off, an administrator confirms yearly. */
  autoRetention: setting(z.boolean(), false, {
    kind: "switch",
    label: "Remove automatically",
    help: "Removes records one week after they are first listed below. If off, an administrator confirms the removal once a year",
  }),
}
