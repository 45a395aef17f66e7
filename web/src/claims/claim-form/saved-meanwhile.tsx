import { Button } from "@mantine/core"
import { type CauseOfDeath, causeOfDeathNames, claimTypeNames } from "@milkwood/domain/claims/claim"
import { claimFieldNames } from "@milkwood/domain/claims/claim-form"
import { countryName } from "@milkwood/domain/kernel/country"
import type { ReactNode } from "react"
import { DayText } from "../../ui/day.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { MoneyText } from "../../ui/money.tsx"
import type { FieldConflict } from "./use-claim-draft.ts"

interface ConflictNoticeProps {
  clashes: FieldConflict[]
  onTake: (clash: FieldConflict) => void
  onKeep: (clash: FieldConflict) => void
}

/** Warns when another user changed the same fields: the form keeps this user's values and offers the others. */
export function ConflictNotice({ clashes, onTake, onKeep }: ConflictNoticeProps) {
  return clashes.map((clash) => (
    <InlineError
      key={clash.field}
      tone="warning"
      mb="sm"
      action={
        <Button.Group>
          <Button size="compact-sm" variant="default" onClick={() => onKeep(clash)}>
            Keep mine
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => onTake(clash)}>
            Use theirs
          </Button>
        </Button.Group>
      }
    >
      Someone else saved {claimFieldNames[clash.field]} in the meantime: {theirValueText(clash)}. Your version is in the
      form.
    </InlineError>
  ))
}

function theirValueText({ field, theirs }: FieldConflict): ReactNode {
  if (theirs === null || theirs === "") return "nothing"
  if (typeof theirs === "number") return <MoneyText cents={theirs} />
  if (field === "incidentOn" || field === "notificationOn") return <DayText day={theirs} />
  if (field === "claimType") return claimTypeNames[theirs as keyof typeof claimTypeNames]
  if (field === "causeOfDeath") return causeOfDeathNames[theirs as CauseOfDeath]
  if (field === "incidentCountry") return countryName(theirs)
  if (field === "memberId" || field === "benefitId") return "another one"
  return `“${theirs}”`
}
