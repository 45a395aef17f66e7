export type SettingsFact = never

export const settingsSentences = {}
