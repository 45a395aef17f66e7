import { Checkbox, Stack, TextInput } from "@mantine/core"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../platform/api.ts"
import classes from "./filter-chip.module.css"

export default function GroupChoices(props: {
  label: string
  chosen: string[]
  named: readonly { id: string; name: string }[]
  onChange: (ids: string[]) => void
}) {
  const { label, chosen, named, onChange } = props
  const [wanted, setWanted] = useState("")
  const { data } = useQuery({
    ...api.employers.groups.queryOptions({ input: { search: wanted.trim() } }),
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
