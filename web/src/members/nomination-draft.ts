import type { Day } from "@milkwood/domain/kernel/calendar"
import type { FieldError } from "@milkwood/domain/kernel/procedure"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { parseShare, shareText } from "@milkwood/domain/kernel/shares"
import { checkNomination, type Nominee, type NomineeRelationship } from "@milkwood/domain/members/nomination"
import { type NominationDetail, nominee } from "@milkwood/domain/members/nominations.contract"

/** A row of the form; the share is the typed text. */
export interface NomineeDraft extends Omit<Nominee, "idNumber" | "relationship" | "shareBasisPoints"> {
  key: string
  relationship: NomineeRelationship | null
  idNumber: string
  share: string
}

export interface NominationDraft {
  fromOn: Day | null
  reason: string
  nominees: NomineeDraft[]
}

export const createNomineeDraft = (values: Partial<NomineeDraft> = {}): NomineeDraft => ({
  name: "",
  relationship: null,
  idNumber: "",
  dateOfBirth: null,
  phone: "",
  email: "",
  bank: "",
  branchCode: "",
  accountNumber: "",
  share: "",
  ...values,
  key: crypto.randomUUID(),
})

export const toNomineeDraft = ({
  id: _,
  birthYear: __,
  idNumber,
  shareBasisPoints,
  ...nominee
}: NominationDetail["nominees"][number]): NomineeDraft =>
  createNomineeDraft({ ...nominee, idNumber: idNumber ?? "", share: shareText(shareBasisPoints) })

export const toNominee = ({ key: _, share, idNumber, relationship, ...draft }: NomineeDraft): Nominee => ({
  ...draft,
  relationship: relationship as NomineeRelationship,
  idNumber: idNumber.replaceAll(" ", "") || null,
  shareBasisPoints: parseShare(share) ?? 0,
})

/** By path of the form: "nominees.1.share". */
export function nominationErrors({ fromOn, nominees }: NominationDraft, today: Day): Record<string, string> {
  const errors: Record<string, string> = {}
  const add = ({ path, message }: FieldError) => {
    errors[path.replace("shareBasisPoints", "share")] ??= message
  }
  if (fromOn === null) add({ path: "fromOn", message: "Enter the day" })
  for (const [at, draft] of nominees.entries()) {
    const place = `nominees.${at}`
    if (parseShare(draft.share) === null) add({ path: `${place}.share`, message: "Enter a share such as 33.33" })
    const { error } = nominee.safeParse(toNominee(draft))
    for (const { path, message } of error?.issues ?? []) add({ path: `${place}.${path.join(".")}`, message })
  }
  const checked = checkNomination({ fromOn: fromOn ?? today, nominees: nominees.map(toNominee) }, today)
  if (isRefusal(checked)) (checked.data as { fields: FieldError[] }).fields.forEach(add)
  return errors
}
