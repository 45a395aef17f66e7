import type { ClaimContent } from "@milkwood/domain/claims/claim"
import { claimFieldNames } from "@milkwood/domain/claims/claim-form"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import type { Uploads } from "../../ui/use-uploads.ts"
import type { ClaimValues } from "./use-claim-draft.ts"

export interface StepProps {
  values: ClaimValues
  set: (changes: Partial<ClaimValues>) => void
  errors: Partial<Record<keyof ClaimContent, string>>
  claim: ClaimDetail | undefined
  uploads: Uploads
}

export function textFieldProps(
  { values, set, errors }: StepProps,
  field: "description" | "diagnosis" | "hospitalName" | "doctorName" | "treatmentDetails" | "billNumber",
) {
  return {
    label: claimFieldNames[field],
    value: values[field],
    error: errors[field],
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value }),
  }
}

export function fieldProps<
  const F extends "claimAmountCents" | "requestedAmountCents" | "incidentOn" | "notificationOn",
>({ values, set, errors }: StepProps, name: F) {
  return {
    label: claimFieldNames[name],
    value: values[name],
    error: errors[name],
    onChange: (value: ClaimValues[F]) => set({ [name]: value }),
  }
}
