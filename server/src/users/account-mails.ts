import { fillMail, type MailValues } from "@milkwood/domain/platform/mail-template"
import type { Role } from "@milkwood/domain/platform/permission"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { linkHours } from "@milkwood/domain/users/account-link"
import type { invitationTemplate } from "@milkwood/domain/users/invitation-mail"
import { roleNames } from "@milkwood/domain/users/user"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { queueMail, secretPlaceholder } from "../platform/work/mail.ts"

type MailCx = Pick<Cx, "app" | "tx" | "now">

interface MailRecipient {
  id: string
  name: string
  email: string
}

async function readOrganisationName({ tx }: MailCx): Promise<string> {
  return (await readSettings(tx, { organisation: platformSettings.organisation })).organisation.name
}

const mailSignature = (organisation: string) =>
  organisation === "Milkwood" ? "Milkwood" : `${organisation}\nMilkwood, group policy management system`

export async function queueConfirmationMail(work: MailCx, to: MailRecipient, url: string): Promise<void> {
  await queueMail(work, {
    to: to.email,
    subject: "Confirm your e-mail address",
    about: { kind: "user", id: to.id },
    secret: url,
    text: `Hello ${to.name}

Open this link to confirm your e-mail address. You can sign in afterwards.

${secretPlaceholder}

The link works for ${linkHours.confirmation} hours. If you did not sign up, ignore this e-mail.

${mailSignature(await readOrganisationName(work))}
`,
  })
}

export async function queuePasswordResetMail(work: MailCx, to: MailRecipient, url: string): Promise<void> {
  await queueMail(work, {
    to: to.email,
    subject: "Set a new password",
    about: { kind: "user", id: to.id },
    secret: url,
    text: `Hello ${to.name}

We received a request for a new password for your account. Open this link to set it.

${secretPlaceholder}

The link works once, for one hour. If you did not request it, ignore this e-mail: your password does not change.

${mailSignature(await readOrganisationName(work))}
`,
  })
}

/** Tells the owner of the account, who may not have made the change. */
export async function queuePasswordChangedMail(work: MailCx, to: MailRecipient): Promise<void> {
  await queueMail(work, {
    to: to.email,
    subject: "Your password was changed",
    about: { kind: "user", id: to.id },
    text: `Hello ${to.name}

Your password was changed, and you were signed out on every device. If you did not change it, ask an administrator to disable your account immediately.

${mailSignature(await readOrganisationName(work))}
`,
  })
}

export async function queueInvitationMail(
  work: MailCx,
  invitation: { id: string; email: string; role: Role; url: string; invitedBy: string },
): Promise<void> {
  const { organisation, invitationMail } = await readSettings(work.tx, {
    organisation: platformSettings.organisation,
    invitationMail: usersSettings.invitationMail,
  })
  const { name } = organisation
  const mail = fillMail(invitationMail, {
    house: name === "Milkwood" ? "Milkwood" : `Milkwood at ${name}`,
    invitedBy: invitation.invitedBy,
    role: roleNames[invitation.role].toLowerCase(),
    link: secretPlaceholder,
    days: String(linkHours.invitation / 24),
    organisation: name,
  } satisfies MailValues<typeof invitationTemplate>)
  await queueMail(work, {
    to: invitation.email,
    about: { kind: "invitation", id: invitation.id },
    secret: invitation.url,
    ...mail,
  })
}

/** Tells the owner of the account, who may not have made the change. */
export async function queueAccountChangeMail(
  work: MailCx,
  to: MailRecipient,
  subject: string,
  what: string,
): Promise<void> {
  await queueMail(work, {
    to: to.email,
    subject,
    about: { kind: "user", id: to.id },
    text: `Hello ${to.name}

${what}

If this was not you, change your password immediately and notify an administrator. Changing the password signs you out on every device.

${mailSignature(await readOrganisationName(work))}
`,
  })
}

export async function queueNewDeviceMail(
  work: MailCx,
  to: MailRecipient,
  { device, address }: { device: string; address: string | null },
): Promise<void> {
  const { timezone } = await readSettings(work.tx, { timezone: platformSettings.timezone })
  const at = work.now.toZonedDateTimeISO(timezone)
  const when = `${at.toPlainDate()} at ${at.toPlainTime().toString({ smallestUnit: "minute" })}`
  const where = address === null ? "" : `, from the address ${address}`
  await queueAccountChangeMail(
    work,
    to,
    "A sign-in from a new device",
    `Your account was used to sign in on a new device: ${device}${where}, on ${when}.`,
  )
}

/** Sent to the new address, whose owner must confirm it. */
export async function queueNewAddressMail(
  work: MailCx,
  to: MailRecipient,
  newEmail: string,
  url: string,
): Promise<void> {
  await queueMail(work, {
    to: newEmail,
    subject: "Confirm your new e-mail address",
    about: { kind: "user", id: to.id },
    secret: url,
    text: `Hello ${to.name}

Open this link to use this address for your account in place of ${to.email}.

${secretPlaceholder}

The link works once, for ${linkHours.email_change} hours. If you did not request it, ignore this e-mail.

${mailSignature(await readOrganisationName(work))}
`,
  })
}
