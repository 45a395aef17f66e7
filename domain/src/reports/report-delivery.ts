import type { Role } from "../platform/permission.ts"

/** Mail servers accept no larger files. */
export const maxAttachmentBytes = 10 * 1024 * 1024

export const deliveryKinds = ["attachment", "link", "refused"] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

export interface Delivery {
  kind: DeliveryKind
  words: string
}

/** null = an outside address without an account. */
export type RecipientAccount = { mayRead: boolean; isDisabled: boolean } | null

interface SentReport {
  isMedical: boolean
  /** Settings, Notifications: "Attach reports for outside recipients". */
  attachesOutside: boolean
  bytes?: number
}

const refusedDelivery = (words: string): Delivery => ({ kind: "refused", words })
const attachment: Delivery = { kind: "attachment", words: "Receives the file as an attachment." }
const link: Delivery = { kind: "link", words: "Receives a link and signs in to open the report." }

/**
 * A user who may read the report gets the file, or a link if it may not be attached. An outside address cannot sign in,
 * so it gets the file or is refused. Used when a schedule is saved and when a report is sent.
 */
export function deliveryFor(account: RecipientAccount, report: SentReport): Delivery {
  const { isMedical, attachesOutside, bytes = 0 } = report
  const isTooLarge = bytes > maxAttachmentBytes
  if (account) {
    if (account.isDisabled) return refusedDelivery("The account is disabled.")
    if (!account.mayRead) return refusedDelivery("The account cannot open this report.")
    return isMedical || isTooLarge ? link : attachment
  }
  if (isMedical)
    return refusedDelivery(
      "This address has no account, and reports that may contain medical details are not attached.",
    )
  if (!attachesOutside)
    return refusedDelivery(
      "This address has no account, and Settings, Notifications does not allow attachments to outside addresses.",
    )
  if (isTooLarge) return refusedDelivery("This address has no account, and the file is larger than 10 MB.")
  return attachment
}

/** "broker@example.com: The account is disabled." */
export const refusalsText = (refusals: readonly { address: string; words: string }[]): string =>
  refusals.map(({ address, words }) => `${address}: ${words}`).join(" ")

export const findAccount = (
  found: { role: Role | null; isDisabled: boolean } | undefined,
  mayRead: (role: Role | null) => boolean,
): RecipientAccount => (found ? { mayRead: mayRead(found.role), isDisabled: found.isDisabled } : null)
