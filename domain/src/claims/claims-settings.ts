import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { setting } from "../kernel/setting.ts"
import { templateSetting } from "../platform/mail-template-shape.ts"
import { claimTypes, documentTypes } from "./claim.ts"
import type { PromisedDays } from "./claim-clock.ts"
import { claimDecisionTemplate, documentsRequestedTemplate } from "./claim-mails.ts"
import { type DocumentRule, defaultDocumentRules, sortDocuments } from "./required-documents.ts"

const documentRule = z.strictObject({
  claimType: z.enum(claimTypes, "Choose a claim type"),
  benefitId: z.uuid().nullable(),
  anyOf: z.array(z.enum(documentTypes)).min(1, "Choose at least one document").overwrite(sortDocuments),
  dependentsOnly: z.boolean(),
  aboveCents: cents.min(1, "Enter an amount above zero").nullable(),
}) satisfies z.ZodType<DocumentRule>

const promisedDays = (type: string, initial: number) =>
  setting(
    z.int("Enter a number of working days").min(1, "At least 1 working day").max(90, "At most 90 working days"),
    initial,
    {
      kind: "number",
      label: `${type} (working days)`,
      unit: "a number of working days",
    },
  )

const dayCount = z.int("Enter a number of days").min(1, "At least 1 day").max(366, "At most 366 days")

export const claimsSettings = {
  /** Days that a claimant has to appeal against a rejection. */
  objectionDays: setting(dayCount, 90, {
    kind: "number",
    label: "Time to appeal",
    help: "Days after a rejection in which the claimant can appeal. A late appeal can still be accepted",
    unit: "a number of days",
  }),
  /** Days in which an appeal must be decided. */
  objectionAnswerDays: setting(dayCount, 45, {
    kind: "number",
    label: "Time to answer an appeal",
    help: "Days after an appeal is received in which it must be decided",
    unit: "a number of days",
  }),
  requiredDocuments: setting(z.array(documentRule).max(100, "At most 100 requirements"), defaultDocumentRules),
  /** Days from complete documents to the decision. Each claim keeps the promise of its submission. */
  deathPromiseDays: promisedDays("Death", 2),
  disabilityPromiseDays: promisedDays("Disability", 10),
  medicalPromiseDays: promisedDays("Medical", 10),
  maternityPromiseDays: promisedDays("Maternity", 10),
  otherPromiseDays: promisedDays("Other", 10),
  extraHolidays: setting(
    z
      .array(day)
      .max(100, "At most 100 days")
      .overwrite((days) => [...new Set(days)].sort()),
    [],
    {
      kind: "lines",
      label: "Extra public holidays",
      help: "Days announced for one year, such as an election day: one per line, as YYYY-MM-DD. The yearly public holidays are included already. Due days of open claims are computed again",
      placeholder: "2026-11-04",
    },
  ),
  documentsRequestedMail: templateSetting(documentsRequestedTemplate),
  claimDecisionMail: templateSetting(claimDecisionTemplate),
}

type ClaimsPromises = Record<`${keyof PromisedDays}PromiseDays`, number>

export const promisedDaysOf = (settings: ClaimsPromises): PromisedDays => ({
  death: settings.deathPromiseDays,
  disability: settings.disabilityPromiseDays,
  medical: settings.medicalPromiseDays,
  maternity: settings.maternityPromiseDays,
  other: settings.otherPromiseDays,
})
