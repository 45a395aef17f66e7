import { Stack } from "@mantine/core"
import { billedClaimTypes, causeOfDeathNames } from "@milkwood/domain/claims/claim"
import { claimFieldNames } from "@milkwood/domain/claims/claim-form"
import { documentsText, missingDocuments } from "@milkwood/domain/claims/required-documents"
import { countryName } from "@milkwood/domain/kernel/country"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { DayText } from "../../ui/day.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { FactList } from "../../ui/record-page.tsx"
import { claimTypeName, dependentText, memberNameOf } from "../claim-table.tsx"
import { useCurrentClaim } from "../claims.api.ts"
import classes from "../claims.module.css"
import { useCoverChoices } from "./details-step.tsx"
import type { StepProps } from "./fields.tsx"
import { useMember } from "./member-step.tsx"

export function ReviewStep({ values, claim: saved, errors, uploads: { failed } }: StepProps) {
  const { currency } = useDisplay()
  const claim = useCurrentClaim(saved)
  const member = useMember(values.memberId)
  const { chosen, dependent } = useCoverChoices(values)
  const requested = values.requestedAmountCents ?? 0
  const missing = missingDocuments(claim?.requiredDocuments ?? [])
  return (
    <Stack gap="md">
      <FactList
        rows={[
          [claimFieldNames.memberId, member && memberNameOf(member)],
          [claimFieldNames.dependentId, dependent && dependentText(dependent)],
          ["Policy group", member?.groupName],
          [claimFieldNames.benefitId, chosen?.name],
          [claimFieldNames.claimType, claimTypeName(values.claimType)],
          [claimFieldNames.claimAmountCents, <MoneyText key="claim" cents={values.claimAmountCents} />],
          [claimFieldNames.requestedAmountCents, <MoneyText key="requested" cents={values.requestedAmountCents} />],
          [claimFieldNames.incidentOn, <DayText key="incident" day={values.incidentOn} />],
          [claimFieldNames.notificationOn, <DayText key="notified" day={values.notificationOn} />],
          [claimFieldNames.incidentCountry, countryName(values.incidentCountry)],
          [
            claimFieldNames.causeOfDeath,
            values.claimType === "death" && causeOfDeathNames[values.causeOfDeath ?? "unknown"],
          ],
          [claimFieldNames.description, values.description],
          [claimFieldNames.diagnosis, values.diagnosis || null],
          [claimFieldNames.hospitalName, values.hospitalName || null],
          [claimFieldNames.doctorName, values.doctorName || null],
          [claimFieldNames.treatmentDetails, values.treatmentDetails || null],
          [claimFieldNames.billNumber, billedClaimTypes.includes(values.claimType) && (values.billNumber || null)],
          ["Documents", claim?.documents.map(({ name }) => name).join(", ") || "None"],
          ["Missing documents", missing.map(documentsText).join(", ") || null],
        ]}
      />
      {chosen && chosen.maxCoverCents > 0 && requested > chosen.maxCoverCents && (
        <InlineError tone="warning">
          The requested amount of {formatMoney(requested, currency)} exceeds the maximum cover amount of{" "}
          {formatMoney(chosen.maxCoverCents, currency)}.
        </InlineError>
      )}
      {failed.length > 0 && (
        <InlineError tone="warning">
          {failed.length === 1 ? "1 file was" : `${failed.length} files were`} not uploaded: {failed.join(", ")}. Retry
          or remove {failed.length === 1 ? "it" : "them"} under Documents.
        </InlineError>
      )}
      {Object.entries(errors).map(([name, message]) => (
        <InlineError key={name}>
          {claimFieldNames[name as keyof typeof claimFieldNames]}: {message}
        </InlineError>
      ))}
      <p className={classes.quiet}>Processing typically takes 5-10 business days.</p>
    </Stack>
  )
}
