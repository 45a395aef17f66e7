export interface PayeeBank {
  name: string
  also: readonly string[]
  /** The universal branch code. */
  universal: string
  /** Branch code prefixes. */
  branches: readonly string[]
  /** Minimum and maximum digits of an account number. */
  digits: readonly [number, number]
}

export const payeeBanks: readonly PayeeBank[] = [
  {
    name: "Absa",
    also: ["ABSA Bank"],
    universal: "632005",
    branches: ["63", "30", "31", "33", "34", "50", "51"],
    digits: [8, 11],
  },
  { name: "African Bank", also: [], universal: "430000", branches: ["43"], digits: [10, 11] },
  { name: "Bank Zero", also: [], universal: "888000", branches: ["888"], digits: [11, 11] },
  { name: "Bidvest Bank", also: ["Bidvest"], universal: "462005", branches: ["462"], digits: [9, 11] },
  { name: "Capitec Bank", also: ["Capitec"], universal: "470010", branches: ["47"], digits: [10, 10] },
  { name: "Capitec Business", also: ["Mercantile Bank"], universal: "450105", branches: ["450"], digits: [10, 10] },
  { name: "Discovery Bank", also: ["Discovery"], universal: "679000", branches: ["679"], digits: [11, 11] },
  {
    name: "FNB",
    also: ["First National Bank", "RMB"],
    universal: "250655",
    branches: ["20", "21", "22", "23", "24", "25", "26", "27", "28", "29"],
    digits: [10, 11],
  },
  { name: "Investec", also: ["Investec Bank"], universal: "580105", branches: ["58"], digits: [10, 11] },
  {
    name: "Nedbank",
    also: [],
    universal: "198765",
    branches: ["10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "72"],
    digits: [9, 11],
  },
  { name: "Postbank", also: ["South African Postbank"], universal: "460005", branches: ["460"], digits: [10, 11] },
  { name: "Sasfin Bank", also: ["Sasfin"], universal: "683000", branches: ["683"], digits: [9, 11] },
  {
    name: "Standard Bank",
    also: ["Standard Bank of South Africa"],
    universal: "051001",
    branches: ["00", "01", "02", "03", "04", "05"],
    digits: [9, 11],
  },
  { name: "TymeBank", also: ["Tyme Bank"], universal: "678910", branches: ["678"], digits: [11, 11] },
]

const bankNameKey = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "")

/** Finds a bank by any of its names; null if unknown. */
export const findBankByName = (name: string): PayeeBank | null =>
  payeeBanks.find((bank) => [bank.name, ...bank.also].some((known) => bankNameKey(known) === bankNameKey(name))) ?? null

/** The bank with the longest matching branch prefix; null if none matches. */
export function bankOfBranch(code: string): PayeeBank | null {
  const fits = payeeBanks.flatMap((bank) =>
    bank.branches.filter((start) => code.startsWith(start)).map((start) => ({ bank, length: start.length })),
  )
  return fits.sort((one, other) => other.length - one.length)[0]?.bank ?? null
}

export function payeeBankFaults(details: {
  payeeBank: string
  payeeBranchCode: string
  payeeAccountNumber: string
}): { path: "payeeBank" | "payeeBranchCode" | "payeeAccountNumber"; message: string }[] {
  const { payeeBank, payeeBranchCode: code, payeeAccountNumber: account } = details
  const faults: ReturnType<typeof payeeBankFaults> = []
  const bank = findBankByName(payeeBank)
  if (payeeBank === "") faults.push({ path: "payeeBank", message: "Choose the bank" })
  else if (!bank) faults.push({ path: "payeeBank", message: "Choose a South African bank" })
  const owner = bankOfBranch(code)
  if (!/^\d{6}$/.test(code)) faults.push({ path: "payeeBranchCode", message: "Enter a branch code of 6 digits" })
  else if (!owner) faults.push({ path: "payeeBranchCode", message: "No bank has this branch code" })
  else if (bank && owner !== bank) {
    faults.push({
      path: "payeeBranchCode",
      message: `${code} belongs to ${owner.name}. ${bank.name} uses ${bank.universal}`,
    })
  }
  if (!/^\d{5,16}$/.test(account)) {
    faults.push({ path: "payeeAccountNumber", message: "Enter an account number of 5 to 16 digits" })
  } else if (bank) {
    const [least, most] = bank.digits
    const digits = least === most ? String(least) : `${least} to ${most}`
    if (account.length < least || account.length > most) {
      faults.push({ path: "payeeAccountNumber", message: `${bank.name} account numbers have ${digits} digits` })
    } else if (/^(\d)\1*$/.test(account)) {
      faults.push({ path: "payeeAccountNumber", message: "Enter a valid account number" })
    }
  }
  return faults
}
