import type { Day } from "../kernel/calendar.ts"
import type { RowOutcome } from "./staff-list.ts"

interface OfImport {
  record: { kind: "staff_list"; id: string; label: string }
  groupId: string
  policyNumber: string
}

export type StaffListFact =
  | ({ type: "StaffListUploaded"; rows: number } & OfImport)
  | ({ type: "StaffListImported"; added: number; changed: number; ended: number; refused: number } & OfImport)
  | ({ type: "StaffListImportUndone"; removed: number; restored: number } & OfImport)
  | ({ type: "StaffListDiscarded" } & OfImport)
  /** `moved`: rows moved per policy, as text. */
  | ({ type: "StaffListDivided"; moved: string } & OfImport)
  /** On the policy's record. */
  | {
      type: "MembersImported"
      record: { kind: "policy"; id: string; label: string }
      groupId: string
      fileName: string
      added: number
      changed: number
      ended: number
    }
  /** For each added member. */
  | {
      type: "MemberImported"
      record: { kind: "member"; id: string; label: string }
      groupId: string
      startOn: Day
      fileName: string
      importId: string
    }
  /** On the policy's record. */
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

interface Listed {
  id: string
  groupId: string
  fileName: string
  policyNumber: string
}

export const staffListFactHead = ({ id, groupId, fileName, policyNumber }: Listed): OfImport => ({
  record: { kind: "staff_list", id, label: fileName },
  groupId,
  policyNumber,
})

export const staffListFactOnPolicy = ({
  groupId,
  fileName,
  policyId,
  policyNumber,
}: Listed & { policyId: string }) => ({
  record: { kind: "policy" as const, id: policyId, label: policyNumber },
  groupId,
  fileName,
})

type Said<T extends StaffListFact["type"]> = Extract<StaffListFact, { type: T }>

const number = (count: number) => count.toLocaleString("en-ZA").replace(/\s/g, " ")

const undone: Record<Said<"MemberImportUndone">["outcome"], string> = {
  joiner: "removed the member",
  change: "restored the member's details",
  leaver: "reinstated the member",
}

export const staffListSentences = {
  StaffListUploaded: (fact: Said<"StaffListUploaded">) =>
    `uploaded a staff list of ${number(fact.rows)} rows for ${fact.policyNumber}`,
  StaffListImported: (fact: Said<"StaffListImported">) =>
    `imported the staff list into ${fact.policyNumber}: ${number(fact.added)} added, ${number(fact.changed)} updated, ${number(fact.ended)} ended, ${number(fact.refused)} rejected`,
  StaffListImportUndone: (fact: Said<"StaffListImportUndone">) =>
    `undid the import into ${fact.policyNumber}: ${number(fact.removed)} removed, ${number(fact.restored)} restored`,
  StaffListDiscarded: (fact: Said<"StaffListDiscarded">) => `discarded the staff list for ${fact.policyNumber}`,
  StaffListDivided: (fact: Said<"StaffListDivided">) =>
    `divided the staff list for ${fact.policyNumber} by policy: ${fact.moved}`,
  MembersImported: (fact: Said<"MembersImported">) =>
    `imported the staff list ${fact.fileName}: ${number(fact.added)} members added, ${number(fact.changed)} updated, ${number(fact.ended)} ended`,
  MemberImported: (fact: Said<"MemberImported">) =>
    `added the member from the staff list ${fact.fileName}, starting ${fact.startOn}`,
  MembersImportUndone: (fact: Said<"MembersImportUndone">) =>
    `undid the import of the staff list ${fact.fileName}: ${number(fact.removed)} members removed, ${number(fact.restored)} restored`,
  MemberImportUndone: (fact: Said<"MemberImportUndone">) =>
    `${undone[fact.outcome]}: the import of the staff list ${fact.fileName} was undone`,
}
