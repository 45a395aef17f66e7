import { Button, Group, Select, Stack, Text } from "@mantine/core"
import { coverGapText } from "@milkwood/domain/benefits/benefit-terms"
import { type ClaimType, claimTypeNames, claimTypes } from "@milkwood/domain/claims/claim"
import { claimFieldNames } from "@milkwood/domain/claims/claim-form"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { useQuery } from "@tanstack/react-query"
import { errorTextOf } from "../../platform/errors.ts"
import { useDisplay } from "../../ui/display.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { MoneyInput } from "../../ui/money-input.tsx"
import { benefitsQuery } from "../claims.api.ts"
import classes from "../claims.module.css"
import { fieldProps, type StepProps } from "./fields.tsx"
import type { ClaimValues } from "./use-claim-draft.ts"

export function useCoverChoices({ memberId, dependentId, benefitId, incidentOn }: ClaimValues) {
  const benefits = useQuery(benefitsQuery(memberId, dependentId, incidentOn))
  const dependents = benefits.data?.dependents ?? []
  return {
    benefits,
    chosen: benefits.data?.benefits.find(({ id }) => id === benefitId),
    insured: benefits.data?.insured ?? "member",
    tier: benefits.data?.tier,
    dependents,
    dependent: dependents.find(({ id }) => id === dependentId),
  }
}

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "")

const coveredShareOf = (claimAmountCents: number, coverPercentage: number) =>
  Math.round((claimAmountCents * (coverPercentage || 100)) / 100)

export function DetailsStep(props: StepProps) {
  const { currency } = useDisplay()
  const { values, set, errors } = props
  const { benefits, chosen: found, insured, tier, dependent } = useCoverChoices(values)
  const chosen = found?.gap ? undefined : found
  const requested = values.requestedAmountCents ?? 0
  const claimed = values.claimAmountCents ?? 0
  const share =
    chosen && chosen.coverPercentage % 100 !== 0 && claimed > 0 && coveredShareOf(claimed, chosen.coverPercentage)
  const isNotOffered = benefits.data !== undefined && values.benefitId !== null && (!found || found.gap === "product")
  const choose = (benefitId: string | null) => {
    const types = benefits.data?.benefits.find(({ id }) => id === benefitId)?.claimTypes ?? []
    const isPaid = values.claimType !== null && types.includes(values.claimType)
    set({ benefitId, claimType: types.length === 1 ? types[0]! : isPaid ? values.claimType : null })
  }
  return (
    <Stack gap="md">
      <div className={classes.fields}>
        <Select
          label={claimFieldNames.benefitId}
          required
          searchable
          placeholder="Choose a benefit"
          nothingFoundMessage="No benefits match."
          data={(benefits.data?.benefits ?? []).map(({ id, name, gap }) => ({
            value: id,
            label: gap ? `${name}: ${lowerFirst(coverGapText(gap, insured))}` : name,
            disabled: gap !== null && id !== values.benefitId,
          }))}
          value={values.benefitId}
          error={errors.benefitId}
          onChange={choose}
        />
        <Select
          label={claimFieldNames.claimType}
          required
          placeholder="Choose a type"
          description={
            values.claimType === "death"
              ? `Once this claim is paid, cover of ${dependent?.name ?? "the member"} ends on the incident date.`
              : undefined
          }
          data={(chosen?.claimTypes ?? claimTypes).map((value) => ({ value, label: claimTypeNames[value] }))}
          value={values.claimType}
          error={errors.claimType}
          onChange={(claimType) => set({ claimType: claimType as ClaimType | null })}
        />
        <MoneyInput {...fieldProps(props, "claimAmountCents")} description="Cost of the incident" />
        <MoneyInput {...fieldProps(props, "requestedAmountCents")} required description="Amount to pay" />
      </div>
      {benefits.isError && <InlineError>{errorTextOf(benefits.error)}</InlineError>}
      {benefits.data?.benefits.every(({ gap }) => gap === "product") && (
        <InlineError tone="warning">The member's product type has no benefits for the {tier} tier.</InlineError>
      )}
      {isNotOffered && (
        <InlineError tone="warning">
          The member's product type does not include this benefit for the {tier} tier. Choose another one.
        </InlineError>
      )}
      {found?.gap && found.gap !== "product" && (
        <InlineError tone="warning">{coverGapText(found.gap, insured)}</InlineError>
      )}
      {chosen && (
        <p className={classes.quiet}>
          {chosen.maxCoverCents > 0
            ? `Maximum cover for ${chosen.name}, ${tier} tier: ${formatMoney(chosen.maxCoverCents, currency)}`
            : `${chosen.name} has no maximum for the ${tier} tier`}
        </p>
      )}
      {share && share !== requested && (
        <Group gap="sm">
          <Text size="sm">
            {chosen.name} covers {chosen.coverPercentage} % of the claim amount: {formatMoney(share, currency)}
          </Text>
          <Button variant="default" size="xs" onClick={() => set({ requestedAmountCents: share })}>
            Request this amount
          </Button>
        </Group>
      )}
      {chosen && chosen.maxCoverCents > 0 && requested > chosen.maxCoverCents && (
        <InlineError tone="warning">
          The requested amount of {formatMoney(requested, currency)} exceeds the maximum cover amount of{" "}
          {formatMoney(chosen.maxCoverCents, currency)}.
        </InlineError>
      )}
    </Stack>
  )
}
