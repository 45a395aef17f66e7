import { type FindHeader, HeaderWords } from "../kernel/header-words.ts"

export const remittanceFields = [
  "employeeNumber",
  "memberNumber",
  "idNumber",
  "name",
  "firstName",
  "lastName",
  "amount",
  "employerAmount",
] as const
export type RemittanceField = (typeof remittanceFields)[number]

export const remittanceFieldLabels: Record<RemittanceField, string> = {
  employeeNumber: "Employee number",
  memberNumber: "Member number",
  idNumber: "ID or passport number",
  name: "Name",
  firstName: "First name",
  lastName: "Surname",
  amount: "Amount",
  employerAmount: "Employer's share, added to the amount",
}

const splitWords = (text: string): string[] => text.split(" ")

/** Header texts of payroll programs, normalised by `headerKey`. Totals come before their parts. */
const totalWords = splitWords(
  "total totalamount totalcontribution totalcontributions totalpremium totaldeduction totaldeducted totalpaid totaal",
)
const synonyms: Record<RemittanceField, readonly string[]> = {
  employeeNumber: splitWords(
    "employeenumber employeeno employeenr employeeid employeecode empnumber empno empnr empid empcode payrollnumber payrollno payrollnr payrollid payrollcode paynumber payno staffnumber staffno staffnr staffid staffcode personnelnumber personnelno personnelnr personeelnommer werknemernommer",
  ),
  memberNumber: splitWords("membernumber memberno membernr member lidnommer policymembernumber schememembernumber"),
  idNumber: splitWords(
    "idnumber idno idnr rsaid rsaidno rsaidnumber said saidno saidnumber identitynumber identityno nationalid idorpassport idpassport idorpassportnumber passport passportnumber passportno idnommer id",
  ),
  name: splitWords(
    "name fullname fullnames membername employeename nameandsurname namesurname surnameandname employee naam",
  ),
  firstName: splitWords("firstname firstnames first forename forenames givenname initials voornaam"),
  lastName: splitWords("lastname surname familyname last van"),
  amount: [
    ...totalWords,
    ...splitWords(
      "amount amountpaid amountdeducted paid premium premiumpaid premiumamount contribution contributionamount deduction deductionamount deducted memberamount membercontribution memberpremium employeecontribution employeededuction employeepremium employeeportion value bedrag premie",
    ),
  ],
  employerAmount: splitWords(
    "employercontribution employeramount employerpremium employerportion employerpart employershare companycontribution companyportion",
  ),
}

const header = new HeaderWords(synonyms)
const total = new HeaderWords({ amount: totalWords })

export type RemittanceColumns = Partial<Record<RemittanceField, number>>

export const findRemittanceHeader: FindHeader = (rows) => header.find(rows)

/** Proposes the columns of the last list with the same headers, else by usual header names. */
export function suggestColumns(
  headers: readonly string[],
  last: { headers: readonly string[]; columns: RemittanceColumns } | null = null,
): RemittanceColumns {
  if (last && JSON.stringify(last.headers) === JSON.stringify(headers)) return last.columns
  const columns = header.suggest(headers)
  // A total includes the employer's part.
  if (total.suggest(headers).amount !== undefined) delete columns.employerAmount
  return columns
}

/** Requires an amount and a way to identify the member. */
export const hasPayerAndAmount = (columns: RemittanceColumns): boolean =>
  columns.amount !== undefined &&
  (["employeeNumber", "memberNumber", "idNumber", "name", "lastName"] as const).some(
    (field) => columns[field] !== undefined,
  )
