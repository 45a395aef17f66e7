import { Button, Stack, Textarea, TextInput } from "@mantine/core"
import { organisation } from "@milkwood/domain/platform/organisation-shape"
import { createFileRoute } from "@tanstack/react-router"
import { client } from "../../platform/api.ts"
import { InlineError } from "../../ui/inline-error.tsx"
import { usePageName } from "../../ui/page-header.tsx"
import { useEntranceForm } from "../entrance-form.tsx"
import classes from "../entrance-page.module.css"
import { EntrancePage } from "../entrance-page.tsx"
import { linkStateOf, useAccountLink, useLinkToken } from "../link-page.tsx"
import { newPasswordValidation, PasswordFields } from "../password-fields.tsx"
import { useContinueSignIn } from "../use-go-on.ts"

export const Route = createFileRoute("/setup")({ component: SetupPage })

/** For the first administrator and the organisation, or a locked-out administrator. */
function SetupPage() {
  usePageName("Set up")
  const token = useLinkToken()
  const link = useAccountLink("setup", token)
  return linkStateOf(link) ?? <Setup token={token} first={link.data?.firstSetup ?? false} />
}

const emptyOrganisation = {
  name: "",
  vatNumber: "",
  address: "",
  bankAccount: { bank: "", accountHolder: "", accountNumber: "", branchCode: "" },
}

const accountFieldNames = {
  fullName: "Full name",
  email: "Email",
  password: "Password",
  confirmPassword: "Confirm password",
}
const fieldNames = { ...accountFieldNames, "organisation.name": "Organisation name" }

/** Errors by field, shown together with those of the other fields. */
function organisationErrorsOf(values: typeof emptyOrganisation): Record<string, string> {
  const issues = organisation.safeParse(values).error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [["organisation", ...path].join("."), message]))
}

function Setup({ token, first }: { token: string; first: boolean }) {
  const goOn = useContinueSignIn()
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { fullName: "", email: "", password: "", confirmPassword: "", organisation: emptyOrganisation },
    required: Object.keys(first ? fieldNames : accountFieldNames),
    names: fieldNames,
    check: (values) => ({
      ...newPasswordValidation.check(values),
      ...(first && organisationErrorsOf(values.organisation)),
    }),
    passwordField: newPasswordValidation.passwordField,
    send: async ({ fullName, email, password, organisation }) => {
      const account = { token, fullName, email, password }
      const { stage } = await client.settings.setUp({ ...account, ...(first ? { organisation } : {}) })
      await goOn(stage)
    },
  })
  const field = (name: string) => ({ ...form.getInputProps(name), key: form.key(name) })
  return (
    <EntrancePage
      wide
      title={first ? "Set up Milkwood" : "Become administrator"}
      words={
        first
          ? "You become the first administrator. The organisation details appear on invoices and payment files; you can change them later in Settings."
          : "Enter the e-mail address of your account to regain access, or a new address to create another administrator."
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <fieldset className={classes.fieldset}>
            <legend className={classes.legend}>Your account</legend>
            <div className={classes.two}>
              <TextInput label="Full name" withAsterisk autoComplete="name" autoFocus {...field("fullName")} />
              <TextInput label="Email" withAsterisk type="email" autoComplete="username" {...field("email")} />
              <PasswordFields form={form} rulesBelow required />
            </div>
          </fieldset>
          {first && (
            <>
              <fieldset className={classes.fieldset}>
                <legend className={classes.legend}>Organisation</legend>
                <div className={classes.two}>
                  <TextInput label="Name" withAsterisk autoComplete="organization" {...field("organisation.name")} />
                  <TextInput
                    label="VAT number"
                    description="Needed to charge VAT"
                    inputWrapperOrder={["label", "input", "description", "error"]}
                    placeholder="4123456789"
                    {...field("organisation.vatNumber")}
                  />
                </div>
                <Textarea label="Address" mt="sm" minRows={2} {...field("organisation.address")} />
              </fieldset>
              <fieldset className={classes.fieldset}>
                <legend className={classes.legend}>Bank account</legend>
                <div className={classes.two}>
                  <TextInput label="Bank" {...field("organisation.bankAccount.bank")} />
                  <TextInput label="Account holder" {...field("organisation.bankAccount.accountHolder")} />
                  <TextInput
                    label="Account number"
                    inputMode="numeric"
                    {...field("organisation.bankAccount.accountNumber")}
                  />
                  <TextInput
                    label="Branch code"
                    inputMode="numeric"
                    {...field("organisation.bankAccount.branchCode")}
                  />
                </div>
              </fieldset>
            </>
          )}
          {problem && <InlineError>{problem}</InlineError>}
          <Button type="submit" size="md" disabled={busy}>
            {busy ? "Setting up..." : first ? "Set up Milkwood" : "Become administrator"}
          </Button>
        </Stack>
      </form>
    </EntrancePage>
  )
}
