import type { Day } from "../kernel/calendar.ts"
import { applyTransition } from "../kernel/lifecycle.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import { memberLabels } from "../members/member.ts"
import { checkLastDay } from "../members/member-cover.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import { isOpen } from "../policies/policy-lifecycle.ts"
import {
  type Corrections,
  maxCorrectedRows,
  maxSplitPolicies,
  type StaffList,
  staffListLifecycle,
} from "./staff-list.ts"
import { cleanCell } from "./staff-list-cells.ts"
import { type ColumnMapping, missingColumns } from "./staff-list-columns.ts"
import { type StaffListFact, staffListFactHead, staffListFactOnPolicy } from "./staff-list-facts.ts"
import { nameKey } from "./staff-list-rows.ts"

export interface StaffListChange {
  value: StaffList
  facts: StaffListFact[]
}

type StaffListDecision<More extends string = never> = Decision<StaffListChange, "WRONG_STATUS" | More>

function applyListChange(list: StaffList, changes: Partial<StaffList>, ...facts: StaffListFact[]): StaffListChange {
  return { value: { ...list, ...changes, version: list.version + 1 }, facts }
}

/** Starts the check of all rows. INVALID names columns missing or mapped twice. */
export function checkList(
  list: StaffList,
  mapping: ColumnMapping,
  policyStatus: PolicyStatus,
): StaffListDecision<"INVALID" | "POLICY_ENDED"> {
  const status = applyTransition(staffListLifecycle, list, "check")
  if (isRefusal(status)) return status
  const fields = findMappingError(mapping, list.headers)
  if (fields.length > 0) return refuse("INVALID", `${fields[0]!.message}.`, { fields })
  if (!isOpen(policyStatus)) return refuse("POLICY_ENDED")
  return applyListChange(list, { status, mapping, failure: null })
}

/**
 * Corrects cells of a row, by column from 0, adding to earlier corrections. INVALID for an unknown column or too many
 * rows. Returns all corrections; the caller rechecks the list.
 */
export function correctRow(
  list: StaffList,
  line: number,
  cells: readonly { column: number; text: string }[],
): Decision<Corrections, "WRONG_STATUS" | "INVALID"> {
  if (list.status !== "ready") return refuse("WRONG_STATUS", "You can correct rows only after the list is checked.")
  const invalid = (path: string, message: string) => refuse("INVALID", message, { fields: [{ path, message }] })
  const none = cells.findIndex(({ column }) => column >= list.headers.length)
  if (none >= 0) return invalid(`cells.${none}.column`, "The file does not have this column.")
  const before = list.corrections[line]
  if (!before && Object.keys(list.corrections).length >= maxCorrectedRows) {
    return invalid(
      "line",
      `You can correct at most ${maxCorrectedRows} rows here. Correct the file and upload it again.`,
    )
  }
  return {
    ...list.corrections,
    [line]: { ...before, ...Object.fromEntries(cells.map(({ column, text }) => [column, text])) },
  }
}

export interface NamedPolicy {
  policyId: string
  policyNumber: string
  groupId: string
  groupName: string
  /** Policy names, normalised by `nameKey`. */
  names: string[]
  rows: number
}

/**
 * Matches the group policy column to other policies: by number, description, or a group with a single policy. Ambiguous
 * names match none.
 */
export function matchPolicyNames(
  named: readonly { text: string; rows: number }[],
  candidates: readonly { id: string; number: string; description: string | null; groupId: string; groupName: string }[],
): NamedPolicy[] {
  const found = new Map<string, NamedPolicy>()
  for (const { text, rows } of named) {
    const key = nameKey(cleanCell(text))
    const byNumber = candidates.filter(({ number }) => nameKey(number) === key)
    const byName = candidates.filter((one) =>
      [one.description ?? "", one.groupName].some((name) => nameKey(name) === key),
    )
    const [meant, ...more] = byNumber.length > 0 ? byNumber : byName
    if (key === "" || !meant || more.length > 0) continue
    const { id, number, groupId, groupName } = meant
    const before = found.get(id) ?? { policyId: id, policyNumber: number, groupId, groupName, names: [], rows: 0 }
    found.set(id, { ...before, names: [...before.names, key], rows: before.rows + rows })
  }
  return [...found.values()].sort((one, other) => (one.policyNumber < other.policyNumber ? -1 : 1))
}

/**
 * Starts moving rows of other policies to separate lists, one per policy. INVALID if no row names another open policy
 * that the actor may import into, or if there are too many policies.
 */
export function splitList(list: StaffList, others: readonly NamedPolicy[]): StaffListDecision<"INVALID"> {
  const status = applyTransition(staffListLifecycle, list, "divide")
  if (isRefusal(status)) return status
  if (others.length === 0) return refuse("INVALID", "No row names another open policy.")
  if (others.length > maxSplitPolicies)
    return refuse(
      "INVALID",
      `The rows name ${others.length} policies, but a list can be divided between at most ${maxSplitPolicies}.`,
    )
  return applyListChange(list, { status, failure: null })
}

/** The id that all lists divided from one file share. */
export const splitIdOf = ({ id, divisionId }: StaffList): string => divisionId ?? id

/** The remaining rows must be checked again. */
export function finishSplit(
  list: StaffList,
  left: { rowsFileId: string; rowCount: number; sample: string[][] },
  others: readonly NamedPolicy[],
): StaffListChange {
  const moved = others.map(({ policyNumber, rows }) => `${rows} to ${policyNumber}`).join(", ")
  const note = `Rows moved to separate lists: ${moved}`
  return applyListChange(
    list,
    { ...left, divisionId: splitIdOf(list), notes: [...list.notes, note] },
    { type: "StaffListDivided", ...staffListFactHead(list), moved },
  )
}

