import type { UseFormReturnType } from "@mantine/form"
import type { ReactNode } from "react"
import { ConflictChoice } from "../ui/stale-choice.tsx"
import type { MergeState } from "./use-merge.ts"

interface MergeNoticeProps<Values> {
  merge: MergeState<Values> | undefined
  form: UseFormReturnType<Values>
  labels: { [Name in keyof Values]: string }
  /** Default: plain text. */
  show?: (field: keyof Values, value: unknown) => ReactNode
}

/** Shows fields that both users changed. All input is preserved. */
export function MergeNotice<Values extends object>({ merge, form, labels, show }: MergeNoticeProps<Values>) {
  if (!merge) return null
  const name = (field: string) => field as keyof Values & string
  return (
    <ConflictChoice
      clashes={merge.clashes}
      labelOf={(field) => labels[name(field)]}
      show={(field, side) => {
        const value = side === "theirs" ? merge.theirs[name(field)] : form.getValues()[name(field)]
        return show ? show(name(field), value) : value === "" || value == null ? "–" : String(value)
      }}
      onTake={(field) => form.setFieldValue(field as never, merge.theirs[name(field)] as never)}
      onKeep={(field, mine) => form.setFieldValue(field as never, mine as never)}
    />
  )
}
