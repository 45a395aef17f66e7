import type { Cents } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { hasPermission, isProgram, type RuleActor } from "../platform/permission.ts"

/** Waiting: above the limit, needs a second person. Written off: effective. */
export const writeOffStates = ["waiting", "written_off", "declined", "reversed"] as const
export type WriteOffState = (typeof writeOffStates)[number]

export interface WriteOff {
  totalCents: Cents
  askedBy: string
  keyMadeBy: string | null
  writtenOffOn: string | null
  declinedAt: string | null
  reversedAt: string | null
}

export function writeOffState(writeOff: Pick<WriteOff, "writtenOffOn" | "declinedAt" | "reversedAt">): WriteOffState {
  if (writeOff.reversedAt !== null) return "reversed"
  if (writeOff.declinedAt !== null) return "declined"
  return writeOff.writtenOffOn === null ? "waiting" : "written_off"
}

export const writeOffActions = ["confirm", "decline", "reverse"] as const
export type WriteOffAction = (typeof writeOffActions)[number]

/** The requester, or the creator of the requesting key, cannot confirm a write-off but may withdraw it. */
export function writeOffActionsOf(writeOff: WriteOff, actor: RuleActor): WriteOffAction[] {
  if (!hasPermission(actor.role, "receipts.write")) return []
  const state = writeOffState(writeOff)
  if (state === "written_off") return ["reverse"]
  if (state !== "waiting") return []
  return isProgram(actor) || [writeOff.askedBy, writeOff.keyMadeBy].includes(actor.userId)
    ? ["decline"]
    : ["confirm", "decline"]
}

/** Refuses a step that this actor may not take now. */
export function applyWriteOffStep(
  writeOff: WriteOff,
  action: WriteOffAction,
  actor: RuleActor,
): Decision<true, "OWN_WRITE_OFF" | "WRITE_OFF_STATE"> {
  if (writeOffActionsOf(writeOff, actor).includes(action)) return true
  return writeOffState(writeOff) === "waiting" && action === "confirm"
    ? refuse("OWN_WRITE_OFF")
    : refuse("WRITE_OFF_STATE")
}

/** The amount to write off in cents; null means all that is open. */
export function checkWriteOffAmount(
  openCents: Cents,
  amountCents: Cents | null,
): Decision<Cents, "NOTHING_OPEN" | "MORE_THAN_OPEN"> {
  if (openCents <= 0) return refuse("NOTHING_OPEN")
  const amount = amountCents ?? openCents
  return amount > openCents ? refuse("MORE_THAN_OPEN") : amount
}
