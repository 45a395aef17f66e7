/** The kinds of file that may be allowed (specification 2, section 9), by the ending people know them by. */
export const fileTypes = ["pdf", "doc", "docx", "xls", "xlsx", "jpg", "png"] as const
export type FileType = (typeof fileTypes)[number]

/** Maximum upload of the specification, and the most that the setting may say. */
export const usualMegabytes = 10
export const largestMegabytes = 50

/** The endings of a document, of whatever record, when these types are allowed; the server looks at the contents too. */
export function documentEndings(allowed: readonly FileType[]): (FileType | "jpeg")[] {
  return allowed.flatMap((type): (FileType | "jpeg")[] => (type === "jpg" ? ["jpg", "jpeg"] : [type]))
}

/** The endings of a list that is read: text with commas always, and of the spreadsheets those that are allowed. */
export function listEndings(allowed: readonly FileType[]): ("csv" | "xlsx" | "xls")[] {
  return ["csv", ...(["xlsx", "xls"] as const).filter((type) => allowed.includes(type))]
}

/** Of the types that are required, those that have not been brought. */
export function stillMissing<T extends string>(required: readonly T[], brought: readonly T[]): T[] {
  return required.filter((type) => !brought.includes(type))
}
