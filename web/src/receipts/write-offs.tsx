import { Button, Group } from "@mantine/core"
import { formatMoney } from "@milkwood/domain/kernel/money"
import type { WriteOffRow } from "@milkwood/domain/receipts/receipts.contract"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { DayText } from "../ui/day.tsx"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import ReasonDialog from "../ui/reason-dialog.tsx"
import { FactList, SidePanel } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { useWriteOffCommands, waitingWriteOffsQuery, writeOffsQuery } from "./receipts.api.ts"

export function WriteOffs({ invoiceId }: { invoiceId: string }) {
  const { currency } = useDisplay()
  const { data } = useQuery(writeOffsQuery(invoiceId))
  const [reversing, setReversing] = useState<WriteOffRow>()
  const { confirm, decline } = useWriteOffCommands()
  const ask = useConfirm()
  if (!data || data.length === 0) return null
  const askTo = (writeOff: WriteOffRow, what: "confirm" | "decline") => {
    const idempotencyKey = newKey()
    const amount = formatMoney(writeOff.totalCents, currency)
    const asked = { writeOffId: writeOff.id, idempotencyKey }
    return what === "confirm"
      ? ask({
          title: `Write off ${amount}?`,
          body: `The amount is no longer due on ${writeOff.invoiceNumber}. Reason: ${writeOff.reason}`,
          confirm: "Confirm write-off",
          danger: true,
          action: () => confirm.mutateAsync(asked),
        })
      : ask({
          title: `Decline the write-off of ${amount}?`,
          body: `The amount stays due on ${writeOff.invoiceNumber}.`,
          confirm: "Decline write-off",
          action: () => decline.mutateAsync(asked),
        })
  }
  return (
    <SidePanel title="Write-offs">
      {data.map((writeOff) => (
        <div key={writeOff.id}>
          <FactList
            rows={[
              [formatMoney(writeOff.totalCents, currency), <StatusBadge key="state" status={writeOff.state} />],
              ["VAT included", formatMoney(writeOff.vatCents, currency)],
              ["Reason", writeOff.reason],
              ["Requested by", writeOff.askedByName],
              ["Confirmed by", writeOff.confirmedByName],
              ["Written off", writeOff.writtenOffOn && <DayText key="on" day={writeOff.writtenOffOn} />],
              ["Reversed", writeOff.reversedOn && <DayText key="reversed" day={writeOff.reversedOn} />],
              ["Reversal reason", writeOff.reverseReason],
            ]}
          />
          <Group gap="xs" my="xs">
            {writeOff.allowedActions.includes("confirm") && (
              <Button size="xs" onClick={() => void askTo(writeOff, "confirm")}>
                Confirm write-off
              </Button>
            )}
            {writeOff.allowedActions.includes("decline") && (
              <Button size="xs" variant="default" onClick={() => void askTo(writeOff, "decline")}>
                Decline write-off
              </Button>
            )}
            {writeOff.allowedActions.includes("reverse") && (
              <Button size="xs" variant="default" onClick={() => setReversing(writeOff)}>
                Reverse write-off
              </Button>
            )}
          </Group>
        </div>
      ))}
      {reversing && <ReverseDialog writeOff={reversing} onClose={() => setReversing(undefined)} />}
    </SidePanel>
  )
}

function ReverseDialog({ writeOff, onClose }: { writeOff: WriteOffRow; onClose: () => void }) {
  const { currency } = useDisplay()
  const { reverse } = useWriteOffCommands()
  return (
    <ReasonDialog
      title="Reverse write-off"
      words={`${formatMoney(writeOff.totalCents, currency)} is due again on ${writeOff.invoiceNumber}.`}
      submit="Reverse write-off"
      missing="Enter a reason"
      danger
      maxLength={500}
      save={(given) => reverse.mutateAsync({ writeOffId: writeOff.id, ...given })}
      onClose={onClose}
    />
  )
}

export function WaitingWriteOffs() {
  const { data = [] } = useQuery(waitingWriteOffsQuery())
  const forMe = data.filter(({ allowedActions }) => allowedActions.includes("confirm"))
  const others = data.filter((writeOff) => !forMe.includes(writeOff))
  return (
    <>
      <WaitingNotice writeOffs={forMe} one="1 write-off for you to confirm" many="write-offs for you to confirm" />
      <WaitingNotice
        writeOffs={others}
        one="1 write-off for another person to confirm"
        many="write-offs for another person to confirm"
      />
    </>
  )
}

function WaitingNotice({ writeOffs, one, many }: { writeOffs: WriteOffRow[]; one: string; many: string }) {
  const { currency } = useDisplay()
  if (writeOffs.length === 0) return null
  return (
    <InlineError tone="warning">
      {writeOffs.length === 1 ? one : `${writeOffs.length} ${many}`}:{" "}
      {writeOffs.map(({ id, invoiceId, invoiceNumber, groupName, totalCents }, index) => (
        <span key={id}>
          {index > 0 && "; "}
          {groupName},{" "}
          <Link to="/invoices/$invoiceId" params={{ invoiceId }}>
            {invoiceNumber}
          </Link>
          , {formatMoney(totalCents, currency)}
        </span>
      ))}
    </InlineError>
  )
}
