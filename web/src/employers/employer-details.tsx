import { TextInput } from "@mantine/core"
import { employerFields } from "@milkwood/domain/employers/employer-fields"
import type { EmployerDetail } from "@milkwood/domain/employers/employers.contract"
import { type DeclaredField, namesIn, pick } from "@milkwood/domain/kernel/declared-field"
import type { ReactNode } from "react"
import { client } from "../platform/api.ts"
import { FieldInputs, fieldRowsOf, fieldValueText } from "../ui/declared-fields.tsx"
import { requireText } from "../ui/form.ts"
import { rethrowFieldErrors } from "../ui/refused-fields.ts"
import { SectionEditor } from "../ui/section-editor.tsx"
import { useEmployerCommands } from "./employers.api.ts"

const names = namesIn(employerFields, "details")

export function EmployerDetailsSection({ employer }: { employer: EmployerDetail }) {
  const { update } = useEmployerCommands()
  const groupId = employer.id
  return (
    <SectionEditor
      name="details"
      title="Details"
      record={employer}
      reload={() => client.employers.detail({ groupId })}
      canEdit={employer.allowedActions.includes("edit")}
      values={(record) => ({ name: record.name, ...pick(record, names) })}
      fields={{ name: { label: "Group name" }, ...fieldRowsOf(employerFields, "details") }}
      validate={{ name: requireText("Enter the group name") }}
      save={(values, version) => update.mutateAsync({ groupId, version, values }).catch(rethrowFieldErrors("values"))}
    >
      {(form) => (
        <>
          <TextInput
            label="Group name"
            required
            maxLength={200}
            description="Renames the group on all its policies"
            {...form.getInputProps("name")}
          />
          <FieldInputs fields={employerFields} section="details" form={form} />
        </>
      )}
    </SectionEditor>
  )
}

export function employerHistoryField(
  name: string,
): { label?: string; show?: (value: unknown) => ReactNode } | undefined {
  if (name === "name") return { label: "Group name" }
  const field = (employerFields as Readonly<Record<string, DeclaredField>>)[name]
  return field && { label: field.label, show: (value) => fieldValueText(field, value) }
}
