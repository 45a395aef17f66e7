import { previewLetter } from "./compose-letter.ts"
import { listTemplates } from "./letter-templates.queries.ts"
import { listLetters } from "./letters.queries.ts"
import { previewTemplate, resetTemplate, saveTemplate } from "./save-template.ts"
import { sendLetter } from "./send-letter.ts"
import { createLetter } from "./write-letter.ts"

export const lettersRouter = {
  list: listLetters,
  preview: previewLetter,
  create: createLetter,
  send: sendLetter,
  templates: { list: listTemplates, save: saveTemplate, preview: previewTemplate, reset: resetTemplate },
}
