import { Button, CloseButton } from "@mantine/core"
import { IconChevronDown } from "@tabler/icons-react"
import { lazy, Suspense, useRef } from "react"
import { PanelPopup } from "../popups.tsx"
import classes from "./filter-chip.module.css"
import type { Filter } from "./types.ts"

const GroupChoices = lazy(() => import("./group-choices.tsx"))

interface RecordChipProps {
  filter: Extract<Filter, { kind: "record" }>
  value: string | undefined
  named: readonly { id: string; name: string }[] | undefined
  onChange: (value: string | undefined) => void
}

export function RecordChip({ filter, value, named = [], onChange }: RecordChipProps) {
  const chip = useRef<HTMLButtonElement>(null)
  const chosen = value?.split(",") ?? []
  const choosable = filter.record === "group"
  if (!choosable && value === undefined) return null
  const words =
    chosen.length > 1
      ? `${chosen.length} ${filter.label.toLowerCase()}s`
      : (named.find(({ id }) => id === value)?.name ?? "…")
  const face = (
    <Button
      ref={chip}
      className={classes.chip}
      data-set={value !== undefined || undefined}
      variant="default"
      size="compact-sm"
      rightSection={value === undefined ? <IconChevronDown size={12} aria-hidden /> : undefined}
      title={named.map(({ name }) => name).join(", ")}
    >
      {value === undefined ? filter.label : `${filter.label} `}
      {value !== undefined && <span className={classes.chipValue}>{words}</span>}
    </Button>
  )
  return (
    <span className={classes.chipPair}>
      {choosable ? (
        <PanelPopup position="bottom-start" button={face}>
          {() => (
            <Suspense>
              <GroupChoices
                label={filter.label}
                chosen={chosen}
                named={named}
                onChange={(ids) => onChange(ids.length > 0 ? ids.join(",") : undefined)}
              />
            </Suspense>
          )}
        </PanelPopup>
      ) : (
        face
      )}
      {value !== undefined && (
        <CloseButton
          className={classes.chipClear}
          size={24}
          iconSize={12}
          aria-label={`Clear filter ${filter.label}`}
          onClick={() => {
            chip.current?.focus()
            onChange(undefined)
          }}
        />
      )}
    </span>
  )
}
