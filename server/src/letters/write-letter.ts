import { randomUUID } from "node:crypto"
import type { LetterInput } from "@milkwood/domain/letters/letter-shape"
import { lettersContract } from "@milkwood/domain/letters/letters.contract"
import { actorUserId } from "../platform/calls/actor.ts"
import { command, type PrepareCx, Refused, refused } from "../platform/calls/commands.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { record } from "../platform/trail/facts.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"
import { composeLetter } from "./compose-letter.ts"
import { letterPdf, loadLetterDocument } from "./letter-document.ts"
import { recordLetters } from "./letters.queries.ts"
import { letters } from "./letters.tables.ts"
import { mailLetter } from "./send-letter.ts"

export const createLetter = command(
  lettersContract.create,
  async (cx) => {
    const { kind, recordId, payoutId, fingerprint, mail } = cx.input
    const { source, wording, templateVersion, ...composed } = await composeLetter(cx, cx.input)
    if (composed.fingerprint !== fingerprint) throw refused("WORDING_CHANGED")
    if (!cx.prepared) throw refused("BUSY")
    const { groupId, memberId, record: about } = source
    const number = await nextNumber(cx.tx, "letter", cx.today)
    // Without a group: users of the employer read the files of their groups.
    const pdf = { kind: "letter", name: `${number}.pdf`, mime: "application/pdf", groupId: null, content: cx.prepared }
    const file = await cx.app.files.save(cx, pdf)
    const letter = { id: randomUUID(), number, kind, groupId, fileId: file.id }
    await cx.tx.insert(letters).values({
      ...letter,
      ...{ memberId, payoutId, templateVersion, wording },
      claimId: about.kind === "claim" ? about.id : null,
      policyId: about.kind === "policy" ? about.id : null,
      writtenOn: cx.today,
      writtenAt: cx.now,
      writtenBy: actorUserId(cx.actor)!,
    })
    await record(cx, [{ type: "LetterWritten", record: about, groupId: null, letter: number, letterKind: kind }])
    if (mail) await mailLetter(cx, letter, about, mail)
    const mailed = mail !== null && (await isMailEnabled(cx))
    return { ...(await recordLetters(cx, about.kind, recordId)), letterId: letter.id, mailed }
  },
  { prepare: createLetterPdf },
)

/** Renders the PDF if the letter is still the one that was previewed. */
async function createLetterPdf({
  app,
  input,
  read,
}: PrepareCx<LetterInput & { fingerprint: string }>): Promise<Buffer | undefined> {
  try {
    const document = await read(async (cx) => {
      const { wording, fingerprint } = await composeLetter(cx, input)
      return fingerprint === input.fingerprint ? loadLetterDocument(cx, wording) : undefined
    })
    return document && (await letterPdf({ app, line: "records" }, () => document))
  } catch (error) {
    // The command refuses it, unless it repeats an earlier answer.
    if (error instanceof Refused && ["NOT_FOUND", "NOT_POSSIBLE"].includes(error.refusal.refused)) return undefined
    throw error
  }
}
