import { randomUUID } from "node:crypto"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { type LetterKind, type LetterRecord, letterKinds } from "@milkwood/domain/letters/letter"
import type { Diary } from "./diary.ts"
import type { DemoStage } from "./play.ts"

/** Letters about claims in every status, about members of two employers, and the policy schedules of these employers. */
export function playLetters(stage: DemoStage, diary: Diary, today: Day): void {
  const insured = stage.schemes.slice(0, 2)
  diary.on(addDays(today, -21), async () => {
    for (const { policyId, memberIds } of insured) {
      await writeLetters(stage, "policy", policyId)
      await writeLetters(stage, "member", memberIds[0]!)
    }
    await writeClaimLetters(stage, 1)
  })
  diary.on(today, () => writeClaimLetters(stage, 3))
}

/** At most `most` letters of each kind. */
async function writeClaimLetters(stage: DemoStage, most: number): Promise<void> {
  const { rows } = await stage.as(stage.manager).claims.list({ pageSize: 100 })
  const counts = new Map<LetterKind, number>(letterKinds.map((kind) => [kind, 0]))
  for (const { id } of rows) {
    const kinds = await writeLetters(stage, "claim", id, (kind) => counts.get(kind)! < most)
    for (const kind of kinds) counts.set(kind, counts.get(kind)! + 1)
  }
}

/** Writes the letters that the record allows and that were not written before; mails them if an address is on record. */
async function writeLetters(
  stage: DemoStage,
  record: LetterRecord,
  recordId: string,
  isWanted: (kind: LetterKind) => boolean = () => true,
): Promise<LetterKind[]> {
  const { letters } = stage.as(stage.manager)
  const { choices, letters: earlier } = await letters.list({ record, recordId })
  const kinds: LetterKind[] = []
  for (const { kind, payoutId } of choices) {
    if (!isWanted(kind) || earlier.some((letter) => letter.kind === kind)) continue
    const input = { kind, recordId, payoutId }
    const { fingerprint, mail } = await letters.preview(input)
    await letters.create({ ...input, fingerprint, mail: mail.to ? mail : null, idempotencyKey: randomUUID() })
    stage.passTime()
    kinds.push(kind)
  }
  return kinds
}
