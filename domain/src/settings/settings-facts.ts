import type { Settings } from "./settings.ts"

interface SettingsRecord {
  kind: "settings"
  id: null
  label: string
}
interface MailRecord {
  kind: "mail"
  id: string
  /** the subject; never the body, which may hold a link */
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
  | { type: "OutboxMailRead"; record: MailRecord; groupId: null }
  | { type: "MailRetried"; record: MailRecord; groupId: string | null }
  | { type: "TestMailSent"; record: MailRecord; groupId: null; to: string; mailed?: boolean }

export const settingsSentences = {
  SettingsSaved: () => "changed the settings",
  SettingsReset: () => "reset the settings to their defaults",
  OutboxMailRead: () => "read the mail in the outbox",
  MailRetried: () => "asked for the mail to be delivered again",
  TestMailSent: ({ mailed }: { mailed?: boolean }) =>
    mailed === false ? "wrote a test mail; it was not sent, since there is no mail server" : "sent a test mail",
}
