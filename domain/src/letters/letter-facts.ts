import { type LetterKind, type LetterRecord, letterKindNames } from "./letter.ts"

/** Letters are internal to the insurer: groups cannot read these facts. */
interface LetterFactHead {
  record: { kind: LetterRecord; id: string; label: string }
  groupId: null
}

export type LetterFact =
  | (LetterFactHead & { type: "LetterWritten"; letter: string; letterKind: LetterKind })
  | (LetterFactHead & { type: "LetterMailed"; letter: string; letterKind: LetterKind; to: string })
  | {
      type: "LetterTemplateSaved"
      record: { kind: "settings"; id: null; label: string }
      groupId: null
      letterKind: LetterKind
      before: { title: string; text: string }
      after: { title: string; text: string }
    }

type FactOf<T extends LetterFact["type"]> = Extract<LetterFact, { type: T }>

const nameOf = (kind: LetterKind) => `“${letterKindNames[kind]}”`

export const letterSentences: { [T in LetterFact["type"]]: (fact: FactOf<T>) => string } = {
  LetterWritten: ({ letter, letterKind }) => `wrote letter ${letter}, ${nameOf(letterKind)}`,
  LetterMailed: ({ letter, to }) => `sent ${to} letter ${letter}`,
  LetterTemplateSaved: ({ letterKind }) => `changed the template of the letter ${nameOf(letterKind)}`,
}
