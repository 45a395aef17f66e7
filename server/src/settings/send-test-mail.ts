import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { type CallCx, multiTransactionProcedure } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { deliverMail, type Mail, queueMail } from "../platform/work/mail.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"
import { readMailDetail } from "./outbox.queries.ts"

type SendCx = Omit<CallCx<{ to: string }>, "tx">

/** Uses the normal queue, so that it shows what happens to all mail. */
export const sendTestMail = multiTransactionProcedure(settingsContract.outbox.sendTest, (cx) =>
  sendMailNow(cx, ({ name }) => ({
    subject: `Test e-mail from ${name}`,
    text: [
      `${cx.actor.name} sent this e-mail from Settings, Email, to test e-mail delivery.`,
      "Delivery works. You do not need to do anything.",
      name,
    ].join("\n\n"),
  })),
)

/** Delivers right after the commit, because the user waits for the answer. A refused mail is retried as usual. */
export async function sendMailNow(
  cx: SendCx,
  written: (organisation: { name: string }) => Pick<Mail, "subject" | "text">,
) {
  const { app, actor } = cx
  const transaction = <T>(work: (inner: CallCx<unknown>) => Promise<T>): Promise<T> =>
    app.database.transaction("staff", (tx) => work({ ...cx, tx }), actor)
  const mailId = await transaction(async (inner) => {
    const { organisation } = await readSettings(inner.tx, platformSettings)
    const mail = written(organisation)
    const id = await queueMail(inner, { to: cx.input.to, heldSeconds: 60, ...mail })
    await record(inner, [
      {
        type: "TestMailSent",
        record: { kind: "mail", id, label: mail.subject },
        groupId: null,
        to: cx.input.to,
        mailed: await isMailEnabled(inner),
      },
    ])
    return id
  })
  const answer = await deliverMail(app, mailId)
  return transaction(async (inner) => ({ ...(await readMailDetail(inner, mailId)), answer }))
}
