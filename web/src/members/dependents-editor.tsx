import { ActionIcon, Button, Group, Select, SimpleGrid, Stack, Table, Text, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { dependentWarnings } from "@milkwood/domain/members/dependents"
import type { Relationship } from "@milkwood/domain/members/member"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import { IconPencil, IconTrash } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { idNumberProblem } from "./member-fields.tsx"
import { genderOptions, relationshipOptions, word } from "./member-words.tsx"
import classes from "./members.module.css"

interface DependentsEditorProps {
  value: DependentInput[]
  onChange: (dependents: DependentInput[]) => void
  /** Refusals per field: "dependents.1.idNumber". */
  errors?: Record<string, unknown>
}

/** Stores nothing until the member is saved. */
export function DependentsEditor({ value, onChange, errors = {} }: DependentsEditorProps) {
  const [open, setOpen] = useState<number>()
  const addButton = useRef<HTMLButtonElement>(null)
  const { today } = useDisplay()
  const warnings = today ? dependentWarnings(value, today) : []
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
  /** Only the year of birth if the reader may not see the date. */
  dependents: (DependentInput & { birthYear?: number | null })[]
  errors?: Record<string, unknown>
  onEdit?: (index: number) => void
  onRemove?: (index: number, row: Element | null) => void
}

/** Rows are editable with `onEdit`. */
export function DependentsTable({ dependents, errors = {}, onEdit, onRemove }: DependentsTableProps) {
  return (
    <Table className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Relationship</Table.Th>
          <Table.Th>Date of birth</Table.Th>
          <Table.Th>ID number</Table.Th>
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
              <Table.Td data-label="Relationship">{word(dependent.relationship)}</Table.Td>
              <Table.Td data-label="Date of birth">
                {dependent.dateOfBirth ? <DayText day={dependent.dateOfBirth} /> : (dependent.birthYear ?? "–")}
              </Table.Td>
              <Table.Td data-label="ID number" className="tabular">
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
      firstName: dependent?.firstName ?? "",
      lastName: dependent?.lastName ?? "",
      idNumber: dependent?.idNumber ?? "",
      relationship: (dependent?.relationship ?? null) as Relationship | null,
      dateOfBirth: dependent?.dateOfBirth ?? null,
      gender: dependent?.gender ?? null,
      fromOn: dependent?.fromOn ?? null,
      untilOn: dependent?.untilOn ?? null,
    },
    validate: {
      firstName: required("Enter the first name"),
      lastName: required("Enter the last name"),
      relationship: required("Choose the relationship"),
      idNumber: (text, { dateOfBirth }) => idNumberProblem(text, today, dateOfBirth),
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
        <TextInput label="First name" required maxLength={120} {...form.getInputProps("firstName")} />
        <TextInput label="Last name" required maxLength={120} {...form.getInputProps("lastName")} />
        <Select label="Relationship" required data={relationshipOptions} {...form.getInputProps("relationship")} />
        <TextInput label="ID number" inputMode="numeric" maxLength={20} {...form.getInputProps("idNumber")} />
        <DayInput label="Date of birth" latest={today || undefined} {...form.getInputProps("dateOfBirth")} />
        <Select label="Gender" clearable data={genderOptions} {...form.getInputProps("gender")} />
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
