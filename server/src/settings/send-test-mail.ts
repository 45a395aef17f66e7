import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { command } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { isMailed, queueMail } from "../platform/work/mail.ts"
import { mailDetail } from "./outbox.queries.ts"

/** Sends a mail that says that sending works. It is queued like all mail, so it shows what happens to all mail. */
export const sendTestMail = command(settingsContract.outbox.sendTest, async (cx) => {
  const { organisation } = await readSettings(cx.tx, platformSettings)
  const subject = `Test mail from ${organisation.name}`
  const mailId = await queueMail(cx, {
    to: cx.input.to,
    subject,
    text: [
      `${cx.actor.name} sent this mail from Settings, Email, to see whether mail reaches you.`,
      "It did. There is nothing to do.",
      organisation.name,
    ].join("\n\n"),
  })
  await record(cx, [
    {
      type: "TestMailSent",
      record: { kind: "mail", id: mailId, label: subject },
      groupId: null,
      to: cx.input.to,
      mailed: isMailed(cx.app),
    },
  ])
  return mailDetail(cx.tx, mailId, cx.app.smtpUrl)
})
