import { Button, Group, Text } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { isOtherAccountOf, isSamePayee } from "@milkwood/domain/payouts/payee-guard"
import { payeeFields } from "@milkwood/domain/payouts/payout-shape"
import { useQuery } from "@tanstack/react-query"
import { InlineError } from "../ui/inline-error.tsx"
import type { PayeeValues } from "./payee-fields.tsx"
import { lastPayeeQuery } from "./payouts.api.ts"

interface LastPayeeProps<Values extends PayeeValues> {
  claim: { id: string; policyId: string; memberId: string }
  form: UseFormReturnType<Values>
}

export function LastPayee<Values extends PayeeValues>({ claim, form }: LastPayeeProps<Values>) {
  const { id: claimId, policyId, memberId } = claim
  const { data: last } = useQuery(lastPayeeQuery({ policyId, memberId, claimId }))
  if (!last) return null
  const typed: PayeeValues = form.getValues()
  const isTyped = typed.payeeName !== "" || typed.payeeAccountNumber !== ""
  const isHeld = isTyped && (last.isOfClaim ? !isSamePayee(typed, last) : isOtherAccountOf(typed, last))
  return (
    <>
      <Group gap="sm" justify="space-between">
        <Text size="sm">
          The last payment for this {last.isOfClaim ? "claim" : "member"} went to{" "}
          {[last.payeeName, last.payeeBank, last.payeeAccountNumber].filter(Boolean).join(", ")}.
        </Text>
        <Button variant="default" size="xs" onClick={() => form.setValues(payeeFields(last) as Partial<Values>)}>
          Use this payee
        </Button>
      </Group>
      {isHeld && (
        <InlineError tone="warning">
          This payee or account differs from the last payment. A second person must confirm it, and the payment waits
          before it can be released.
        </InlineError>
      )}
    </>
  )
}
