import { PasswordInput } from "@mantine/core"
import { usePasswordHint } from "./users.api.ts"

interface PasswordFieldsProps {
  form: { getInputProps: (name: string) => object; key: (name: string) => string }
  label?: string
  autoFocus?: boolean
  /** The rules stand under the field, where the two fields stand side by side. */
  rulesBelow?: boolean
  /** Marks both, in a form where other fields may stay empty. */
  required?: boolean
}

/**
 * A new password, with the rules of the settings in words, and the same once more. Goes with `newPassword`:
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
        // Reasons come as a list, which a paragraph cannot hold.
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

/** What a form with a new password checks: the rules of the specification, in its own words. */
export const newPassword = {
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
