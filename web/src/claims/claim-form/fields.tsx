import type { ClaimContent } from "@milkwood/domain/claims/claim"
import { claimFieldNames } from "@milkwood/domain/claims/claim-form"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import type { Uploads } from "../../ui/use-uploads.ts"
import type { ClaimValues } from "./use-claim-draft.ts"

/** What every step of the form works with. */
export interface StepProps {
  values: ClaimValues
  set: (changes: Partial<ClaimValues>) => void
  /** What a refusal says about a field, by its name. */
  errors: Partial<Record<keyof ClaimContent, string>>
  /** The record, once the draft has been saved. */
  claim: ClaimDetail | undefined
  /** Documents that have not arrived: they stay from step to step. */
  uploads: Uploads
}

/** The props of a text field. */
export function textField(
  { values, set, errors }: StepProps,
  field: "description" | "diagnosis" | "hospitalName" | "doctorName" | "treatmentDetails",
) {
  return {
    label: claimFieldNames[field],
    value: values[field],
    error: errors[field],
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value }),
  }
}

/** The props of an amount, a day or a choice. */
export function field<const F extends "claimAmountCents" | "requestedAmountCents" | "incidentOn" | "notificationOn">(
  { values, set, errors }: StepProps,
  name: F,
) {
  return {
    label: claimFieldNames[name],
    value: values[name],
    error: errors[name],
    onChange: (value: ClaimValues[F]) => set({ [name]: value }),
  }
}
