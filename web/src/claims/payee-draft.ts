import {
  type ClaimPayee,
  checkPayees,
  type PayeeBasis,
  type PayeeRelationship,
} from "@milkwood/domain/claims/claim-payees"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { type ClaimPayees, claimPayee } from "@milkwood/domain/claims/payees.contract"
import type { FieldError } from "@milkwood/domain/kernel/procedure"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { parseShare, shareText } from "@milkwood/domain/kernel/shares"
import { memberNameOf } from "./claim-table.tsx"

/** A row of the form; the share is the typed text. */
export interface PayeeDraft extends Omit<ClaimPayee, "idNumber" | "relationship" | "shareBasisPoints"> {
  key: string
  relationship: PayeeRelationship | null
  idNumber: string
  share: string
}

export interface PayeesDraft {
  basis: PayeeBasis
  reason: string
  payees: PayeeDraft[]
}

export const createPayeeDraft = (values: Partial<PayeeDraft> = {}): PayeeDraft => ({
  name: "",
  relationship: null,
  idNumber: "",
  dateOfBirth: null,
  receivedBy: "self",
  receiverName: "",
  bank: "",
  branchCode: "",
  accountNumber: "",
  email: "",
  share: "",
  ...values,
  key: crypto.randomUUID(),
})

export const toPayeeDraft = (payee: ClaimPayee): PayeeDraft => {
  const { name, relationship, dateOfBirth, receivedBy, receiverName, bank, branchCode, accountNumber, email } = payee
  return createPayeeDraft({
    ...{ name, relationship, dateOfBirth, receivedBy, receiverName, bank, branchCode, accountNumber, email },
    idNumber: payee.idNumber ?? "",
    share: shareText(payee.shareBasisPoints),
  })
}

export const toPayee = ({ key: _, share, idNumber, relationship, ...draft }: PayeeDraft): ClaimPayee => ({
  ...draft,
  relationship: relationship as PayeeRelationship,
  idNumber: idNumber.replaceAll(" ", "") || null,
  receiverName: draft.receivedBy === "self" ? "" : draft.receiverName,
  shareBasisPoints: parseShare(share) ?? 0,
})

/** By path of the form: "payees.1.share". */
export function payeesErrors(
  { basis, reason, payees }: PayeesDraft,
  claim: ClaimDetail,
  { isOwnDeath, owningFund, nomination }: Pick<ClaimPayees, "isOwnDeath" | "owningFund" | "nomination">,
  today: string,
): Record<string, string> {
  const errors: Record<string, string> = {}
  const add = ({ path, message }: FieldError) => {
    errors[path.replace("shareBasisPoints", "share")] ??= message
  }
  for (const [at, draft] of payees.entries()) {
    const place = `payees.${at}`
    if (parseShare(draft.share) === null) add({ path: `${place}.share`, message: "Enter a share such as 33.33" })
    const { error } = claimPayee.safeParse(toPayee(draft))
    for (const { path, message } of error?.issues ?? []) add({ path: `${place}.${path.join(".")}`, message })
  }
  const nominees = nomination && nomination.nominees.length > 0 ? nomination.nominees : null
  const memberName = memberNameOf(claim.member)
  const subject = { isOwnDeath, incidentOn: claim.incidentOn!, memberName, nominees, owningFund }
  const checked = checkPayees({ basis, reason, payees: payees.map(toPayee) }, subject, { role: "underwriter" }, today)
  if (isRefusal(checked)) for (const field of (checked.data as { fields: FieldError[] }).fields) add(field)
  return errors
}
