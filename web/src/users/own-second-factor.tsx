import { Button, Group, Modal, Skeleton, Stack } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { api } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { InstantText } from "../ui/day.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { useCommand } from "../ui/use-command.ts"
import { CodeField, OwnPasswordField } from "./code-field.tsx"
import { RecoveryCodes } from "./recovery-codes.tsx"
import classes from "./users.module.css"

const SetUpSecondFactor = lazy(() =>
  import("./set-up-second-factor.tsx").then(({ SetUpSecondFactor }) => ({ default: SetUpSecondFactor })),
)

export function OwnSecondFactor() {
  const queryClient = useQueryClient()
  const query = useQuery(api.users.secondFactor.state.queryOptions())
  const [settingUp, setSettingUp] = useState(false)
  const [open, setOpen] = useState<"codes" | "remove">()
  const refresh = () => void queryClient.invalidateQueries({ queryKey: api.users.secondFactor.state.key() })
  const state = query.data
  return (
    <section className={classes.panel} aria-labelledby="second-factor">
      <h2 id="second-factor" className={classes.heading}>
        Second factor
      </h2>
      {query.isError && !state && <LoadFailed error={query.error} onRetry={query.refetch} busy={query.isFetching} />}
      {query.isPending && <Skeleton h={80} aria-label="Loading second factor" />}
      {state?.since && !settingUp && (
        <Stack gap="sm">
          <p className={classes.about}>
            Set up on <InstantText at={state.since} />. You enter a code from your authenticator app after your
            password.{" "}
            {state.recoveryCodesLeft === 1 ? "1 recovery code is" : `${state.recoveryCodesLeft} recovery codes are`}{" "}
            left.
          </p>
          <Group gap="xs">
            <Button variant="default" onClick={() => setOpen("codes")}>
              New recovery codes
            </Button>
            <Button variant="default" color="red" onClick={() => setOpen("remove")}>
              Remove
            </Button>
          </Group>
          <NewCodesDialog opened={open === "codes"} onClose={() => setOpen(undefined)} onMade={refresh} />
          {open === "remove" && (
            <RemoveFactorDialog isRequired={state.isRequired} onClose={() => setOpen(undefined)} onRemoved={refresh} />
          )}
        </Stack>
      )}
      {state && !state.since && !settingUp && (
        <Stack gap="sm">
          <p className={classes.about}>
            A second factor protects your account if someone else learns your password: you also enter a code from an
            app on your phone.
          </p>
          <Button style={{ alignSelf: "flex-start" }} onClick={() => setSettingUp(true)}>
            Set up a second factor
          </Button>
        </Stack>
      )}
      {/* Stays after the set-up, because the recovery codes are shown only once. */}
      {settingUp && (
        <Suspense fallback={<Skeleton h={320} aria-label="Loading" />}>
          <SetUpSecondFactor
            onDone={() => {
              setSettingUp(false)
              refresh()
            }}
            instead={
              <Button variant="default" onClick={() => setSettingUp(false)}>
                Cancel
              </Button>
            }
          />
        </Suspense>
      )}
    </section>
  )
}

function NewCodesDialog({ opened, onClose, onMade }: { opened: boolean; onClose: () => void; onMade: () => void }) {
  const [codes, setCodes] = useState<string[]>()
  const form = useForm({ initialValues: { code: "" }, validate: { code: requireText("Enter the code") } })
  const renew = useCommand(api.users.secondFactor.renewCodes, {
    quiet: ["WRONG_CODE"],
    onSuccess: ({ recoveryCodes }) => {
      setCodes(recoveryCodes)
      form.reset()
      onMade()
    },
  })
  return (
    <>
      <FormDialog
        opened={opened}
        onClose={onClose}
        title="New recovery codes"
        words="Your old codes stop working."
        submit="Create new codes"
        form={form}
        save={({ code }) => renew.mutateAsync({ code })}
      >
        <CodeField appOnly {...form.getInputProps("code")} />
      </FormDialog>
      <Modal
        opened={codes !== undefined}
        onClose={() => setCodes(undefined)}
        title="Your new recovery codes"
        size={520}
      >
        {codes && <RecoveryCodes codes={codes} onStored={() => setCodes(undefined)} />}
      </Modal>
    </>
  )
}

function RemoveFactorDialog(props: { isRequired: boolean; onClose: () => void; onRemoved: () => void }) {
  const { user } = useSession()
  const form = useForm({
    initialValues: { password: "", code: "" },
    validate: { password: requireText("Enter your password"), code: requireText("Enter the code") },
  })
  const remove = useCommand(api.users.secondFactor.remove, {
    success: "Second factor removed",
    failure: "Failed to remove the second factor",
    quiet: ["WRONG_PASSWORD", "WRONG_CODE"],
    onSuccess: props.onRemoved,
  })
  return (
    <FormDialog
      opened
      onClose={props.onClose}
      title="Remove your second factor?"
      words={
        props.isRequired
          ? "Your account requires a second factor. You set up a new one at your next sign-in."
          : "You then sign in with your password only."
      }
      submit="Remove second factor"
      danger
      form={form}
      save={(values) => remove.mutateAsync(values)}
    >
      <OwnPasswordField email={user.email} {...form.getInputProps("password")} />
      <CodeField {...form.getInputProps("code")} />
    </FormDialog>
  )
}
