import { templateSetting } from "../platform/mail-template-shape.ts"
import { claimDecisionTemplate, documentsRequestedTemplate } from "./claim-mails.ts"

export const claimsSettings = {
  documentsRequestedMail: templateSetting(documentsRequestedTemplate),
  claimDecisionMail: templateSetting(claimDecisionTemplate),
}
