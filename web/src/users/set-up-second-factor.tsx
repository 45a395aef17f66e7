import { Button, Group, Skeleton, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { client } from "../platform/api.ts"
import { errorTextOf, refusalCodeOf } from "../platform/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { Verbatim } from "../ui/verbatim.tsx"
import { CodeField } from "./code-field.tsx"
import { useEntranceForm } from "./entrance-form.tsx"
import { QrCode } from "./qr-code.tsx"
import { RecoveryCodes } from "./recovery-codes.tsx"
import classes from "./users.module.css"

interface SetUpSecondFactorProps {
  /** Called once the recovery codes are stored. */
  onDone: () => void
  /** Shown beside Retry when the set-up fails. */
  instead?: ReactNode
}

export function SetUpSecondFactor({ onDone, instead }: SetUpSecondFactorProps) {
  const [codes, setCodes] = useState<string[]>()
  const begun = useQuery({
    queryKey: ["second-factor", "set-up"],
    queryFn: () => client.users.secondFactor.begin(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const { form, submit, busy, problem, failure } = useEntranceForm({
    initialValues: { code: "" },
    required: ["code"],
    send: async ({ code }) => setCodes((await client.users.secondFactor.confirm({ code })).recoveryCodes),
  })
  if (codes) return <RecoveryCodes codes={codes} onStored={onDone} />
  if (begun.isError || refusalCodeOf(failure) === "UNAUTHENTICATED") {
    return (
      <Stack gap="sm">
        <InlineError>{errorTextOf(begun.error ?? failure)}</InlineError>
        <Group gap="xs">
          {begun.isError && (
            <Button variant="default" onClick={() => void begun.refetch()} loading={begun.isFetching}>
              Retry
            </Button>
          )}
          {instead}
        </Group>
      </Stack>
    )
  }
  if (!begun.data) return <Skeleton h={320} aria-label="Loading" />
  const { secret, address } = begun.data
  return (
    <form onSubmit={submit} noValidate aria-label="Set up a second factor">
      <Stack gap="sm">
        <Text>Scan this with an authenticator app on your phone, then enter the code that it shows.</Text>
        <div className={classes.qr}>
          <QrCode text={address} label="QR code for an authenticator app" />
          <div>
            <Text size="sm" c="dimmed">
              Or enter this key in the app:
            </Text>
            <Verbatim>{secret.match(/.{1,4}/g)!.join(" ")}</Verbatim>
          </div>
        </div>
        <CodeField appOnly autoFocus {...form.getInputProps("code")} key={form.key("code")} />
        {problem && <InlineError>{problem}</InlineError>}
        <Group gap="xs">
          <Button type="submit" disabled={busy}>
            {busy ? "Checking..." : "Set up"}
          </Button>
          {instead}
        </Group>
      </Stack>
    </form>
  )
}
