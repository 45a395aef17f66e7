import { PasswordInput } from "@mantine/core"
import { usePasswordHint } from "./users.api.ts"

interface PasswordFieldsProps {
  form: { getInputProps: (name: string) => object; key: (name: string) => string }
  label?: string
  autoFocus?: boolean
  /** Puts the rules below the field when the two fields are side by side. */
  rulesBelow?: boolean
  /** Marks both as required, in forms with optional fields. */
  required?: boolean
}

/**
 * A new password, the settings' rules in words, and a repetition. Use with `newPassword`:
 *
 *     const { form, submit } = useEntranceForm({ initialValues: { password: "", confirmPassword: "" }, ...newPassword, … })
 *     <PasswordFields form={form} label="New password" />
 */
export function PasswordFields({
  form,
  label = "Password",
  autoFocus = false,
  rulesBelow = false,
  required = false,
}: PasswordFieldsProps) {
  const hint = usePasswordHint()
  return (
    <>
      <PasswordInput
        label={label}
        withAsterisk={required}
        description={hint}
        {...(rulesBelow && { inputWrapperOrder: ["label", "input", "description", "error"] })}
        autoComplete="new-password"
        autoFocus={autoFocus}
        // The error is a list, which a paragraph cannot contain.
        errorProps={{ component: "div" }}
        {...form.getInputProps("password")}
        key={form.key("password")}
      />
      <PasswordInput
        label="Confirm password"
        withAsterisk={required}
        autoComplete="new-password"
        {...form.getInputProps("confirmPassword")}
        key={form.key("confirmPassword")}
      />
    </>
  )
}

/** Checks the specification's password rules, with its messages. */
export const newPasswordValidation = {
  check: ({
    password,
    confirmPassword,
  }: {
    password: string
    confirmPassword: string
  }): {
    password?: string
    confirmPassword?: string
  } => {
    if (password !== confirmPassword) return { confirmPassword: "Passwords do not match" }
    if (password.length < 6) return { password: "Password must be at least 6 characters long" }
    return {}
  },
  passwordField: "password",
} as const
