import { invoiceTemplate } from "../billing/invoice-mail.ts"
import { claimDecisionTemplate, documentsRequestedTemplate } from "../claims/claim-mails.ts"
import { premiumTemplates } from "../collection/premium-mail.ts"
import type { MailTemplate } from "../platform/mail-template.ts"
import { scheduleTemplate } from "../platform/schedule-mail.ts"
import { expiryTemplate } from "../policies/expiry-mail.ts"
import { invitationTemplate } from "../users/invitation-mail.ts"

export const mailTemplates = {
  invitationMail: invitationTemplate,
  invoiceMail: invoiceTemplate,
  reminderMail: premiumTemplates.reminder,
  graceNoticeMail: premiumTemplates.notice,
  policyExpiryMail: expiryTemplate,
  documentsRequestedMail: documentsRequestedTemplate,
  claimDecisionMail: claimDecisionTemplate,
  scheduleMail: scheduleTemplate,
} satisfies Record<string, MailTemplate>

export type MailTemplateName = keyof typeof mailTemplates
export const mailTemplateNames = Object.keys(mailTemplates) as [MailTemplateName, ...MailTemplateName[]]

export const isMailTemplate = (key: string): key is MailTemplateName => Object.hasOwn(mailTemplates, key)
