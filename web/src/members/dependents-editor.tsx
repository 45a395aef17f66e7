import { ActionIcon, Button, Group, SimpleGrid, Stack, Table, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { emptyDraft, pick } from "@milkwood/domain/kernel/declared-field"
import { dependentFieldNames, dependentFields } from "@milkwood/domain/members/dependent-fields"
import { warningsOfDependents } from "@milkwood/domain/members/dependents"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import { IconPencil, IconTrash } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { FieldInputs, requiredIn } from "../ui/declared-fields.tsx"
import { useDisplay } from "../ui/display.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { findIdNumberProblem } from "./member-fields.tsx"
import classes from "./members.module.css"

interface DependentsEditorProps {
  value: DependentInput[]
  onChange: (dependents: DependentInput[]) => void
  /** Refusals per field: "dependents.1.idNumber". */
  errors?: Record<string, unknown>
}

/** Changes are stored only when the member is saved. */
export function DependentsEditor({ value, onChange, errors = {} }: DependentsEditorProps) {
  const [open, setOpen] = useState<number>()
  const addButton = useRef<HTMLButtonElement>(null)
  const { today } = useDisplay()
  const warnings = today ? warningsOfDependents(value, today) : []
  const put = (dependent: DependentInput) =>
    onChange(open === value.length ? [...value, dependent] : value.map((each, at) => (at === open ? dependent : each)))
  return (
    <Stack gap="sm">
      {value.length === 0 ? (
        <Text c="dimmed">No dependents.</Text>
      ) : (
        <DependentsTable
          dependents={value}
          errors={errors}
          onEdit={setOpen}
          onRemove={(index, row) => {
            const next = row?.nextElementSibling ?? row?.previousElementSibling
            const start = next?.querySelector<HTMLElement>("[data-remove]") ?? addButton.current
            start?.focus()
            onChange(value.filter((_, at) => at !== index))
          }}
        />
      )}
      {warnings.length > 0 && (
        <InlineError tone="warning">{warnings.map((warning) => `${warning}.`).join(" ")}</InlineError>
      )}
      <Group>
        <Button ref={addButton} variant="light" onClick={() => setOpen(value.length)}>
          Add dependent
        </Button>
      </Group>
      {open !== undefined && (
        <DependentDialog dependent={value[open]} onClose={() => setOpen(undefined)} onSave={put} />
      )}
    </Stack>
  )
}

interface DependentsTableProps {
  /** `birthYear` replaces the date of birth if the reader may not see it. */
  dependents: (DependentInput & { birthYear?: number | null })[]
  errors?: Record<string, unknown>
  onEdit?: (index: number) => void
  onRemove?: (index: number, row: Element | null) => void
}

const { relationship, dateOfBirth, idNumber } = dependentFields

/** Rows are editable with `onEdit`. */
export function DependentsTable({ dependents, errors = {}, onEdit, onRemove }: DependentsTableProps) {
  return (
    <Table className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>{relationship.label}</Table.Th>
          <Table.Th>{dateOfBirth.label}</Table.Th>
          <Table.Th>{idNumber.label}</Table.Th>
          <Table.Th>Covered</Table.Th>
          {onEdit && <Table.Th>Actions</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {dependents.map((dependent, index) => {
          const name = `${dependent.firstName} ${dependent.lastName}`
          const wrong = Object.entries(errors).find(([path]) => path.startsWith(`dependents.${index}.`))?.[1]
          return (
            <Table.Tr key={dependent.id ?? [name, dependent.dateOfBirth, dependent.idNumber].join(" ")}>
              <Table.Td data-label="Name">
                {name}
                {wrong !== undefined && <InlineError>{String(wrong)}</InlineError>}
              </Table.Td>
              <Table.Td data-label={relationship.label}>{relationship.names[dependent.relationship]}</Table.Td>
              <Table.Td data-label={dateOfBirth.label}>
                {dependent.dateOfBirth ? <DayText day={dependent.dateOfBirth} /> : (dependent.birthYear ?? "–")}
              </Table.Td>
              <Table.Td data-label={idNumber.label} className="tabular">
                {dependent.idNumber ?? "–"}
              </Table.Td>
              <Table.Td data-label="Covered">
                <span>
                  {dependent.fromOn ? (
                    <>
                      from <DayText day={dependent.fromOn} />
                    </>
                  ) : (
                    "from the start"
                  )}
                  {dependent.untilOn && (
                    <>
                      {" "}
                      to <DayText day={dependent.untilOn} />
                    </>
                  )}
                </span>
              </Table.Td>
              {onEdit && (
                <Table.Td data-label="Actions">
                  <Group gap={4} wrap="nowrap">
                    <ActionIcon aria-label={`Edit ${name}`} onClick={() => onEdit(index)}>
                      <IconPencil size={16} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={`Remove ${name}`}
                      data-remove
                      color="red"
                      onClick={(event) => onRemove?.(index, event.currentTarget.closest("tr"))}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

interface DependentDialogProps {
  dependent: DependentInput | undefined
  onClose: () => void
  onSave: (dependent: DependentInput) => void
}

function DependentDialog({ dependent, onClose, onSave }: DependentDialogProps) {
  const { today } = useDisplay()
  const form = useForm({
    initialValues: {
      ...emptyDraft(dependentFields),
      ...(dependent && pick(dependent, dependentFieldNames)),
      idNumber: dependent?.idNumber ?? "",
      fromOn: dependent?.fromOn ?? null,
      untilOn: dependent?.untilOn ?? null,
    },
    validate: {
      ...requiredIn(dependentFields, "dependent"),
      idNumber: (text, { dateOfBirth }) => findIdNumberProblem(text, today, dateOfBirth),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={dependent ? "Edit dependent" : "Add dependent"}
      submit="Save dependent"
      form={form}
      save={async ({ idNumber, relationship, ...rest }) => {
        if (!relationship) return
        onSave({
          ...rest,
          ...(dependent?.id ? { id: dependent.id } : {}),
          idNumber: idNumber.replace(/\s/g, "") || null,
          relationship,
        })
      }}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <FieldInputs
          fields={dependentFields}
          section="dependent"
          form={form}
          special={{ idNumber: { inputMode: "numeric", maxLength: 20 }, dateOfBirth: { latest: today || undefined } }}
        />
        <DayInput
          label="Covered from"
          description="Leave empty to use the member's start date or today"
          {...form.getInputProps("fromOn")}
        />
        <DayInput label="Last day of cover" {...form.getInputProps("untilOn")} />
      </SimpleGrid>
    </FormDialog>
  )
}
