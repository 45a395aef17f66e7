import { templateSetting } from "../platform/mail-template-shape.ts"
import { claimDecisionTemplate, documentsRequestedTemplate } from "./claim-mails.ts"

/** The words of the mails about claims. */
export const claimsSettings = {
  documentsRequestedMail: templateSetting(documentsRequestedTemplate),
  claimDecisionMail: templateSetting(claimDecisionTemplate),
}
