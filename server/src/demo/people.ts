import type { EmployerDetails } from "@milkwood/domain/employers/employer"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { isLuhnValid } from "@milkwood/domain/kernel/za-id-number"
import type { Dice } from "./dice.ts"

const women = [
  "Lerato",
  "Ayesha",
  "Nomvula",
  "Karin",
  "Zanele",
  "Priya",
  "Liezl",
  "Thandiwe",
  "Renée",
  "Palesa",
  "Michelle",
  "Naledi",
  "Chantel",
  "Siobhán",
]
const men = [
  "Thabo",
  "Pieter",
  "Sipho",
  "Johan",
  "Rajesh",
  "Bongani",
  "Jürgen",
  "Xolani",
  "Gerhard",
  "Imraan",
  "Katlego",
  "Seán",
  "Tshepo",
  "Francois",
]
const surnames = [
  "Nkosi",
  "Botha",
  "Müller",
  "Naidoo",
  "van der Merwe",
  "Dlamini",
  "O'Reilly",
  "Mokoena",
  "Smith-Jones",
  "Khumalo",
  "Petersen",
  "Govender",
  "le Roux",
  "Sithole",
  "Adams",
  "Mthembu",
  "Joubert",
  "Baloyi",
  "D'Oliveira",
  "Pretorius",
]
const jobTitles = [
  "Clerk",
  "Driver",
  "Artisan",
  "Supervisor",
  "Accountant",
  "Technician",
  "Planner",
  "Cashier",
  "Engineer",
  "Foreman",
  "Nurse",
  "Chef",
]
const streets = ["Long Street", "Vilakazi Street", "Main Road", "Jan Smuts Avenue", "Church Street", "Oxford Road"]

/** A person whose ID number, date of birth and gender are consistent. */
export interface DemoPerson {
  firstName: string
  lastName: string
  idNumber: string
  jobTitle: string
  phone: string
  address: string
  /** Unique per person. */
  serial: number
}

export function createPeopleMaker(dice: Dice) {
  let serial = 0
  const idNumber = (born: Day, woman: boolean): string => {
    serial += 1
    const middle = String((woman ? 0 : 5000) + (serial % 5000)).padStart(4, "0")
    const start = `${born.replaceAll("-", "").slice(2)}${middle}08`
    return [..."0123456789"].map((digit) => start + digit).find(isLuhnValid)!
  }
  const name = (woman: boolean): string => dice.pick(woman ? women : men)
  return {
    adult(): DemoPerson {
      const woman = dice.chance(0.5)
      return {
        firstName: name(woman),
        lastName: dice.pick(surnames),
        idNumber: idNumber(addDays("1966-01-01", dice.between(0, 13_000)), woman),
        jobTitle: dice.pick(jobTitles),
        phone: `0${dice.pick(["72", "82", "83", "76"])}${String(dice.between(0, 9_999_999)).padStart(7, "0")}`,
        address: `${dice.between(1, 240)} ${dice.pick(streets)}`,
        serial,
      }
    },
    family(lastName: string) {
      const spouse = dice.chance(0.5)
      const children = dice.chance(0.55) ? dice.between(1, 3) : 0
      const one = (relationship: "spouse" | "child", born: Day) => {
        const woman = dice.chance(0.5)
        return {
          firstName: name(woman),
          lastName,
          idNumber: null,
          relationship,
          dateOfBirth: born,
          gender: woman ? ("female" as const) : ("male" as const),
        }
      }
      return [
        ...(spouse ? [one("spouse", addDays("1970-01-01", dice.between(0, 9_000)))] : []),
        ...Array.from({ length: children }, () => one("child", addDays("2009-01-01", dice.between(0, 5_500)))),
      ]
    },
  }
}

export type PeopleMaker = ReturnType<typeof createPeopleMaker>

export interface DemoGroup {
  name: string
  domain: string
  /** Two HR users, so that one can decide what the other captured, and the policy holder. */
  office: Record<"hr" | "hr2" | "signatory", string>
  members: number
  /** Cents per member and month. */
  premiumCents: number
  product: "Group Life" | "Group Health"
  /** How the employer paid recently. */
  pays: "promptly" | "late" | "in part" | "hardly" | "no more"
}

