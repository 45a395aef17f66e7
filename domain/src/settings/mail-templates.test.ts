import { describe, expect, it } from "vitest"
import { fillMail, fillTemplate, missingFields, samplesOf, unknownFields } from "../platform/mail-template.ts"
import { isMailTemplate, mailTemplates } from "./mail-templates.ts"
import { declaredSettings, defaultSettings } from "./settings.ts"

const declared = Object.entries(mailTemplates)

describe.each(declared)("template %s", (key, template) => {
  it("every template has a valid default, and its fields have samples", () => {
    const { shape, initial } = declaredSettings[key as keyof typeof mailTemplates]
    expect(initial).toEqual(template.initial)
    expect(shape.parse(template.initial)).toEqual(template.initial)
    const mail = fillMail(template.initial, samplesOf(template, "ZAR"))
    expect(mail.subject + mail.text).not.toMatch(/[{}]/)
  })
  it("a template rejects unknown fields by name, and a text without required fields", () => {
    const { shape } = declaredSettings[key as keyof typeof mailTemplates]
    const refused = shape.safeParse({ subject: "{password}", text: "Dear {toString} {organisation}" })
    expect(refused.error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([
      ["subject", "{password} is not a known placeholder"],
      ["text", "{toString} is not a known placeholder"],
      ...template.required.map((name) => ["text", `The text must contain {${name}}`]),
    ])
  })
})

describe("fields of a mail", () => {
  const { reminderMail: template } = mailTemplates
  it("mail fields are filled in once; braces inside a value stay", () => {
    expect(fillTemplate("{group} {nobody}", { group: "{policy}", policy: "x" })).toBe("{policy} {nobody}")
    expect(unknownFields(template.fields, "{group} {nobody} {nobody} {toString}")).toEqual(["nobody", "toString"])
    expect(missingFields(template, "{outstanding}")).toEqual([])
    expect(missingFields(template, "{ outstanding }")).toEqual(["outstanding"])
  })
  it("an empty mail field leaves no gap, and a subject has no line break", () => {
    expect(fillMail({ subject: "{a}\n{a}", text: "{a}\n\n{b}\n\n{a}\n" }, { a: "A", b: "" })).toEqual({
      subject: "A A",
      text: "A\n\nA",
    })
  })
})

it("every setting with a mail text has a template", () => {
  const mails = Object.entries(defaultSettings).filter(([, value]) => typeof value === "object" && "subject" in value)
  expect(mails.map(([key]) => key).filter((key) => !isMailTemplate(key))).toEqual([])
  expect(mails).toHaveLength(declared.length)
})
