import { Select, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { isPhone, phoneWords } from "@milkwood/domain/kernel/phone"
import { checkZaIdNumber, zaIdProblems } from "@milkwood/domain/kernel/za-id-number"
import type { MemberContact, MemberEmployment, MemberPersonal } from "@milkwood/domain/members/member-shape"
import { useRef } from "react"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { employmentOptions, genderOptions } from "./member-words.tsx"

/** Personal details on the form: numbers are text, empty while nothing is typed. */
export type PersonalFields = Omit<MemberPersonal, "idNumber" | "passportNumber"> & {
  idNumber: string
  passportNumber: string
}

type Form<Values> = Pick<UseFormReturnType<Values>, "getInputProps" | "setFieldValue" | "values">

/** What is wrong with an ID number that has all its digits; nothing while it is being typed. */
export function idNumberProblem(text: string, today: string, dateOfBirth: string | null): string | null {
  const digits = text.replace(/\s/g, "")
  if (digits === "" || today === "") return null
  const read = checkZaIdNumber(digits, today, dateOfBirth)
  return read.ok ? null : zaIdProblems[read.reason]
}

/** What is wrong with a phone number; nothing is none. */
export const phoneProblem = (text: string): string | null =>
  text.trim() === "" || isPhone(text.trim()) ? null : phoneWords

/**
 * The inputs of Personal Info. A whole ID number fills in date of birth and gender where they are empty, or were
 * filled in from the number before.
 */
export function PersonalInputs<Values extends PersonalFields>({ form }: { form: Form<Values> }) {
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
  return (
    <>
      <TextInput label="First name" required maxLength={120} {...form.getInputProps("firstName")} />
      <TextInput label="Last name" required maxLength={120} {...form.getInputProps("lastName")} />
      <TextInput
        label="ID number"
        required={form.values.passportNumber === ""}
        description="Fills in date of birth and gender"
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        {...form.getInputProps("idNumber")}
        onChange={(event) => typeIdNumber(event.currentTarget.value)}
      />
      <TextInput
        label="Passport number"
        description="For those without an ID number"
        autoComplete="off"
        maxLength={40}
        {...form.getInputProps("passportNumber")}
      />
      <DayInput label="Date of birth" latest={today || undefined} {...form.getInputProps("dateOfBirth")} />
      <Select label="Gender" clearable data={genderOptions} {...form.getInputProps("gender")} />
    </>
  )
}

/** The inputs of Contact Info. */
export function ContactInputs<Values extends MemberContact>({ form }: { form: Pick<Form<Values>, "getInputProps"> }) {
  return (
    <>
      <TextInput label="Email" required type="email" {...form.getInputProps("email")} />
      <TextInput label="Phone" type="tel" maxLength={40} {...form.getInputProps("phone")} />
      <Textarea
        style={{ gridColumn: "1 / -1" }}
        label="Address"
        autosize
        minRows={2}
        maxLength={500}
        {...form.getInputProps("address")}
      />
    </>
  )
}

/** The inputs of Employment. */
export function EmploymentInputs<Values extends MemberEmployment>({
  form,
}: {
  form: Pick<Form<Values>, "getInputProps">
}) {
  return (
    <>
      <Select
        label="Employment status"
        clearable
        placeholder="Choose the employment status"
        data={employmentOptions}
        {...form.getInputProps("employmentStatus")}
      />
      <TextInput
        label="Employee number"
        description="As on the employer's payroll"
        maxLength={40}
        {...form.getInputProps("employeeNumber")}
      />
      <TextInput label="Job title" maxLength={120} {...form.getInputProps("jobTitle")} />
      <TextInput label="Employer" maxLength={200} {...form.getInputProps("employer")} />
    </>
  )
}
