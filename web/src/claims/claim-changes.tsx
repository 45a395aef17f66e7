import { Button } from "@mantine/core"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import type { ReactNode } from "react"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { useConfirm } from "../ui/confirm.tsx"
import { InstantText } from "../ui/day.tsx"
import { FactList, SidePanel } from "../ui/record-page.tsx"
import { useAcceptFacts } from "./claims.api.ts"
import classes from "./claims.module.css"

/** Facts that changed since submission. The claim is judged by the stored ones until an approver accepts the others. */
export function ClaimChanges({ claim }: { claim: ClaimDetail }) {
  const accept = useAcceptFacts()
  const confirm = useConfirm()
  if (claim.coverChanges.length === 0) return null
  const mayAccept = claim.allowedActions.includes("approve")
  return (
    <SidePanel title="Changed since submission">
      <FactList
        rows={claim.coverChanges.map(({ fact, submitted, now, recordedBy, recordedAt }): [string, ReactNode] => [
          fact,
          <div key={fact}>
            {keepNumbersUnbroken(now)}
            <div className={classes.quiet}>{keepNumbersUnbroken(`At submission: ${submitted}`)}</div>
            {recordedAt && (
              <div className={classes.quiet}>
                Recorded {recordedBy && `by ${recordedBy} `}on <InstantText at={recordedAt} />
              </div>
            )}
          </div>,
        ])}
      />
      <p className={classes.quiet}>
        The claim is judged by the facts at submission{mayAccept ? "." : " until an approver accepts the current ones."}
      </p>
      {mayAccept && (
        <Button
          variant="default"
          size="xs"
          mt="xs"
          onClick={() =>
            void confirm({
              title: "Judge the claim by the current facts?",
              body: "Cover limit and proposed amount follow the current facts. The audit trail records it.",
              confirm: "Use current facts",
              action: () => accept.mutateAsync({ claimId: claim.id, version: claim.version }),
            })
          }
        >
          Use current facts
        </Button>
      )}
    </SidePanel>
  )
}
