import { fillMail, samplesOf } from "@milkwood/domain/platform/mail-template"
import { mailTextOf } from "@milkwood/domain/platform/mail-template-shape"
import { mailTemplates } from "@milkwood/domain/settings/mail-templates"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { invalidInput, multiTransactionProcedure } from "../platform/calls/commands.ts"
import { sendMailNow } from "./send-test-mail.ts"

export const sendTemplate = multiTransactionProcedure(settingsContract.outbox.sendTemplate, (cx) => {
  const template = mailTemplates[cx.input.template]
  const checked = mailTextOf(template).safeParse(cx.input.mail)
  if (!checked.success)
    throw invalidInput(checked.error.issues.map(({ path, message }) => ({ path: `mail.${path.join(".")}`, message })))
  const { subject, text } = fillMail(checked.data, samplesOf(template, cx.currency))
  return sendMailNow(cx, () => ({ subject: `Test: ${subject}`, text }))
})
