import { Button, Stack } from "@mantine/core"
import { type QueryFunction, type QueryKey, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from "react"
import type { RowAction } from "./data-table/types.ts"
import { toast } from "./toast.tsx"

/** Actions by name of `allowedActions`, in display order. */
type Steps<Act extends string> = Partial<Record<Act, RowAction>>

/**
 * The allowed actions, for a row's menu after "View".
 *
 *     rowActions={(row) => [{ label: "View receipt", link: linkTo(row.id) }, ...allowedSteps(row, actions.of(row))]}
 */
export const allowedSteps = <Act extends string>(
  { allowedActions }: { allowedActions: readonly Act[] },
  steps: Steps<Act>,
): RowAction[] =>
  Object.entries<RowAction>(steps as Record<string, RowAction>).flatMap(([act, step]) =>
    allowedActions.includes(act as Act) ? step : [],
  )

/**
 * Header actions: the first allowed of `leading` as the button, all others in the menu.
 *
 *     <RecordPage {...headerStepsOf(receipt, actions.of(receipt), ["allocate"])} … />
 */
export function headerStepsOf<Act extends string>(
  record: { allowedActions: readonly Act[] },
  steps: Steps<Act>,
  leading: readonly Act[],
): { primary: ReactNode; actions: RowAction[] } {
  const first = leading.find((act) => record.allowedActions.includes(act) && steps[act])
  const { [first as Act]: primary, ...others } = steps
  return { primary: primary && <StepButton step={primary} />, actions: allowedSteps(record, others as Steps<Act>) }
}

/**
 * The allowed actions as buttons, the first one filled.
 *
 *     <SidePanel title="Actions"><StepButtons record={invoice} steps={{ send, edit, download }} /></SidePanel>
 */
export function StepButtons<Act extends string>(props: {
  record: { allowedActions: readonly Act[] }
  steps: Steps<Act>
}) {
  return (
    <Stack gap="xs">
      {allowedSteps(props.record, props.steps).map((step, index) => (
        <StepButton key={step.label} step={step} variant={index === 0 ? "filled" : "default"} />
      ))}
    </Stack>
  )
}

function StepButton({ step, variant }: { step: RowAction; variant?: "filled" | "default" }) {
  const { label, link, href, onClick } = step
  const look = variant && { variant }
  if (link)
    return (
      <Button {...look} renderRoot={(props) => <Link {...props} {...link} />}>
        {label}
      </Button>
    )
  if (href)
    return (
      <Button {...look} component="a" href={href} download>
        {label}
      </Button>
    )
  return (
    <Button {...look} onClick={onClick}>
      {label}
    </Button>
  )
}

export type RecordDialogs<Detail, Act> = ComponentType<{ record: Detail; act: Act; onClose: () => void }>

/**
 * A record's dialogs, for its page and for list rows. The record is loaded fresh, since a row has only part of it.
 *
 *     const dialogs = useRecordDialogs(receiptQuery, ReceiptDialogs)
 *     … onClick: () => dialogs.open(receipt.id, "allocate") …
 *     {dialogs.shown}
 */
export function useRecordDialogs<Detail, Act extends string>(
  query: (id: string) => { queryKey: QueryKey; queryFn: QueryFunction<Detail> },
  Dialogs: RecordDialogs<Detail, Act>,
): { open: (id: string, act: Act) => void; shown: ReactNode } {
  const [asked, setAsked] = useState<{ id: string; act: Act }>()
  const close = () => setAsked(undefined)
  return {
    open: (id, act) => setAsked({ id, act }),
    shown: asked && (
      <Suspense>
        <LoadedOverlay key={asked.id + asked.act} query={query(asked.id)} onMissing={close}>
          {(record) => <Dialogs record={record} act={asked.act} onClose={close} />}
        </LoadedOverlay>
      </Suspense>
    ),
  }
}

function LoadedOverlay<Detail>(props: {
  query: { queryKey: QueryKey; queryFn: QueryFunction<Detail> }
  onMissing: () => void
  children: (record: Detail) => ReactNode
}) {
  const { data, error } = useQuery<Detail>(props.query)
  const { onMissing } = props
  const missing = data === undefined && error
  useEffect(() => {
    if (!missing) return
    toast.error("The record could not be opened", missing)
    onMissing()
  }, [missing, onMissing])
  return data !== undefined && props.children(data)
}
