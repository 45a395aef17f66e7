import type { LetterRecord } from "@milkwood/domain/letters/letter"
import type { Letter } from "@milkwood/domain/letters/letter-shape"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export interface LetterPlace {
  record: LetterRecord
  recordId: string
}

export const lettersQuery = (place: LetterPlace) => api.letters.list.queryOptions({ input: place })

export const letterHref = ({ id }: Pick<Letter, "id">) => `/api/letters/${id}/pdf`

const noServerText = "No mail server is set up, so the e-mail stays in the outbox"

export const useLetterCommands = () => ({
  create: useCommand(api.letters.create, {
    success: ({ letters, letterId, mailed }, { mail }) => {
      const saved = `Letter ${letters.find(({ id }) => id === letterId)?.number ?? ""} saved`
      if (!mail) return saved
      return mailed ? `${saved} and sent to ${mail.to}` : { title: saved, message: noServerText }
    },
    failure: "Failed to save the letter",
    quiet: ["WORDING_CHANGED"],
  }),
  send: useCommand(api.letters.send, {
    success: ({ mailed }, { mail }) => (mailed ? `Letter sent to ${mail.to}` : noServerText),
    failure: "Failed to send the letter",
  }),
})

export const letterTemplatesQuery = () => api.letters.templates.list.queryOptions({})

export const useLetterTemplateCommands = () => ({
  save: useCommand(api.letters.templates.save, {
    success: "Template saved",
    failure: "Failed to save the template",
    quiet: ["STALE"],
  }),
  reset: useCommand(api.letters.templates.reset, {
    success: "Template reset to the built-in text",
    failure: "Failed to reset the template",
  }),
})
