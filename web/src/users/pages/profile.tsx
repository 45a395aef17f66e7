import { Button, PasswordInput, Stack, TextInput } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { createFileRoute, useNavigate } from "@tanstack/react-router"
import { NotificationChoices } from "../../notifications/choices.tsx"
import { api, client } from "../../platform/api.ts"
import { refusalCodeOf } from "../../platform/errors.ts"
import { sessionQuery, useSession } from "../../platform/session.ts"
import { InlineError } from "../../ui/inline-error.tsx"
import { SectionEditor } from "../../ui/section-editor.tsx"
import { toast } from "../../ui/toast.tsx"
import { useCommand } from "../../ui/use-command.ts"
import { useEntranceForm } from "../entrance-form.tsx"
import { newPasswordValidation, PasswordFields } from "../password-fields.tsx"
import { ProfileHead } from "../profile-tabs.tsx"
import { RoleBadge } from "../role-badge.tsx"
import classes from "../users.module.css"

export const Route = createFileRoute("/_app/profile")({ component: ProfilePage })

function ProfilePage() {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const update = useCommand(api.users.updateProfile, {
    success: "Profile updated",
    failure: "Failed to update profile",
    quiet: ["STALE"],
    onSuccess: (me) => queryClient.setQueryData(sessionQuery.queryKey, me),
  })
  return (
    <>
      <ProfileHead page="/profile" subtitle="Your account, notifications and password" />
      <div className={classes.profile}>
        <Stack gap="md">
          <SectionEditor
            name="profile"
            title="About you"
            record={user}
            canEdit
            values={({ name }) => ({ name })}
            fields={{ name: { label: "Full name", wide: true } }}
            validate={{ name: (name: string) => (name.trim() === "" ? "Enter a name" : null) }}
            save={(values, version) => update.mutateAsync({ ...values, version })}
            reload={() => client.users.me()}
          >
            {(form) => <TextInput label="Full name" autoComplete="name" required {...form.getInputProps("name")} />}
          </SectionEditor>
          <section className={classes.panel} aria-labelledby="account">
            <h2 id="account" className={classes.heading}>
              Account
            </h2>
            <dl className={classes.facts}>
              <dt>Email</dt>
              <dd>{user.email}</dd>
              <dt>Role</dt>
              <dd>
                <RoleBadge role={user.role} />
              </dd>
              {user.groups.length > 0 && (
                <>
                  <dt>Groups</dt>
                  <dd>{user.groups.map(({ name }) => name).join(", ")}</dd>
                </>
              )}
            </dl>
          </section>
          <section className={classes.panel} aria-labelledby="notifications">
            <h2 id="notifications" className={classes.heading}>
              Notifications
            </h2>
            <NotificationChoices />
          </section>
        </Stack>
        <ChangePassword email={user.email} />
      </div>
    </>
  )
}

function ChangePassword({ email }: { email: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { form, submit, busy, problem } = useEntranceForm({
    initialValues: { currentPassword: "", password: "", confirmPassword: "" },
    required: ["currentPassword", "password", "confirmPassword"],
    ...newPasswordValidation,
    send: async ({ currentPassword, password }) => {
      await client.users.changePassword({ currentPassword, newPassword: password })
      toast.success("Your password was changed. Sign in with the new one.")
      queryClient.setQueryData(sessionQuery.queryKey, null)
      await navigate({ to: "/auth", replace: true })
    },
    words: (error) => (refusalCodeOf(error) === "WRONG_PASSWORD" ? "The current password is incorrect." : undefined),
  })
  return (
    <section className={classes.panel} aria-labelledby="password">
      <h2 id="password" className={classes.heading}>
        Change password
      </h2>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <input type="hidden" autoComplete="username" value={email} readOnly />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...form.getInputProps("currentPassword")}
            key={form.key("currentPassword")}
          />
          <PasswordFields form={form} label="New password" />
          {problem && <InlineError>{problem}</InlineError>}
          <p className={classes.about}>You will be signed out on every device, including this one.</p>
          <Button type="submit" disabled={busy} style={{ alignSelf: "flex-start" }}>
            {busy ? "Saving..." : "Change password"}
          </Button>
        </Stack>
      </form>
    </section>
  )
}
