import { Button, Checkbox, CloseButton, Stack, TextInput } from "@mantine/core"
import { IconChevronDown } from "@tabler/icons-react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { api } from "../../platform/api.ts"
import { PanelPopup } from "../popups.tsx"
import classes from "./filter-chip.module.css"
import type { Filter } from "./types.ts"

interface RecordChipProps {
  filter: Extract<Filter, { kind: "record" }>
  /** The ids in the address. */
  value: string | undefined
  /** How they are called, as the list's answer says. */
  named: readonly { id: string; name: string }[] | undefined
  onChange: (value: string | undefined) => void
}

/** A filter by record: says by name which, so that nobody takes the rest for all. Employers can be chosen, several. */
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
            <Groups
              label={filter.label}
              chosen={chosen}
              named={named}
              onChange={(ids) => onChange(ids.length > 0 ? ids.join(",") : undefined)}
            />
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

function Groups(props: {
  label: string
  chosen: string[]
  named: readonly { id: string; name: string }[]
  onChange: (ids: string[]) => void
}) {
  const { label, chosen, named, onChange } = props
  const [wanted, setWanted] = useState("")
  const { data } = useQuery({
    ...api.policies.groups.queryOptions({ input: { search: wanted.trim() } }),
    placeholderData: keepPreviousData,
  })
  const found = data ?? []
  const groups = wanted ? found : [...named, ...found.filter(({ id }) => !chosen.includes(id))]
  return (
    <>
      <TextInput
        size="xs"
        mb={6}
        aria-label={`Find in ${label}`}
        placeholder={`Find in ${label.toLowerCase()}`}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <div className={classes.scroll}>
        <Stack gap={8} role="group" aria-label={label}>
          {groups.map(({ id, name }) => (
            <Checkbox
              key={id}
              size="sm"
              label={name}
              checked={chosen.includes(id)}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
          ))}
        </Stack>
        {data && groups.length === 0 && <p className={classes.noChoice}>Nothing matches.</p>}
      </div>
    </>
  )
}
