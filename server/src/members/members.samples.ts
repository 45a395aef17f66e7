import type { contract } from "@milkwood/domain/contract"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { isLuhnValid } from "@milkwood/domain/kernel/za-id-number"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import type { ContractRouterClient } from "@orpc/contract"

type Client = Pick<ContractRouterClient<typeof contract>, "benefits" | "members">

export interface SampleMember {
  firstName?: string
  lastName?: string
  /** Determines ID number, name and address; default: the next unused person. */
  person?: number
  phone?: string
  employeeNumber?: string
  startOn?: Day
  /** A tier's name; default Standard. */
  tier?: string
  dependents?: DependentInput[]
  /** Salary from the start date. */
  monthlyCents?: number | null
}

const firstNames = ["Thabo", "Lerato", "Pieter", "Ayesha", "Sipho", "Karin", "Nomvula", "Johan", "Zanele", "Rajesh"]
const lastNames = ["Nkosi", "Botha", "Müller", "Naidoo", "van der Merwe", "Dlamini", "O'Reilly", "Mokoena", "Smith"]

let memberCount = 0

/** Each call adds another person. */
export async function createMember(client: Client, policyId: string, sample: SampleMember = {}): Promise<MemberDetail> {
  const person = sample.person ?? memberCount++
  const { tiers } = await client.benefits.choices()
  const tier = tiers.find(({ name }) => name === (sample.tier ?? "Standard")) ?? tiers[0]!
  const firstName = sample.firstName ?? firstNames[person % firstNames.length]!
  const lastName = sample.lastName ?? lastNames[Math.floor(person / firstNames.length + person) % lastNames.length]!
  return client.members.create({
    policyId,
    tierId: tier.id,
    ...(sample.startOn ? { startOn: sample.startOn } : {}),
    personal: {
      firstName,
      lastName,
      idNumber: sampleIdNumber(person),
      passportNumber: null,
      dateOfBirth: null,
      gender: null,
    },
    contact: {
      email: `person${person}@acacia.example`,
      phone: sample.phone ?? `07${String(person % 100_000_000).padStart(8, "0")}`,
      address: "1 Long Street, Cape Town",
    },
    employment: {
      ...{ employmentStatus: "employed", employer: "", jobTitle: "Clerk" },
      ...(sample.employeeNumber !== undefined && { employeeNumber: sample.employeeNumber }),
    },
    dependents: sample.dependents ?? [],
    monthlyCents: sample.monthlyCents ?? null,
  })
}

/** A valid South African ID number, unique for `person` below 100 million; born 1965 to 1992. */
export function sampleIdNumber(person: number): string {
  const born = addDays("1965-01-01", person % 10_000)
    .replaceAll("-", "")
    .slice(2)
  const serial = String(Math.floor(person / 10_000)).padStart(4, "0")
  const start = `${born}${serial}08`
  for (let digit = 0; digit <= 9; digit++) if (isLuhnValid(`${start}${digit}`)) return `${start}${digit}`
  throw new RangeError(`no ID number for person ${person}`)
}
