/** Endings of files that are taken as documents, of whatever record; the server looks at their contents too. */
export const documentEndings = ["pdf", "png", "jpg", "jpeg", "docx"] as const

/** Maximum upload of the specification. */
export const documentMegabytes = 10

/** Of the types that are required, those that have not been brought. */
export function stillMissing<T extends string>(required: readonly T[], brought: readonly T[]): T[] {
  return required.filter((type) => !brought.includes(type))
}
