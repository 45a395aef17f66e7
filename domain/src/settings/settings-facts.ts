import { type MailServer, serverName } from "../platform/mail-server.ts"
import { isMailTemplate, mailTemplates } from "./mail-templates.ts"
import type { Settings } from "./settings.ts"

interface SettingsRecord {
  kind: "settings"
  id: null
  label: string
}
/** The hash identifies the picture; null = no logo. */
export interface LogoNamed {
  logo: string | null
  logoSha256: string | null
}
interface MailRecord {
  kind: "mail"
  id: string
  /** The subject; never the body, which may contain a link. */
  label: string
}

export type SettingsFact =
  | {
      type: "SettingsSaved"
      record: SettingsRecord
      groupId: null
      before: Partial<Settings>
      after: Partial<Settings>
    }
  | {
      type: "SettingsReset"
      record: SettingsRecord
      groupId: null
      before: Partial<Settings>
      after: Partial<Settings>
    }
  | {
      type: "LogoSaved" | "LogoRemoved"
      record: SettingsRecord
      groupId: null
      before: LogoNamed
      after: LogoNamed
    }
  | { type: "MailPasswordKept" | "MailPasswordForgotten"; record: SettingsRecord; groupId: null }
  | { type: "MailServerAsked" | "MailServerWithdrawn"; record: SettingsRecord; groupId: null; server: MailServer }
  | {
      type: "MailServerConfirmed"
      record: SettingsRecord
      groupId: null
      before: { mailServer: MailServer }
      after: { mailServer: MailServer }
    }
  | { type: "OutboxMailRead"; record: MailRecord; groupId: null }
  | { type: "MailRetried"; record: MailRecord; groupId: string | null }
  | {
      type: "TrailChecked"
      record: { kind: "audit_trail"; id: null; label: string }
      groupId: null
      rows: number
      faults: number
    }
  /** Written once, by the migration that encrypted personal values and rebuilt the chain. */
  | {
      type: "TrailSealedAnew"
      record: { kind: "audit_trail"; id: null; label: string }
      groupId: null
      rows: number
      faults: number
    }
  | { type: "TestMailSent"; record: MailRecord; groupId: null; to: string; mailed?: boolean }

export const settingsSentences = {
  SettingsSaved: ({ after }: { after?: Partial<Settings> }) => {
    const keys = Object.keys(after ?? {})
    const labels = keys.flatMap((key) => (isMailTemplate(key) ? [mailTemplates[key].label] : []))
    if (labels.length === 0 || labels.length < keys.length) return "changed the settings"
    return `changed the words of the mail "${labels.join('", "')}"`
  },
  LogoSaved: ({ before }: { before: LogoNamed }) => (before.logo === null ? "added the logo" : "replaced the logo"),
  LogoRemoved: () => "removed the logo",
  SettingsReset: () => "reset the settings to their defaults",
  MailPasswordKept: () => "gave the password of the mail server",
  MailPasswordForgotten: () => "removed the password of the mail server",
  MailServerAsked: ({ server }: { server: MailServer }) => `asked to change the mail server to ${serverName(server)}`,
  MailServerWithdrawn: ({ server }: { server: MailServer }) =>
    `withdrew the change of the mail server to ${serverName(server)}`,
  MailServerConfirmed: ({ after }: { after: { mailServer: MailServer } }) =>
    `confirmed the change of the mail server to ${serverName(after.mailServer)}`,
  OutboxMailRead: () => "read the mail in the outbox",
  MailRetried: () => "asked for the mail to be delivered again",
  TrailChecked: ({ rows, faults }: { rows: number; faults: number }) =>
    `checked ${rows === 1 ? "1 entry" : `${rows} entries`} of the audit trail: ${faults === 0 ? "all as they were written" : faults === 1 ? "1 fault" : `${faults} faults`}`,
  TrailSealedAnew: ({ rows, faults }: { rows: number; faults: number }) =>
    `sealed the audit trail anew; its ${rows === 1 ? "1 seal" : `${rows} seals`} from before had ${faults === 0 ? "no fault" : faults === 1 ? "1 fault" : `${faults} faults`}`,
  TestMailSent: ({ mailed }: { mailed?: boolean }) =>
    mailed === false ? "wrote a test mail; it was not sent, since there is no mail server" : "sent a test mail",
}
