/** File types the setting may allow (specification 2, section 9). */
export const fileTypes = ["pdf", "doc", "docx", "xls", "xlsx", "jpg", "png"] as const
export type FileType = (typeof fileTypes)[number]

/** The specification's default upload limit, and the upper bound of the setting. */
export const defaultMaxMegabytes = 10
export const maxMegabytes = 50

/** Extensions accepted for documents. The server also checks the contents. */
export function documentEndings(allowed: readonly FileType[]): (FileType | "jpeg")[] {
  return allowed.flatMap((type): (FileType | "jpeg")[] => (type === "jpg" ? ["jpg", "jpeg"] : [type]))
}

/** Extensions accepted for imported lists: always CSV, and the allowed spreadsheet types. */
export function listEndings(allowed: readonly FileType[]): ("csv" | "xlsx" | "xls")[] {
  return ["csv", ...(["xlsx", "xls"] as const).filter((type) => allowed.includes(type))]
}

/** The required document types that are still missing. */
export function missingDocumentTypes<T extends string>(required: readonly T[], brought: readonly T[]): T[] {
  return required.filter((type) => !brought.includes(type))
}
