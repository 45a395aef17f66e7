import type { LetterKind } from "@milkwood/domain/letters/letter"
import type { LetterText } from "@milkwood/domain/letters/letter-shape"
import { letterSamples, letterTemplates } from "@milkwood/domain/letters/letter-templates"
import { fillLetter, letterTemplateErrors } from "@milkwood/domain/letters/letter-wording"
import { lettersContract } from "@milkwood/domain/letters/letters.contract"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, invalidInput, query } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { templateRow } from "./letter-templates.queries.ts"
import { letterTemplateVersions } from "./letters.tables.ts"

export const saveTemplate = command(lettersContract.templates.save, async (cx) => {
  const { kind, version, template } = cx.input
  refuseWrongTemplate(kind, template)
  return saveVersion(cx, kind, version, template)
})

export const resetTemplate = command(lettersContract.templates.reset, (cx) =>
  saveVersion(cx, cx.input.kind, cx.input.version, letterTemplates[cx.input.kind].initial),
)

export const previewTemplate = query(lettersContract.templates.preview, async ({ input, currency }) => {
  const { kind, template } = input
  refuseWrongTemplate(kind, template)
  const declared = letterTemplates[kind]
  const addressee = ["Sipho Dlamini", "12 Protea Street", "Soweto, 1804"]
  return fillLetter(template, letterSamples(declared, currency), { addressee, reference: "CLM-2026-000123" })
})

function refuseWrongTemplate(kind: LetterKind, template: LetterText): void {
  const errors = letterTemplateErrors(letterTemplates[kind], template)
  if (errors.length > 0) throw invalidInput(errors.map(({ path, message }) => ({ path: `template.${path}`, message })))
}

async function saveVersion(cx: Cx, kind: LetterKind, version: number, after: LetterText) {
  await lockSettings(cx)
  const before = await templateRow(cx.tx, kind)
  expectVersion(before, version)
  const savedBy = actorUserId(cx.actor)!
  await cx.tx.insert(letterTemplateVersions).values({ kind, version: version + 1, ...after, savedAt: cx.now, savedBy })
  await record(cx, [
    {
      type: "LetterTemplateSaved",
      record: { kind: "settings", id: null, label: "Settings" },
      groupId: null,
      letterKind: kind,
      before: { title: before.title, text: before.text },
      after,
    },
  ])
  return templateRow(cx.tx, kind)
}
