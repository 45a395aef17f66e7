import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core"
import verbatim from "../ui/verbatim.module.css"

/**
 * A code of the authenticator app, or a recovery code.
 *
 *     <CodeField {...form.getInputProps("code")} key={form.key("code")} />
 */
export function CodeField({ appOnly = false, ...props }: TextInputProps & { appOnly?: boolean }) {
  return (
    <TextInput
      label="Code"
      description={
        appOnly
          ? "The six-digit code in your authenticator app"
          : "The six-digit code in your authenticator app, or one of your recovery codes"
      }
      autoComplete="one-time-code"
      inputMode={appOnly ? "numeric" : "text"}
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={20}
      classNames={{ input: verbatim.letters }}
      {...props}
    />
  )
}

/** The hidden address field lets password managers recognise the account. */
export function OwnPasswordField({ email, ...props }: PasswordInputProps & { email: string }) {
  return (
    <>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput label="Password" description={email} autoComplete="current-password" {...props} />
    </>
  )
}
