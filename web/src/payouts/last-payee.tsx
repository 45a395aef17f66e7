import { Button, Group, Text } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { payeeFields } from "@milkwood/domain/payouts/payout-shape"
import { useQuery } from "@tanstack/react-query"
import { InlineError } from "../ui/inline-error.tsx"
import type { PayeeValues } from "./payee-fields.tsx"
import { lastPayeeQuery } from "./payouts.api.ts"

interface LastPayeeProps<Values extends PayeeValues> {
  claim: { policyId: string; memberId: string }
  form: UseFormReturnType<Values>
}

/** Whom the last payment of the same member went to, to be taken over; somebody else needs a second person, and waits. */
export function LastPayee<Values extends PayeeValues>({ claim, form }: LastPayeeProps<Values>) {
  const { policyId, memberId } = claim
  const { data: last } = useQuery(lastPayeeQuery({ policyId, memberId }))
  if (!last) return null
  const typed = form.getValues().payeeAccountNumber
  const isOther = typed !== "" && typed !== last.payeeAccountNumber
  return (
    <>
      <Group gap="sm" justify="space-between">
        <Text size="sm">
          The last payment of this member went to{" "}
          {[last.payeeName, last.payeeBank, last.payeeAccountNumber].filter(Boolean).join(", ")}.
        </Text>
        <Button variant="default" size="xs" onClick={() => form.setValues(payeeFields(last) as Partial<Values>)}>
          Use this payee
        </Button>
      </Group>
      {isOther && (
        <InlineError tone="warning">
          This is another account than at the last payment: a second person confirms it, and it waits before it is
          released.
        </InlineError>
      )}
    </>
  )
}
