import type { UseFormReturnType } from "@mantine/form"
import { isPhone, phoneMessage } from "@milkwood/domain/kernel/phone"
import { checkZaIdNumber, zaIdProblems } from "@milkwood/domain/kernel/za-id-number"
import { type MemberFields, memberFields } from "@milkwood/domain/members/member-fields"
import type { MemberPersonal } from "@milkwood/domain/members/member-shape"
import { type ChangeEvent, type ComponentProps, useRef } from "react"
import { FieldInputs } from "../ui/declared-fields.tsx"
import { useDisplay } from "../ui/display.tsx"

/** ID and passport numbers are text, empty by default. */
export type PersonalFields = Omit<MemberPersonal, "idNumber" | "passportNumber"> & {
  idNumber: string
  passportNumber: string
}

type MemberFieldsForm<Values> = Pick<UseFormReturnType<Values>, "getInputProps" | "setFieldValue" | "values">

/** Null until all digits are typed. */
export function findIdNumberProblem(text: string, today: string, dateOfBirth: string | null): string | null {
  const digits = text.replace(/\s/g, "")
  if (digits === "" || today === "") return null
  const read = checkZaIdNumber(digits, today, dateOfBirth)
  return read.ok ? null : zaIdProblems[read.reason]
}

/** Null for an empty phone number. */
export const findPhoneProblem = (text: string): string | null =>
  text.trim() === "" || isPhone(text.trim()) ? null : phoneMessage

/** A complete ID number fills in date of birth and gender unless the user typed them. */
export function PersonalInputs<Values extends PersonalFields>({ form }: { form: MemberFieldsForm<Values> }) {
  const { today } = useDisplay()
  const filled = useRef<Pick<PersonalFields, "dateOfBirth" | "gender">>({ dateOfBirth: null, gender: null })
  const typeIdNumber = (text: string) => {
    const set = (field: string, value: unknown) => form.setFieldValue(field as never, value as never)
    set("idNumber", text)
    const read = checkZaIdNumber(text, today || "9999-12-31")
    if (!read.ok) return
    for (const field of ["dateOfBirth", "gender"] as const) {
      const shown = form.values[field]
      if (shown === null || shown === filled.current[field]) set(field, read[field])
    }
    filled.current = read
  }
  const special = {
    idNumber: {
      required: form.values.passportNumber === "",
      inputMode: "numeric",
      maxLength: 20,
      onChange: (event: ChangeEvent<HTMLInputElement>) => typeIdNumber(event.currentTarget.value),
    },
    dateOfBirth: { latest: today || undefined },
  }
  return <FieldInputs fields={memberFields} section="personal" form={form} special={special} />
}

type InputsForm = ComponentProps<typeof FieldInputs<MemberFields, "contact" | "employment">>["form"]

export const ContactInputs = ({ form }: { form: InputsForm }) => (
  <FieldInputs fields={memberFields} section="contact" form={form} />
)

export const EmploymentInputs = ({ form }: { form: InputsForm }) => (
  <FieldInputs fields={memberFields} section="employment" form={form} />
)
