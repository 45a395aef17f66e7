const kindNames: Readonly<Record<string, string>> = {
  payout: "Payment",
  payout_batch: "Payment batch",
  mail: "E-mail",
  list: "Exported list",
  report_run: "Report",
  report_schedule: "Scheduled report",
  billing_run: "Premium run",
  bank_payer: "Bank payer",
  closed_month: "Month end",
}

/** "staff_list" is "Staff list". */
export const kindName = (kind: string): string => kindNames[kind] ?? sentenceCase(kind.replaceAll("_", " "))

/** "ClaimDocumentAttached" is "Claim document attached". */
export const factName = (fact: string): string =>
  sentenceCase(fact.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase())

const sentenceCase = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
