import { Button, Group } from "@mantine/core"
import type { PolicyGrace } from "@milkwood/domain/collection/collection.contract"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { usePolicyCommands } from "../policies/policies.api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { DayText, InstantText } from "../ui/day.tsx"
import { useDisplay } from "../ui/display.tsx"
import { MoneyText } from "../ui/money.tsx"
import { FactList, SidePanel } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { graceQuery } from "./collection.api.ts"
import { MailDialog } from "./mail-dialog.tsx"

interface GracePanelProps {
  policy: { policyId: string; policyNumber: string; groupName: string }
}

export function GracePanel({ policy }: GracePanelProps) {
  const { data } = useQuery(graceQuery(policy.policyId))
  const [notice, setNotice] = useState(false)
  const confirm = useConfirm()
  const { suspend } = usePolicyCommands()
  if (!data?.grace) return null
  const { grace, unpaid } = data
  const askToLapse = () =>
    confirm({
      title: `Confirm the lapse of ${policy.policyNumber}?`,
      body: <LapseText grace={data} />,
      confirm: "Suspend policy",
      danger: true,
      action: () =>
        suspend.mutateAsync({
          policyId: policy.policyId,
          version: data.policyVersion,
          reason: `Premium not paid: ${unpaid.map(({ number }) => number).join(", ")}; the grace period ended on ${grace.coverUntil}`,
        }),
    })
  return (
    <SidePanel title="Grace period">
      <FactList
        rows={[
          [
            "Unpaid premium",
            <MoneyText key="unpaid" cents={unpaid.reduce((sum, { openCents }) => sum + openCents, 0)} />,
          ],
          ["Not paid since", <DayText key="since" day={grace.nonPaymentOn} />],
          [
            data.noticeSentAt ? "Notice sent" : "Notice due by",
            data.noticeSentAt ? (
              <InstantText key="sent" at={data.noticeSentAt} show="day" />
            ) : (
              <DayText key="due" day={grace.noticeDueOn} />
            ),
          ],
          ["Cover continues until", <DayText key="until" day={grace.coverUntil} />],
          ["Days left", grace.isOver ? "None" : grace.daysLeft],
        ]}
      />
      <Group gap="xs" mt="sm">
        {data.allowedActions.includes("notice") && (
          <Button size="xs" variant="default" onClick={() => setNotice(true)}>
            Send notice of non-payment
          </Button>
        )}
        {data.allowedActions.includes("lapse") && (
          <Button size="xs" color="red" variant="light" onClick={() => void askToLapse()}>
            Confirm lapse
          </Button>
        )}
      </Group>
      {notice && <MailDialog kind="notice" policy={policy} onClose={() => setNotice(false)} />}
    </SidePanel>
  )
}

export function GraceBadge({ policyId }: { policyId: string }) {
  const { data } = useQuery(graceQuery(policyId))
  if (!data?.grace) return null
  const { isOver, coverUntil } = data.grace
  return (
    <span>
      <StatusBadge status={isOver ? "grace_over" : "in_grace"} size="md" /> {isOver ? "since" : "until"}{" "}
      <DayText day={coverUntil} />
    </span>
  )
}

function LapseText({ grace: { members, unpaid, grace } }: { grace: PolicyGrace }) {
  const { today } = useDisplay()
  return (
    <>
      The policy is suspended from <DayText day={today} />. From that day,{" "}
      {members === 1 ? "its member has" : `its ${members} members have`} no cover, and claims for new incidents fail the
      cover check. No premium is owed for months that start during the suspension.{" "}
      {unpaid.length === 1 ? "The unpaid invoice stays" : `The ${unpaid.length} unpaid invoices stay`} due. The grace
      period ended on <DayText day={grace?.coverUntil ?? null} />. Reinstate the policy to end the suspension.
    </>
  )
}
