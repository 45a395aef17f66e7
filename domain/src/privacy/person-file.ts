/** removed: file deleted after `personFileDays`. */
export const personFileStates = ["making", "made", "failed", "removed"] as const
export type PersonFileState = (typeof personFileStates)[number]

/** Days until a file about a person is deleted: it has more data than any screen and can be generated again. */
export const personFileKeptDays = 7
