import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { templateSetting } from "../platform/mail-template-shape.ts"
import { claimDecisionTemplate, documentsRequestedTemplate } from "./claim-mails.ts"

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
  documentsRequestedMail: templateSetting(documentsRequestedTemplate),
  claimDecisionMail: templateSetting(claimDecisionTemplate),
}
