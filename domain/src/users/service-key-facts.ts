import type { Day } from "../kernel/calendar.ts"
import type { KeyRole } from "./service-key.ts"
import { roleNames } from "./user.ts"

interface ServiceKeyFactHead {
  record: { kind: "service_key"; id: string; label: string }
  groupId: null
}

/** Facts about service keys. A fact never contains the key. */
export type ServiceKeyFact =
  | (ServiceKeyFactHead & { type: "ServiceKeyMade"; after: { role: KeyRole; groupIds: string[]; expiresOn: Day } })
  | (ServiceKeyFactHead & { type: "ServiceKeyRevoked" })

export const serviceKeySentences = {
  ServiceKeyMade: ({ record, after }: Extract<ServiceKeyFact, { type: "ServiceKeyMade" }>) =>
    `created the service key ${record.label} with the role ${roleNames[after.role]}, valid until ${after.expiresOn}`,
  ServiceKeyRevoked: ({ record }: ServiceKeyFact) => `revoked the service key ${record.label}`,
}
