/** removed: file deleted after `personFileDays`. */
export const personFileStates = ["making", "made", "failed", "removed"] as const
export type PersonFileState = (typeof personFileStates)[number]

/** Files about a person are deleted early because they hold more data than any screen; they can be made again. */
export const personFileKeptDays = 7