/** Invented details, different for each employer. */
export function employerDetailsOf({ name, members, premiumCents }: DemoGroup): EmployerDetails {
  const serial = String((members * 7_919 + premiumCents) % 1_000_000).padStart(6, "0")
  return {
    registrationNumber: `${1990 + (members % 30)}/${serial}/07`,
    vatNumber: "",
    phone: "0215550100",
    address: `${members} Main Road\n${name.split(" ")[0]}`,
    postalAddress: "",
  }
}

/** Twelve employers with 652 members. */
export const demoGroups: DemoGroup[] = [
  {
    name: "Soweto Retail Holdings",
    domain: "sowetoretail.example",
    office: { hr: "Thandi Mokoena", hr2: "Riaan Coetzee", signatory: "Nomsa Radebe" },
    members: 92,
    premiumCents: 350_00,
    product: "Group Life",
    pays: "promptly",
  },
  {
    name: "Vaal Engineering",
    domain: "vaalengineering.example",
    office: { hr: "Anton Steyn", hr2: "Dineo Molefe", signatory: "Pieter Vorster" },
    members: 74,
    premiumCents: 420_00,
    product: "Group Life",
    pays: "promptly",
  },
  {
    name: "Highveld Steel Works",
    domain: "highveldsteel.example",
    office: { hr: "Mpho Sithebe", hr2: "Elize Kruger", signatory: "Jabulani Zwane" },
    members: 81,
    premiumCents: 515_50,
    product: "Group Health",
    pays: "late",
  },
  {
    name: "Umhlanga Logistics",
    domain: "umhlangalogistics.example",
    office: { hr: "Kavitha Pillay", hr2: "Brendan Moore", signatory: "Suresh Maharaj" },
    members: 56,
    premiumCents: 389_95,
    product: "Group Life",
    pays: "promptly",
  },
  {
    name: "Karoo Wool Cooperative",
    domain: "karoowool.example",
    office: { hr: "Marietjie Theron", hr2: "Sakhile Mdluli", signatory: "Willem Cronjé" },
    members: 38,
    premiumCents: 350_00,
    product: "Group Life",
    pays: "in part",
  },
  {
    name: "Table Bay Fisheries",
    domain: "tablebayfish.example",
    office: { hr: "Faiza Davids", hr2: "Craig Hendricks", signatory: "Shafiek Abrahams" },
    members: 63,
    premiumCents: 462_00,
    product: "Group Health",
    pays: "promptly",
  },
  {
    name: "Drakensberg Timber",
    domain: "drakensbergtimber.example",
    office: { hr: "Nonhlanhla Ngcobo", hr2: "Gavin Shaw", signatory: "Themba Hadebe" },
    members: 47,
    premiumCents: 375_25,
    product: "Group Life",
    pays: "hardly",
  },
  {
    name: "Limpopo Citrus Estates",
    domain: "limpopocitrus.example",
    office: { hr: "Refilwe Mabasa", hr2: "Danie Viljoen", signatory: "Tsakani Chauke" },
    members: 68,
    premiumCents: 310_00,
    product: "Group Life",
    pays: "promptly",
  },
  {
    name: "Garden Route Hotels",
    domain: "gardenroutehotels.example",
    office: { hr: "Bronwyn September", hr2: "Luyanda Mbeki", signatory: "Hannes Barnard" },
    members: 44,
    premiumCents: 498_00,
    product: "Group Health",
    pays: "late",
  },
  {
    name: "Bloemfontein Printers",
    domain: "bloemprint.example",
    office: { hr: "Annelie Swanepoel", hr2: "Teboho Mofokeng", signatory: "Lindiwe Tau" },
    members: 27,
    premiumCents: 350_00,
    product: "Group Life",
    pays: "promptly",
  },
  {
    name: "Richards Bay Freight",
    domain: "richardsbayfreight.example",
    office: { hr: "Zinhle Buthelezi", hr2: "Ashwin Reddy", signatory: "Sandile Mkhize" },
    members: 33,
    premiumCents: 441_10,
    product: "Group Health",
    pays: "in part",
  },
  {
    name: "Magaliesberg Schools Trust",
    domain: "magaliesbergschools.example",
    office: { hr: "Sanet Botes", hr2: "Kagiso Modise", signatory: "Gugu Mahlangu" },
    members: 29,
    premiumCents: 365_00,
    product: "Group Health",
    pays: "no more",
  },
]
