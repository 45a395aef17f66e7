/** Module order: a module may import only modules before it. The import check reads this list. */
export const rooms = [
  "users",
  "backups",
  "benefits",
  "employers",
  "policies",
  "members",
  "staff-lists",
  "premiums",
  "ledger",
  "billing",
  "receipts",
  "payouts",
  "refunds",
  "banking",
  "collection",
  "reconciliation",
  "claims",
  "letters",
  "notifications",
  "privacy",
  "webhooks",
  "settings",
  "month-end",
  "reports",
] as const

export type Room = (typeof rooms)[number]
