import type { ValuesOf } from "../kernel/setting.ts"
import { type MailServer, serverName } from "../platform/mail-server.ts"
import { isMailTemplate, mailTemplates } from "./mail-templates.ts"
import type { setUpSettings } from "./set-up-shape.ts"
import type { Settings } from "./settings.ts"

type RecordedSettings = Partial<Settings & ValuesOf<typeof setUpSettings>>

interface SettingsRecord {
  kind: "settings"
  id: null
  label: string
}
/** The hash identifies the picture; null = no logo. */
export interface LogoReference {
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
      before: RecordedSettings
      after: RecordedSettings
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
      before: LogoReference
      after: LogoReference
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
    return `changed the text of the e-mail "${labels.join('", "')}"`
  },
  LogoSaved: ({ before }: { before: LogoReference }) => (before.logo === null ? "added the logo" : "replaced the logo"),
  LogoRemoved: () => "removed the logo",
  SettingsReset: () => "reset the settings to their defaults",
  MailPasswordKept: () => "entered the mail server password",
  MailPasswordForgotten: () => "removed the mail server password",
  MailServerAsked: ({ server }: { server: MailServer }) => `asked to change the mail server to ${serverName(server)}`,
  MailServerWithdrawn: ({ server }: { server: MailServer }) =>
    `withdrew the change of the mail server to ${serverName(server)}`,
  MailServerConfirmed: ({ after }: { after: { mailServer: MailServer } }) =>
    `confirmed the change of the mail server to ${serverName(after.mailServer)}`,
  OutboxMailRead: () => "read the e-mail in the outbox",
  MailRetried: () => "put the e-mail back in the queue",
  TrailChecked: ({ rows, faults }: { rows: number; faults: number }) =>
    `checked ${rows === 1 ? "1 entry" : `${rows} entries`} of the audit trail: ${faults === 0 ? "no problems found" : faults === 1 ? "1 problem found" : `${faults} problems found`}`,
  TrailSealedAnew: ({ rows, faults }: { rows: number; faults: number }) =>
    `resealed the audit trail; the earlier ${rows === 1 ? "1 seal" : `${rows} seals`} had ${faults === 0 ? "no problems" : faults === 1 ? "1 problem" : `${faults} problems`}`,
  TestMailSent: ({ mailed }: { mailed?: boolean }) =>
    mailed === false ? "created a test e-mail; it was not sent because no mail server is set up" : "sent a test e-mail",
}
