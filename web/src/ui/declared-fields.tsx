import { Select, Textarea, TextInput } from "@mantine/core"
import {
  type DeclaredField,
  type DeclaredFields,
  displayValue,
  type NamesIn,
  namesIn,
  type StoredValue,
} from "@milkwood/domain/kernel/declared-field"
import type { ComponentProps, ReactNode } from "react"
import { DayText } from "./day.tsx"
import { DayInput } from "./day-input.tsx"
import { requireText } from "./form.ts"

export const fieldOptionsOf = ({ names = {} }: DeclaredField) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

type InputProps = Record<string, unknown>

function FieldInput({ field, input }: { field: DeclaredField; input: InputProps }) {
  const { kind, label, hint, placeholder, most, requiredOnCreate } = field
  const common = {
    label,
    required: Boolean(field.required || requiredOnCreate),
    description: hint,
    placeholder,
    ...input,
  }
  if (kind === "choice") return <Select clearable={!field.required} data={fieldOptionsOf(field)} {...common} />
  if (kind === "day") return <DayInput {...(common as ComponentProps<typeof DayInput>)} />
  if (kind === "text")
    return <Textarea style={{ gridColumn: "1 / -1" }} autosize minRows={2} maxLength={most} {...common} />
  const kinds = { email: { type: "email" }, phone: { type: "tel" }, identity: { autoComplete: "off" } }
  return <TextInput maxLength={most} {...kinds[kind as keyof typeof kinds]} {...common} />
}

interface FieldInputsProps<Fields extends DeclaredFields, Section extends string> {
  fields: Fields
  section: Section
  /** A Mantine form that contains the section's fields. */
  form: { getInputProps: (name: NamesIn<Fields, Section>) => object }
  special?: { [K in NamesIn<Fields, Section>]?: InputProps }
}

/**
 * The inputs of a section of declared fields, in their order.
 *
 *     <FieldInputs fields={memberFields} section="contact" form={form} />
 */
export function FieldInputs<Fields extends DeclaredFields, Section extends string>(
  props: FieldInputsProps<Fields, Section>,
) {
  const { fields, section, form, special } = props
  return namesIn(fields, section).map((name) => (
    <FieldInput key={name} field={fields[name]!} input={{ ...form.getInputProps(name), ...special?.[name] }} />
  ))
}

/** Checks that the required fields of a section are filled in, for a form's `validate`. */
export const requiredIn = <Fields extends DeclaredFields, Section extends string>(fields: Fields, section: Section) =>
  Object.fromEntries(
    namesIn(fields, section).flatMap((name) => {
      const message = fields[name]!.required
      return message ? [[name, requireText(message)]] : []
    }),
  ) as { [K in NamesIn<Fields, Section>]?: ReturnType<typeof requireText> }

export function fieldValueText(field: DeclaredField, value: unknown): ReactNode {
  if (field.kind === "day") return <DayText day={value as string | null} />
  // SectionEditor shows a dash without a value.
  return value === "" ? undefined : (displayValue(field, value) as ReactNode)
}

type Rows<Fields, Section> = {
  [K in NamesIn<Fields, Section>]: {
    label: string
    wide?: boolean
    show: (value: StoredValue<Fields[K & keyof Fields]>) => ReactNode
  }
}

/** The rows of a section for `SectionEditor`. */
export const fieldRowsOf = <Fields extends DeclaredFields, Section extends string>(fields: Fields, section: Section) =>
  Object.fromEntries(
    namesIn(fields, section).map((name) => {
      const field = fields[name]!
      const row = { label: field.label, show: (value: unknown) => fieldValueText(field, value) }
      return [name, field.kind === "text" ? { ...row, wide: true } : row]
    }),
  ) as Rows<Fields, Section>
