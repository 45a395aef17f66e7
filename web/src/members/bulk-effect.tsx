import { Select } from "@mantine/core"
import type { MemberRow } from "@milkwood/domain/members/members.contract"
import { useQuery } from "@tanstack/react-query"
import { type ComponentProps, type ComponentType, useState } from "react"
import { benefitChoicesQuery } from "../benefits/benefits.api.ts"
import { EffectNote } from "../billing/effect-note.tsx"
import type { BulkStep } from "../ui/data-table/types.ts"
import { suggestedMemberActions } from "./member-act-dialog.tsx"

type BulkEffectProps = ComponentProps<NonNullable<BulkStep<MemberRow>["about"]>>

const idsOf = (rows: readonly MemberRow[]) => rows.map(({ id }) => id)

/** Effect of a bulk change on the next invoices of the policies. */
const createEffect =
  (act: keyof typeof suggestedMemberActions): ComponentType<BulkEffectProps> =>
  ({ rows, day }) => (
    <EffectNote change={day ? { act: suggestedMemberActions[act], memberIds: idsOf(rows), on: day } : null} />
  )

export const SuspendedEffect = createEffect("suspend")
export const ReinstatedEffect = createEffect("reinstate")
export const TerminatedEffect = createEffect("terminate")

export function TierEffect({ rows, day, onChoose }: BulkEffectProps) {
  const choices = useQuery(benefitChoicesQuery())
  const [tierId, setTierId] = useState<string | null>(null)
  return (
    <>
      <Select
        label="Benefit tier"
        required
        allowDeselect={false}
        placeholder={choices.isPending ? "Loading..." : "Choose a benefit tier"}
        data={choices.data?.tiers.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={tierId}
        onChange={(chosen) => {
          setTierId(chosen)
          if (chosen) onChoose(chosen)
        }}
      />
      <EffectNote change={day && tierId ? { act: "changeTier", memberIds: idsOf(rows), tierId, on: day } : null} />
    </>
  )
}
