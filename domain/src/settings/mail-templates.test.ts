import { describe, expect, it } from "vitest"
import { filled, filledMail, missingFields, samplesOf, unknownFields } from "../platform/mail-template.ts"
import { isMailTemplate, mailTemplates } from "./mail-templates.ts"
import { declaredSettings, defaultSettings } from "./settings.ts"

const declared = Object.entries(mailTemplates)

describe.each(declared)("the template %s", (key, template) => {
  it("is a setting, and what it says by itself has no field too many or too few", () => {
    const { shape, initial } = declaredSettings[key as keyof typeof mailTemplates]
    expect(initial).toEqual(template.initial)
    expect(shape.parse(template.initial)).toEqual(template.initial)
    const mail = filledMail(template.initial, samplesOf(template, "ZAR"))
    expect(mail.subject + mail.text).not.toMatch(/[{}]/)
  })
  it("is refused with a field that nobody knows, by its name, and without those that it needs", () => {
    const { shape } = declaredSettings[key as keyof typeof mailTemplates]
    const refused = shape.safeParse({ subject: "{password}", text: "Dear {toString} {organisation}" })
    expect(refused.error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([
      ["subject", "{password} is not a field that can be filled in"],
      ["text", "{toString} is not a field that can be filled in"],
      ...template.required.map((name) => ["text", `{${name}} must be in the text`]),
    ])
  })
})

describe("a mail's fields", () => {
  const { reminderMail: template } = mailTemplates
  it("are filled in once: what a value says in braces stays", () => {
    expect(filled("{group} {nobody}", { group: "{policy}", policy: "x" })).toBe("{policy} {nobody}")
    expect(unknownFields(template.fields, "{group} {nobody} {nobody} {toString}")).toEqual(["nobody", "toString"])
    expect(missingFields(template, "{outstanding}")).toEqual([])
    expect(missingFields(template, "{ outstanding }")).toEqual(["outstanding"])
  })
  it("that say nothing leave no gap, and no line break reaches a subject", () => {
    expect(filledMail({ subject: "{a}\n{a}", text: "{a}\n\n{b}\n\n{a}\n" }, { a: "A", b: "" })).toEqual({
      subject: "A A",
      text: "A\n\nA",
    })
  })
})

it("every setting that is a mail's words is among the templates", () => {
  const mails = Object.entries(defaultSettings).filter(([, value]) => typeof value === "object" && "subject" in value)
  expect(mails.map(([key]) => key).filter((key) => !isMailTemplate(key))).toEqual([])
  expect(mails).toHaveLength(declared.length)
})
