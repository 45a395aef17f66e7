import type { LetterKind, LetterRecord } from "@milkwood/domain/letters/letter"
import type { LetterChoice } from "@milkwood/domain/letters/letter-shape"
import type { LetterValues } from "@milkwood/domain/letters/letter-templates"

/** A record that letters are written about, with what they may say. */
export interface LetterSource {
  record: { kind: LetterRecord; id: string; label: string }
  groupId: string
  /** The member whom the letters are about; null for letters to employers. */
  memberId: string | null
  choices: LetterChoice[]
  /** Recipient and placeholder values of one of the choices. */
  contentOf(choice: LetterChoice): Promise<LetterContent>
}

export interface LetterContent {
  /** Name and address, one line each. */
  addressee: string[]
  email: string
  values: LetterValues
}

export const letterChoiceOf = (kind: LetterKind, label: string, payoutId: string | null = null): LetterChoice => ({
  kind,
  payoutId,
  label,
})

/** Lines of a name and an address; empty ones are left out. */
export const addressLines = (name: string, address: string): string[] =>
  [name, ...address.split("\n")].map((line) => line.trim()).filter((line) => line !== "")
