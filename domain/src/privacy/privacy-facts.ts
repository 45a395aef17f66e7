/** What is done with everything that is recorded about a person: the administrators' own affair. */
interface AboutMember {
  record: { kind: "member"; id: string; label: string }
  groupId: null
}

export type PrivacyFact =
  | (AboutMember & { type: "PersonFileAsked" | "PersonFileFetched" | "PersonFileRemoved" })
  | (AboutMember & { type: "PersonFileMade"; size: number; sha256: string; documents: number })

export const privacySentences = {
  PersonFileAsked: () => "asked for everything recorded about the member",
  PersonFileMade: ({ documents }: { documents: number }) =>
    `made the file with everything recorded about the member, ${documents === 1 ? "1 document" : `${documents} documents`} among it`,
  PersonFileFetched: () => "downloaded everything recorded about the member",
  PersonFileRemoved: () => "deleted the file with everything recorded about the member",
}
