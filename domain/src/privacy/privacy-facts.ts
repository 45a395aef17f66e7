import { type RetentionCounts, retentionKinds, retentionTexts } from "./retention.ts"

/** Without a group, because only administrators may see these facts. */
interface MemberFileFactHead {
  record: { kind: "member"; id: string; label: string }
  groupId: null
}

interface RetentionFactHead {
  record: { kind: "retention"; id: string; label: string }
  groupId: null
}

export type PrivacyFact =
  | (RetentionFactHead & { type: "RetentionShown" | "RetentionConfirmed"; due: RetentionCounts })
  | (RetentionFactHead & { type: "RetentionDone"; removed: RetentionCounts })
  /** No personal data: the person's key is deleted, so nobody could read it. */
  | { type: "MemberForgotten"; record: { kind: "member"; id: string; label: string }; groupId: string }
  | (MemberFileFactHead & { type: "PersonFileAsked" | "PersonFileFetched" | "PersonFileRemoved" })
  | (MemberFileFactHead & { type: "PersonFileMade"; size: number; sha256: string; documents: number })

/** "12 members, 1 e-mail". */
export const describeCounts = (counts: RetentionCounts): string =>
  retentionKinds
    .filter((kind) => counts[kind])
    .map(
      (kind) =>
        `${counts[kind]!.toLocaleString("en-ZA")} ${counts[kind] === 1 ? retentionTexts[kind].one : retentionTexts[kind].many}`,
    )
    .join(", ") || "nothing"

export const privacySentences = {
  RetentionShown: ({ due }: { due: RetentionCounts }) =>
    `counted data past its retention period: ${describeCounts(due)}`,
  RetentionConfirmed: ({ due }: { due: RetentionCounts }) =>
    `confirmed the removal of data past its retention period: ${describeCounts(due)}`,
  RetentionDone: ({ removed }: { removed: RetentionCounts }) =>
    `removed data past its retention period: ${describeCounts(removed)}`,
  MemberForgotten: () => "anonymised the member",
  PersonFileAsked: () => "requested the file with everything recorded about the member",
  PersonFileMade: ({ documents }: { documents: number }) =>
    `created the file with everything recorded about the member, including ${documents === 1 ? "1 document" : `${documents} documents`}`,
  PersonFileFetched: () => "downloaded the file with everything recorded about the member",
  PersonFileRemoved: () => "deleted the file with everything recorded about the member",
}
