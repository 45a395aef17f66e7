import { isEmail } from "../kernel/email.ts"
import { missingLastName } from "./member.ts"

/** `line` counts from 1 in the typed text. */
export interface BulkPerson {
  line: number
  text: string
  firstName: string
  lastName: string
  email: string
  position: string
}

export interface BulkRefusal {
  line: number
  text: string
  reason: string
}

export const bulkEmptyMessage = "Please provide member data to import."
/** Maximum lines per submission; longer lists are imported as a staff list. */
export const maxBulkLines = 2_000

function splitLines(text: string): { line: number; text: string; fields: string[] }[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((raw, index) => ({ line: index + 1, text: raw.trim(), fields: raw.split(",").map((field) => field.trim()) }))
    .filter((row) => row.text !== "")
}

/**
 * Reads lines of `name, email, position` (specification 1, section 5): at least three fields; an empty position means
 * Employee. The last word of a name is the last name; a single word is the first name. Refuses an e-mail repeated
 * within the text; the caller checks e-mails of existing members.
 */
export function readBulkAdd(text: string): { people: BulkPerson[]; refused: BulkRefusal[] } {
  const people: BulkPerson[] = []
  const refused: BulkRefusal[] = []
  const seen = new Map<string, number>()
  for (const { line, text: raw, fields } of splitLines(text)) {
    const refuse = (reason: string) => refused.push({ line, text: raw, reason })
    const [name = "", email = "", position = ""] = fields
    const words = name.split(/\s+/).filter(Boolean)
    const before = seen.get(email.toLowerCase())
    if (fields.length < 3) refuse("Enter name, e-mail and position, separated by commas")
    else if (words.length === 0) refuse("Enter a name")
    else if (name.length > 120) refuse("The name has more than 120 characters")
    else if (!isEmail(email)) refuse("This is not an e-mail address")
    else if (position.length > 120) refuse("The position has more than 120 characters")
    else if (before !== undefined) refuse(`The e-mail address is already on line ${before}`)
    else {
      seen.set(email.toLowerCase(), line)
      const lastName = words.length > 1 ? words.pop()! : missingLastName
      people.push({ line, text: raw, firstName: words.join(" "), lastName, email, position: position || "Employee" })
    }
  }
  return { people, refused }
}

/** Each line is an e-mail, or has one as its second field. */
export function readBulkRemove(text: string): {
  emails: { line: number; text: string; email: string }[]
  refused: BulkRefusal[]
} {
  const emails: { line: number; text: string; email: string }[] = []
  const refused: BulkRefusal[] = []
  const seen = new Map<string, number>()
  for (const { line, text: raw, fields } of splitLines(text)) {
    const email = (fields.length === 1 ? fields[0] : fields[1])!.toLowerCase()
    const before = seen.get(email)
    if (!email.includes("@")) refused.push({ line, text: raw, reason: "There is no e-mail address on this line" })
    else if (before !== undefined) {
      refused.push({ line, text: raw, reason: `The e-mail address is already on line ${before}` })
    } else {
      seen.set(email, line)
      emails.push({ line, text: raw, email })
    }
  }
  return { emails, refused }
}
