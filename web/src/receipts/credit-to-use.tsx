import { Checkbox } from "@mantine/core"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useDisplay } from "../ui/display.tsx"
import { type CreditOfferInput, creditOfferQuery } from "./receipts.api.ts"

/**
 * Asks whether policy credit pays the invoices about to be sent. Shows no choice without credit or when the request
 * fails: then the setting applies.
 *
 *     <CreditToUse of={{ invoiceIds: [invoice.id] }} onChoose={(useCredit) => (said.useCredit = useCredit)} />
 */
export default function CreditToUse({
  of,
  onChoose,
}: {
  of: CreditOfferInput
  onChoose: (useCredit: boolean) => void
}) {
  const { currency } = useDisplay()
  const { data } = useQuery(creditOfferQuery(of))
  const [chosen, setChosen] = useState<boolean>()
  if (!data || data.usedCents === 0) return null
  const isUsed = chosen ?? data.isAutomatic
  const remain = (cents: number) => (cents === 0 ? "nothing remains due" : `${formatMoney(cents, currency)} remain due`)
  return (
    <Checkbox
      mt="sm"
      c="var(--mantine-color-text)"
      label="Use the policy's credit"
      description={
        isUsed
          ? `${formatMoney(data.usedCents, currency)} of credit will be used; ${remain(data.totalCents - data.usedCents)}.`
          : `${formatMoney(data.usedCents, currency)} of credit is available; it stays unallocated.`
      }
      checked={isUsed}
      onChange={({ currentTarget: { checked } }) => {
        setChosen(checked)
        onChoose(checked)
      }}
    />
  )
}
