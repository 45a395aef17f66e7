/** Why a line is not a premium. Charges and interest are posted; transfers and unknown lines are not. */
export const notOursReasons = ["charge", "interest", "transfer", "unknown"] as const
export type NotOursReason = (typeof notOursReasons)[number]

export const placementKinds = ["receipt", "payout", "returned", ...notOursReasons] as const
export type PlacementKind = (typeof placementKinds)[number]

/** Where a bank line is placed: open, matched to receipts or payments, or not ours. */
export const lineStates = ["open", ...placementKinds] as const
export type LineState = (typeof lineStates)[number]

export const lineStateNames: Record<LineState, string> = {
  open: "To match",
  receipt: "Receipt",
  payout: "Payment",
  returned: "Returned payment",
  charge: "Bank charge",
  interest: "Interest",
  transfer: "Transfer",
  unknown: "Unknown",
}

export const notOursNames: Record<NotOursReason, string> = {
  charge: "Bank charge",
  interest: "Interest",
  transfer: "Transfer between own accounts",
  unknown: "Unknown",
}

export const lineActions = ["match", "notOurs", "undo"] as const
export type LineAction = (typeof lineActions)[number]

export function lineActionsOf({ state }: { state: LineState }, mayWrite: boolean): LineAction[] {
  if (!mayWrite) return []
  return state === "open" ? ["match", "notOurs"] : ["undo"]
}
