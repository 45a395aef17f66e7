import type { CoverAmount, CoverYear } from "../benefits/benefit-terms.ts"
import { type Currency, formatMoney } from "../kernel/money.ts"

/** Cover in a letter, such as "80 % of the amount claimed, up to R 30 000,00; R 5 000,00 per incident". */
export function coverText(
  {
    amountCents,
    salaryMultiple,
    percentage,
    incidentLimitCents,
    yearLimitCents,
    coverYear,
  }: CoverAmount & { coverYear: CoverYear },
  currency: Currency,
): string {
  const maximum =
    salaryMultiple !== null
      ? `${salaryMultiple} × monthly salary`
      : amountCents > 0
        ? formatMoney(amountCents, currency)
        : null
  const isPart = percentage > 0 && percentage < 100
  const cover = isPart
    ? `${percentage} % of the amount claimed${maximum === null ? "" : `, up to ${maximum}`}`
    : (maximum ?? "no maximum")
  return [
    cover,
    ...(incidentLimitCents === null ? [] : [`${formatMoney(incidentLimitCents, currency)} per incident`]),
    ...(yearLimitCents === null
      ? []
      : [`${formatMoney(yearLimitCents, currency)} per ${coverYear === "policy" ? "policy" : "calendar"} year`]),
  ].join("; ")
}
