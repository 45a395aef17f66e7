import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import answers from "../server/src/staff-lists/fixtures/answers.json" with { type: "json" }

export interface Person {
  firstName: string
  lastName: string
  idNumber: string
  email: string
  tier: string
}

const headersByFile = {
  "1-plain.csv": ["First Name", "Last Name", "ID Number", "Email", "Benefit Tier"],
  "2-semicolon-cp1252.csv": ["Name", "Surname", "RSA ID No.", "E-mail address", "Benefit Tier"],
} as const

function readValidRows(file: keyof typeof headersByFile): Person[] {
  const path = fileURLToPath(new URL(`../server/src/staff-lists/fixtures/${file}`, import.meta.url))
  const semicolons = file.startsWith("2")
  const text = new TextDecoder(semicolons ? "windows-1252" : "utf-8").decode(readFileSync(path))
  const [head, ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(semicolons ? ";" : ","))
  const places = headersByFile[file].map((name) => head!.indexOf(name))
  const errors: Record<string, string> = answers[file].errors
  return rows
    .filter((_row, index) => !(String(index + 1) in errors))
    .map((row) => {
      const [firstName, lastName, idNumber, email, tier] = places.map((place) => row[place]!)
      return { firstName: firstName!, lastName: lastName!, idNumber: idNumber!, email: email!, tier: tier! }
    })
}

export const readStaff = (): Person[] =>
  [...readValidRows("1-plain.csv"), ...readValidRows("2-semicolon-cp1252.csv")].slice(0, 1_200)

export const createStaffList = (group: string, people: readonly Person[]): string =>
  [
    "First Name,Last Name,ID Number,Email,Benefit Tier,Group Policy",
    ...people.map((one) => [one.firstName, one.lastName, one.idNumber, one.email, one.tier, group].join(",")),
  ].join("\n")

export const fullNameOf = ({ firstName, lastName }: Person): string => `${firstName} ${lastName}`

export function peopleWithUniqueName(people: readonly Person[]): Person[] {
  const times = new Map<string, number>()
  for (const one of people) times.set(fullNameOf(one), (times.get(fullNameOf(one)) ?? 0) + 1)
  return people.filter((one) => times.get(fullNameOf(one)) === 1)
}
