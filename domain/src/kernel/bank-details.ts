export interface Bank {
  name: string
  also: readonly string[]
  /** The universal branch code. */
  universal: string
  /** Branch code prefixes. */
  branches: readonly string[]
}

export const banks: readonly Bank[] = [
  {
    name: "Absa",
    also: ["ABSA Bank"],
    universal: "632005",
    branches: ["63", "30", "31", "33", "34", "50", "51"],
  },
  { name: "African Bank", also: [], universal: "430000", branches: ["43"] },
  { name: "Bank Zero", also: [], universal: "888000", branches: ["888"] },
  { name: "Bidvest Bank", also: ["Bidvest"], universal: "462005", branches: ["462"] },
  { name: "Capitec Bank", also: ["Capitec"], universal: "470010", branches: ["47"] },
  { name: "Capitec Business", also: ["Mercantile Bank"], universal: "450105", branches: ["450"] },
  { name: "Discovery Bank", also: ["Discovery"], universal: "679000", branches: ["679"] },
  {
    name: "FNB",
    also: ["First National Bank", "RMB"],
    universal: "250655",
    branches: ["20", "21", "22", "23", "24", "25", "26", "27", "28", "29"],
  },
  { name: "Investec", also: ["Investec Bank"], universal: "580105", branches: ["58"] },
  {
    name: "Nedbank",
    also: [],
    universal: "198765",
    branches: ["10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "72"],
  },
  { name: "Postbank", also: ["South African Postbank"], universal: "460005", branches: ["460"] },
  { name: "Sasfin Bank", also: ["Sasfin"], universal: "683000", branches: ["683"] },
  {
    name: "Standard Bank",
    also: ["Standard Bank of South Africa"],
    universal: "051001",
    branches: ["00", "01", "02", "03", "04", "05"],
  },
  { name: "TymeBank", also: ["Tyme Bank"], universal: "678910", branches: ["678"] },
]

const bankNameKey = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "")

/** Finds a bank by any of its names; null if unknown. */
export const findBankByName = (name: string): Bank | null =>
  banks.find((bank) => [bank.name, ...bank.also].some((known) => bankNameKey(known) === bankNameKey(name))) ?? null

/** The bank with the longest matching branch prefix; null if none matches. */
export function bankOfBranch(code: string): Bank | null {
  const fits = banks.flatMap((bank) =>
    bank.branches.filter((start) => code.startsWith(start)).map((start) => ({ bank, length: start.length })),
  )
  return fits.sort((one, other) => other.length - one.length)[0]?.bank ?? null
}

export interface BankDetails {
  bank: string
  branchCode: string
  accountNumber: string
}

/** Length of a South African account number. */
const accountNumberPattern = /^\d{6,13}$/

/** Problems by field. A bank that is not in the list is accepted with any branch code of six digits. */
export function bankDetailProblems({ bank: name, branchCode, accountNumber }: BankDetails): {
  field: keyof BankDetails
  message: string
}[] {
  const problems: ReturnType<typeof bankDetailProblems> = []
  if (name === "") problems.push({ field: "bank", message: "Enter the bank" })
  const bank = findBankByName(name)
  const owner = bankOfBranch(branchCode)
  if (!/^\d{6}$/.test(branchCode)) {
    problems.push({ field: "branchCode", message: "Enter a branch code of 6 digits" })
  } else if (bank && owner !== bank) {
    const belongs = owner ? `${branchCode} belongs to ${owner.name}. ` : ""
    problems.push({ field: "branchCode", message: `${belongs}${bank.name} uses ${bank.universal}` })
  }
  if (!accountNumberPattern.test(accountNumber)) {
    problems.push({ field: "accountNumber", message: "Enter an account number of 6 to 13 digits" })
  } else if (/^(\d)\1*$/.test(accountNumber)) {
    problems.push({ field: "accountNumber", message: "Enter a valid account number" })
  }
  return problems
}

export const hasBankDetails = ({ bank, branchCode, accountNumber }: BankDetails): boolean =>
  bank !== "" || branchCode !== "" || accountNumber !== ""

/** Only the last three digits stay readable. */
export const maskAccountNumber = (number: string): string =>
  `${"•".repeat(Math.max(number.length - 3, 0))}${number.slice(-3)}`
