import { createHash } from "node:crypto"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import {
  type LetterKind,
  type LetterRecord,
  type LetterWording,
  letterKindNames,
  recordOfLetter,
} from "@milkwood/domain/letters/letter"
import type { LetterInput } from "@milkwood/domain/letters/letter-shape"
import { fillLetter } from "@milkwood/domain/letters/letter-wording"
import { lettersContract } from "@milkwood/domain/letters/letters.contract"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { loadClaimLetters } from "./claim-letters.queries.ts"
import type { LetterSource } from "./letter-source.ts"
import { readTemplate } from "./letter-templates.queries.ts"
import { loadMemberLetters } from "./member-letters.queries.ts"
import { loadPolicyLetters } from "./policy-letters.queries.ts"

const sources: Record<LetterRecord, (cx: Cx, id: string) => Promise<LetterSource>> = {
  claim: loadClaimLetters,
  member: loadMemberLetters,
  policy: loadPolicyLetters,
}

/** NOT_FOUND if the record does not exist. */
export const loadLetterSource = (cx: Cx, record: LetterRecord, id: string): Promise<LetterSource> =>
  sources[record](cx, id)

export interface ComposedLetter {
  source: LetterSource
  wording: LetterWording
  templateVersion: number
  fingerprint: string
  email: string
  organisation: string
}

/** The letter if it were written now. Refuses NOT_FOUND, and NOT_POSSIBLE unless it is among the record's choices. */
export async function composeLetter(cx: Cx, input: LetterInput): Promise<ComposedLetter> {
  const { kind, recordId, payoutId } = input
  const source = await loadLetterSource(cx, recordOfLetter[kind], recordId)
  const choice = source.choices.find((one) => one.kind === kind && one.payoutId === payoutId)
  if (!choice) throw refused("NOT_POSSIBLE")
  const { organisation, dateFormat } = await readSettings(cx.tx, platformSettings)
  const { version: templateVersion, ...template } = await readTemplate(cx.tx, kind)
  const content = await source.contentOf(choice)
  const typed = input.addressee
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  const addressee = typed.length > 0 ? typed : content.addressee
  const reference = source.record.label
  const values = {
    ...content.values,
    name: nameOf({ addressee }),
    note: input.note,
    reference,
    date: formatDay(cx.today, dateFormat),
    organisation: organisation.name,
  }
  const wording = fillLetter(template, values, { addressee, reference })
  return {
    source,
    wording,
    templateVersion,
    fingerprint: fingerprintOf(kind, templateVersion, cx.today, wording),
    email: content.email,
    organisation: organisation.name,
  }
}

/** For the salutation: "Dear family of …". */
const nameOf = ({ addressee }: Pick<LetterWording, "addressee">): string =>
  (addressee[0] ?? "").replace(/^The family /, "family ").replace(/^The /, "the ")

const fingerprintOf = (kind: LetterKind, templateVersion: number, on: string, wording: LetterWording): string =>
  createHash("sha256")
    .update(JSON.stringify([kind, templateVersion, on, wording]))
    .digest("hex")

export const previewLetter = query(lettersContract.preview, async (cx) => {
  const { wording, templateVersion, fingerprint, email, organisation } = await composeLetter(cx, cx.input)
  return {
    wording,
    on: cx.today,
    templateVersion,
    fingerprint,
    // Without the wording, which may contain medical facts.
    mail: {
      to: email,
      subject: `${letterKindNames[cx.input.kind]}: ${wording.reference}`,
      text: `Dear ${nameOf(wording)}\n\nPlease find our letter attached.\n\nKind regards\n${organisation}`,
    },
  }
})