export function correctedCells(cells: readonly string[], corrected: Record<string, string> | undefined): string[] {
  const mended = [...cells]
  for (const [column, text] of Object.entries(corrected ?? {})) {
    while (mended.length <= Number(column)) mended.push("")
    mended[Number(column)] = text
  }
  return mended
}

/** `defaults` apply to joiners without a tier or start day. */
export function finishCheck(
  list: StaffList,
  defaults: { defaultTierId: string | null; defaultStartOn: Day },
  now: Temporal.Instant,
): StaffListDecision {
  const status = applyTransition(staffListLifecycle, list, "finishCheck")
  if (isRefusal(status)) return status
  return applyListChange(list, { status, ...defaults, checkedAt: now.toString(), failure: null })
}

/** `changesOn` is the first day of changes, `leaversOn` the last day of leavers; null = leavers stay. */
export interface ImportChoices {
  applyChanges: boolean
  changesOn: Day
  leaversOn: Day | null
}

/**
 * Starts the import. INVALID if leavers would end before their cover begins (`latestStarter` is the leaver whose cover
 * starts last). NOTHING_TO_IMPORT if no row would be written.
 */
export function importList(
  list: StaffList,
  choices: ImportChoices,
  given: { policyStatus: PolicyStatus; latestStarter: { name: string; number: string; from: Day } | null },
): StaffListDecision<"INVALID" | "POLICY_ENDED" | "NOTHING_TO_IMPORT"> {
  const wrong = (message: string) => refuse("INVALID", `${message}.`, { fields: [{ path: "leaversOn", message }] })
  const { applyChanges, leaversOn } = choices
  const { policyStatus, latestStarter } = given
  const status = applyTransition(staffListLifecycle, list, "import")
  if (isRefusal(status)) return status
  if (!isOpen(policyStatus)) return refuse("POLICY_ENDED")
  if (leaversOn && policyStatus === "Draft") {
    return wrong("A draft policy has no cover to end: remove members on the policy page instead")
  }
  const possible = leaversOn && latestStarter ? checkLastDay(latestStarter.from, leaversOn) : true
  if (isRefusal(possible)) return wrong(`${latestStarter!.name} (${latestStarter!.number}): ${possible.message}`)
  const writes = list.joinerCount + (applyChanges ? list.changeCount : 0) + (leaversOn ? list.leaverCount : 0)
  return writes === 0 ? refuse("NOTHING_TO_IMPORT") : applyListChange(list, { status, ...choices, failure: null })
}

export function finishImport(
  list: StaffList,
  { added, changed: edited, ended, refused }: { added: number; changed: number; ended: number; refused: number },
  now: Temporal.Instant,
): StaffListDecision {
  const status = applyTransition(staffListLifecycle, list, "finishImport")
  if (isRefusal(status)) return status
  const counts = { added, changed: edited, ended }
  return applyListChange(
    list,
    {
      status,
      addedCount: added,
      changedCount: edited,
      endedCount: ended,
      committedAt: now.toString(),
      rowsFileId: null,
      corrections: {},
    },
    { type: "StaffListImported", ...staffListFactHead(list), ...counts, refused },
    { type: "MembersImported", ...staffListFactOnPolicy(list), ...counts },
  )
}

/** `failure` is a sentence. */
export function failList(list: StaffList, failure: string): StaffListDecision {
  const status = applyTransition(staffListLifecycle, list, "fail")
  return isRefusal(status) ? status : applyListChange(list, { status, failure })
}

/** Deletes rows and file: they name people who did not become members. */
export function discardList(list: StaffList): StaffListDecision {
  const status = applyTransition(staffListLifecycle, list, "discard")
  if (isRefusal(status)) return status
  return applyListChange(
    list,
    { status, sample: [], corrections: {}, fileId: null, rowsFileId: null },
    { type: "StaffListDiscarded", ...staffListFactHead(list) },
  )
}

/** A group administrator may undo only their own imports. */
export function checkUndo(
  list: StaffList,
  actor: { userId: string; seesAllGroups: boolean },
  policyStatus: PolicyStatus,
): Decision<true, "WRONG_STATUS" | "FORBIDDEN" | "POLICY_ENDED"> {
  const status = applyTransition(staffListLifecycle, list, "undo")
  if (isRefusal(status)) return status
  if (!actor.seesAllGroups && list.createdBy !== actor.userId) {
    return refuse("FORBIDDEN", "You can undo only your own imports.")
  }
  return isOpen(policyStatus) ? true : refuse("POLICY_ENDED")
}

export function undoList(
  list: StaffList,
  counts: { removed: number; restored: number },
  actor: { userId: string },
  now: Temporal.Instant,
): StaffListDecision {
  const status = applyTransition(staffListLifecycle, list, "undo")
  if (isRefusal(status)) return status
  return applyListChange(
    list,
    { status, undoneAt: now.toString(), undoneBy: actor.userId },
    { type: "StaffListImportUndone", ...staffListFactHead(list), ...counts },
    { type: "MembersImportUndone", ...staffListFactOnPolicy(list), ...counts },
  )
}

function findMappingError(mapping: ColumnMapping, headers: readonly string[]): { path: string; message: string }[] {
  const wrong = missingColumns(mapping).map((field) => ({
    path: `mapping.${field}`,
    message: `Choose the column for ${memberLabels[field] ?? "the group policy"}`,
  }))
  const used = new Map<number, string>()
  for (const [field, column] of Object.entries(mapping)) {
    if (typeof column !== "number") continue
    if (column >= headers.length)
      wrong.push({ path: `mapping.${field}`, message: "The file does not have this column" })
    else if (used.has(column)) wrong.push({ path: `mapping.${field}`, message: `${headers[column]} is already used` })
    used.set(column, field)
  }
  return wrong
}
