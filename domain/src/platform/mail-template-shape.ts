import { z } from "zod"
import { type Setting, setting } from "../kernel/setting.ts"
import { line, text } from "../kernel/text-shape.ts"
import {
  type MailTemplate,
  missingFieldMessage,
  missingFields,
  unknownFieldMessage,
  unknownFields,
} from "./mail-template.ts"

export const mailText = z.object({
  subject: line(200).min(1, "Enter a subject"),
  text: text(5_000).min(1, "Enter the text"),
})

/** Schema of a template's text: only its own placeholders, and all required ones. */
export const mailTextOf = (template: MailTemplate) =>
  mailText.superRefine((words, context) => {
    for (const path of ["subject", "text"] as const)
      for (const name of unknownFields(template.fields, words[path]))
        context.addIssue({ code: "custom", path: [path], message: unknownFieldMessage(name) })
    for (const name of missingFields(template, words.text))
      context.addIssue({ code: "custom", path: ["text"], message: missingFieldMessage(name) })
  })

export const templateSetting = (template: MailTemplate): Setting<typeof mailText> =>
  setting(mailTextOf(template), template.initial)
