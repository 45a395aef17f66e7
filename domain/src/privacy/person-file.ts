/** removed: its file was deleted after `personFileDays`. */
export const personFileStates = ["making", "made", "failed", "removed"] as const
export type PersonFileState = (typeof personFileStates)[number]

/** So many days a file about a person is kept: it holds more than any screen shows, and is made anew when it is asked for. */
export const personFileDays = 7
