import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { useQuery } from "@tanstack/react-query"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { MoneyText } from "../ui/money.tsx"
import { FactList, SidePanel } from "../ui/record-page.tsx"
import { nextInvoiceQuery } from "./billing.api.ts"

const memberCountText = (count: number) => (count === 1 ? "1 member" : `${count.toLocaleString("en-ZA")} members`)

export function NextInvoicePanel({ policyId }: { policyId: string }) {
  const next = useQuery(nextInvoiceQuery(policyId)).data?.next
  if (!next) return null
  const { month, monthCents, adjustmentsCents, adjusted, why, unrated } = next
  if (next.members + adjusted + unrated === 0) return null
  return (
    <SidePanel title="Next invoice">
      <FactList
        rows={[
          [
            formatMonth(month),
            <span key="month">
              <MoneyText cents={monthCents} />, {memberCountText(next.members)}
            </span>,
          ],
          [
            "Adjustments",
            adjusted > 0 && (
              <span key="adjustments">
                <MoneyText cents={adjustmentsCents} />, {memberCountText(adjusted)}
              </span>
            ),
          ],
          ["Excl. VAT", <MoneyText key="sum" cents={monthCents + adjustmentsCents} />],
          [
            "Cannot be billed",
            unrated > 0 &&
              `${unrated === 1 ? "1 member month" : `${unrated.toLocaleString("en-ZA")} member months`} without a premium or rate`,
          ],
        ]}
      />
      {why.length > 0 && (
        <ul style={{ margin: "8px 0 0", paddingLeft: 18 }}>
          {why.map((sentence) => (
            <li key={sentence}>{keepNumbersUnbroken(sentence)}</li>
          ))}
        </ul>
      )}
    </SidePanel>
  )
}
