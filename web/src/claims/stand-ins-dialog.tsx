import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useQuery } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { errorTextOf } from "../platform/errors.ts"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { requireText, showRefusedFields } from "../ui/form.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { focusUnreadableField } from "../ui/unreadable.ts"
import { useCommand } from "../ui/use-command.ts"
import classes from "./claims.module.css"

export default function StandInsDialog({ onClose }: { onClose: () => void }) {
  const named = useQuery(api.claims.standIns.queryOptions())
  const choices = useQuery(api.claims.standInChoices.queryOptions())
  const end = useCommand(api.claims.endStandIn, { success: "Stand-in ended", failure: "Failed to end the stand-in" })
  const failed = [named, choices].find(({ isError }) => isError)
  return (
    <Modal opened onClose={onClose} title="Stand-ins" size={520}>
      <Stack gap="md">
        <Text size="sm">
          While a policy holder is away, a group administrator of the same group decides their stage. A person cannot
          decide two stages of a claim, or a claim that they captured or handled.
        </Text>
        {failed && <LoadFailed title="Failed to load stand-ins" error={failed.error} onRetry={failed.refetch} />}
        {named.data && named.data.length > 0 && (
          <ul className={classes.standIns} aria-label="Stand-ins">
            {named.data.map(({ id, person, standIn, fromOn, untilOn, mayEnd }) => (
              <li key={id}>
                <span>
                  {standIn.name} for {person.name}, <DayText day={fromOn} /> to <DayText day={untilOn} />
                </span>
                {mayEnd && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`End ${standIn.name} for ${person.name}`}
                    loading={end.isPending && end.variables?.id === id}
                    onClick={() => end.mutate({ id })}
                  >
                    End
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        {choices.data && <StandInForm choices={choices.data} onClose={onClose} />}
      </Stack>
    </Modal>
  )
}

type Choice = { userId: string; name: string; standIns: { userId: string; name: string }[] }

function StandInForm({ choices, onClose }: { choices: Choice[]; onClose: () => void }) {
  const { today } = useDisplay()
  const [only, another] = choices
  const form = useForm({
    initialValues: {
      personId: only && !another ? only.userId : (null as string | null),
      standInId: null as string | null,
      fromOn: today as string | null,
      untilOn: null as string | null,
    },
    validate: {
      personId: requireText("Choose the person who is away"),
      standInId: requireText("Choose the stand-in"),
      fromOn: requireText("Choose the first day"),
      untilOn: requireText("Enter the last day"),
    },
  })
  const name = useCommand(api.claims.nameStandIn, {
    onError: (error) => showRefusedFields(form, error),
    success: ({ standIn, person }) => `${standIn.name} stands in for ${person.name}`,
    failure: "Failed to name a stand-in",
    onSuccess: () => form.reset(),
  })
  if (!only) return <p className={classes.quiet}>There are no policy holders.</p>
  const chosen = choices.find(({ userId }) => userId === form.values.personId)
  const options = (people: { userId: string; name: string }[]) =>
    people.map(({ userId, name }) => ({ value: userId, label: name }))
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ personId, standInId, fromOn, untilOn }, event) => {
        if (focusUnreadableField(event?.currentTarget as HTMLElement)) return
        if (personId && standInId && fromOn && untilOn) name.mutate({ personId, standInId, fromOn, untilOn })
      })}
    >
      <Stack gap="sm">
        {another && (
          <Select
            label="Person away"
            required
            searchable
            data={options(choices)}
            {...form.getInputProps("personId")}
            onChange={(personId) => form.setValues({ personId, standInId: null })}
          />
        )}
        <Select
          label="Stand-ins"
          required
          searchable
          disabled={!chosen}
          data={options(chosen?.standIns ?? [])}
          {...form.getInputProps("standInId")}
        />
        {chosen && chosen.standIns.length === 0 && (
          <p className={classes.quiet}>No group administrator has access to the groups of {chosen.name}.</p>
        )}
        <Group grow align="start">
          <DayInput label="First day" required {...form.getInputProps("fromOn")} />
          <DayInput label="Last day" required {...form.getInputProps("untilOn")} />
        </Group>
        {name.error && !Object.keys(form.errors).length && <InlineError>{errorTextOf(name.error)}</InlineError>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={name.isPending}>
            Name stand-in
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
