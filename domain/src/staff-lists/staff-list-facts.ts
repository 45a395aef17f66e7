import type { Day } from "../kernel/calendar.ts"
import type { RowOutcome } from "./staff-list.ts"

interface ImportFactHead {
  record: { kind: "staff_list"; id: string; label: string }
  groupId: string
  policyNumber: string
}

export type StaffListFact =
  | ({ type: "StaffListUploaded"; rows: number } & ImportFactHead)
  | ({ type: "StaffListImported"; added: number; changed: number; ended: number; refused: number } & ImportFactHead)
  | ({ type: "StaffListImportUndone"; removed: number; restored: number } & ImportFactHead)
  | ({ type: "StaffListDiscarded" } & ImportFactHead)
  /** `moved`: rows moved per policy, as text. */
  | ({ type: "StaffListDivided"; moved: string } & ImportFactHead)
  /** Recorded on the policy. */
  | {
      type: "MembersImported"
      record: { kind: "policy"; id: string; label: string }
      groupId: string
      fileName: string
      added: number
      changed: number
      ended: number
    }
  /** Recorded for each added member. */
  | {
      type: "MemberImported"
      record: { kind: "member"; id: string; label: string }
      groupId: string
      startOn: Day
      fileName: string
      importId: string
    }
  /** Recorded on the policy. */
  | {
      type: "MembersImportUndone"
      record: { kind: "policy"; id: string; label: string }
      groupId: string
      fileName: string
      removed: number
      restored: number
    }
  /** For each member. Restored fields appear with their imported values as "before". */
  | {
      type: "MemberImportUndone"
      record: { kind: "member"; id: string; label: string }
      groupId: string
      outcome: Exclude<RowOutcome, "unchanged">
      fileName: string
      importId: string
      before?: Record<string, unknown>
      after?: Record<string, unknown>
    }

interface ListHead {
  id: string
  groupId: string
  fileName: string
  policyNumber: string
}

export const staffListFactHead = ({ id, groupId, fileName, policyNumber }: ListHead): ImportFactHead => ({
  record: { kind: "staff_list", id, label: fileName },
  groupId,
  policyNumber,
})

export const staffListFactOnPolicy = ({
  groupId,
  fileName,
  policyId,
  policyNumber,
}: ListHead & { policyId: string }) => ({
  record: { kind: "policy" as const, id: policyId, label: policyNumber },
  groupId,
  fileName,
})

type StaffListFactOf<T extends StaffListFact["type"]> = Extract<StaffListFact, { type: T }>

const formatCount = (count: number) => count.toLocaleString("en-ZA").replace(/\s/g, " ")

const undoneSentences: Record<StaffListFactOf<"MemberImportUndone">["outcome"], string> = {
  joiner: "removed the member",
  change: "restored the member's details",
  leaver: "reinstated the member",
}

export const staffListSentences = {
  StaffListUploaded: (fact: StaffListFactOf<"StaffListUploaded">) =>
    `uploaded a staff list of ${formatCount(fact.rows)} rows for ${fact.policyNumber}`,
  StaffListImported: (fact: StaffListFactOf<"StaffListImported">) =>
    `imported the staff list into ${fact.policyNumber}: ${formatCount(fact.added)} added, ${formatCount(fact.changed)} updated, ${formatCount(fact.ended)} ended, ${formatCount(fact.refused)} rejected`,
  StaffListImportUndone: (fact: StaffListFactOf<"StaffListImportUndone">) =>
    `undid the import into ${fact.policyNumber}: ${formatCount(fact.removed)} removed, ${formatCount(fact.restored)} restored`,
  StaffListDiscarded: (fact: StaffListFactOf<"StaffListDiscarded">) =>
    `discarded the staff list for ${fact.policyNumber}`,
  StaffListDivided: (fact: StaffListFactOf<"StaffListDivided">) =>
    `divided the staff list for ${fact.policyNumber} by policy: ${fact.moved}`,
  MembersImported: (fact: StaffListFactOf<"MembersImported">) =>
    `imported the staff list ${fact.fileName}: ${formatCount(fact.added)} members added, ${formatCount(fact.changed)} updated, ${formatCount(fact.ended)} ended`,
  MemberImported: (fact: StaffListFactOf<"MemberImported">) =>
    `added the member from the staff list ${fact.fileName}, starting ${fact.startOn}`,
  MembersImportUndone: (fact: StaffListFactOf<"MembersImportUndone">) =>
    `undid the import of the staff list ${fact.fileName}: ${formatCount(fact.removed)} members removed, ${formatCount(fact.restored)} restored`,
  MemberImportUndone: (fact: StaffListFactOf<"MemberImportUndone">) =>
    `${undoneSentences[fact.outcome]}: the import of the staff list ${fact.fileName} was undone`,
}
