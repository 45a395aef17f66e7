import type { Contract } from "./contract.ts"
import type { Fact } from "./facts.ts"

/** A room of the API: its queries are what its screens show. */
export type Room = keyof Contract

/** What news can be about: a record of a fact, a job, or what a person is told. */
export type RecordKind = Fact["record"]["kind"] | "job" | "notification"

const money = [
  "billing",
  "receipts",
  "collection",
  "reconciliation",
  "banking",
  "ledger",
  "policies",
  "claims",
  "monthEnd",
  "reports",
] as const satisfies Room[]

/**
 * Which rooms show a record of a kind, its own among them: a list of claims names members and policies, and the cover
 * check of a claim counts invoices and receipts. Live news and the answers to commands go by it alike.
 */
export const shownIn = {
  user: ["users"],
  service_key: ["users"],
  backup: ["backups"],
  backup_key: ["backups"],
  settings: ["settings", "backups", "policies", "users", "collection"],
  audit_trail: ["settings"],
  retention: ["privacy"],
  mail: ["settings", "collection", "billing", "receipts"],
  tier: ["benefits", "members", "policies", "claims", "premiums"],
  benefit: ["benefits", "claims"],
  product_type: ["benefits", "policies", "claims", "billing"],
  product_benefit: ["benefits", "claims"],
  group: [
    "employers",
    "policies",
    "members",
    "staffLists",
    "claims",
    "billing",
    "receipts",
    "payouts",
    "refunds",
    "collection",
    "reconciliation",
    "reports",
    "premiums",
  ],
  policy: [
    "employers",
    "policies",
    "members",
    "staffLists",
    "claims",
    "billing",
    "receipts",
    "payouts",
    "refunds",
    "collection",
    "reconciliation",
    "reports",
    "premiums",
  ],
  document_type: ["policies"],
  member: ["members", "policies", "claims", "billing", "payouts", "reports", "premiums", "privacy"],
  staff_list: ["staffLists", "members", "policies", "reports", "premiums"],
  invoice: money,
  billing_run: ["billing"],
  credit_note: money,
  receipt: money,
  refund: ["refunds", "payouts", "receipts", "billing", "collection", "ledger", "monthEnd", "policies", "reports"],
  payout: ["payouts", "refunds", "claims", "ledger", "monthEnd", "reports", "banking"],
  payout_batch: ["payouts"],
  bank_account: ["banking"],
  bank_payer: ["banking"],
  bank_statement: ["banking", "ledger", "monthEnd", "reports"],
  closed_month: ["monthEnd", "ledger"],
  claim: ["claims", "payouts", "ledger", "reports"],
  job: ["platform"],
  notification: ["notifications"],
  webhook: ["webhooks"],
  report_run: ["reports"],
  report_schedule: ["reports"],
  custom_report: ["reports"],
  // Somebody took a list with them: nothing on screen is another.
  list: [],
} as const satisfies Record<RecordKind, readonly Room[]>

/** The kinds of record that the commands of a room change. */
const changedBy = {
  platform: [],
  users: ["user", "service_key"],
  backups: ["backup", "backup_key"],
  settings: ["settings", "mail", "audit_trail"],
  benefits: ["tier", "benefit", "product_type", "product_benefit"],
  employers: ["group"],
  policies: ["policy", "group", "document_type"],
  members: ["member"],
  staffLists: ["staff_list", "member"],
  premiums: [],
  ledger: [],
  billing: ["invoice", "billing_run", "credit_note"],
  receipts: ["receipt", "invoice"],
  refunds: ["refund", "payout", "invoice"],
  banking: ["bank_account", "bank_statement", "receipt", "invoice", "payout"],
  payouts: ["payout", "payout_batch", "refund", "receipt"],
  collection: ["policy"],
  reconciliation: ["group", "invoice"],
  claims: ["claim"],
  notifications: ["notification"],
  webhooks: ["webhook"],
  monthEnd: ["closed_month"],
  privacy: ["member", "retention"],
  reports: ["report_run", "report_schedule", "custom_report"],
} as const satisfies Record<Room, readonly RecordKind[]>

/** The rooms whose screens may show something else after a command of this room. */
export function roomsAfter(room: Room): Room[] {
  return [...new Set(changedBy[room].flatMap((kind): readonly Room[] => shownIn[kind]))]
}
