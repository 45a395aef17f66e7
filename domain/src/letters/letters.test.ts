import { describe, expect, test } from "vitest"
import { approvalRows } from "./approval-rows.ts"
import { coverText } from "./cover-text.ts"
import { letterKinds } from "./letter.ts"
import { letterSamples, letterTemplates } from "./letter-templates.ts"
import { fillLetter, letterTemplateErrors } from "./letter-wording.ts"

const to = { addressee: ["Sipho Dlamini"], reference: "CLM-1" }
const plain = (text: string) => text.replaceAll("\u00a0", " ")

describe.each(letterKinds)("the template %s", (kind) => {
  const template = letterTemplates[kind]

  test("has a valid built-in text, and a sample for each placeholder", () => {
    expect(letterTemplateErrors(template, template.initial)).toEqual([])
    const wording = fillLetter(template.initial, letterSamples(template, "ZAR"), to)
    expect(JSON.stringify(wording)).not.toMatch(/\{\w+\}/)
    for (const name of Object.keys(template.tables)) expect(template.fields).toHaveProperty(name)
  })

  test("refuses unknown placeholders by name, and a text without required ones", () => {
    expect(letterTemplateErrors(template, { title: "{password}", text: "{toString}" })).toEqual([
      { path: "title", message: "{password} is not a known placeholder" },
      { path: "text", message: "{toString} is not a known placeholder" },
      ...template.required.map((name) => ({ path: "text", message: `The text must contain {${name}}` })),
    ])
  })
})

describe("the wording of a letter", () => {
  const rows = [{ label: "Approved", value: "R 5", isTotal: true }]

  test("replaces placeholders once, and leaves out empty paragraphs", () => {
    const values = { name: "{policy}", policy: "GP-1", note: "" }
    expect(fillLetter({ title: "To\n{name}", text: "Dear {name}\n\n{note}\n\nBye {other}" }, values, to)).toEqual({
      ...to,
      title: "To {policy}",
      blocks: [{ text: "Dear {policy}" }, { text: "Bye {other}" }],
    })
  })

  test("prints a table where a paragraph is only its placeholder, and lines elsewhere", () => {
    const text = "{working}\n\nAs follows: {working}\n\n{empty}"
    expect(fillLetter({ title: "T", text }, { working: rows, empty: [] }, to).blocks).toEqual([
      { rows },
      { text: "As follows: Approved: R 5" },
    ])
  })

  test("splits typed text with empty lines into paragraphs", () => {
    expect(fillLetter({ title: "T", text: "{note}" }, { note: "One\n\nTwo\nThree" }, to).blocks).toEqual([
      { text: "One" },
      { text: "Two\nThree" },
    ])
  })
})

describe("the working of an approved amount", () => {
  const centsOf = (value: string) => Number(value.replace(/[^\d-]/g, ""))
  const amounts = [1, 30_000_00, 50_000_00, 50_000_01, 80_000_00]
  const cases = amounts.flatMap((proposed) => amounts.map((approved) => [proposed, approved] as const))

  test.each(cases)("of %i proposed and %i approved adds up to the approved amount", (proposed, approved) => {
    const requested = 50_000_00
    const working = { proposedAmountCents: Math.min(proposed, requested), lines: ["R 30 000,00 maximum cover."] }
    for (const stored of [working, null]) {
      const rows = approvalRows(requested, approved, stored, "ZAR").filter(({ value }) => value !== "")
      const total = rows.pop()!
      expect(total).toMatchObject({ label: "Approved amount", isTotal: true })
      expect(centsOf(total.value)).toBe(approved)
      expect(rows.reduce((sum, { value }) => sum + centsOf(value), 0)).toBe(approved)
    }
  })

  test("names what cover and the decision took away", () => {
    const working = { proposedAmountCents: 30_000_00, lines: ["R 30 000,00 maximum cover."] }
    expect(approvalRows(50_000_00, 28_000_00, working, "ZAR").map(({ label }) => label)).toEqual([
      "Amount requested",
      "R 30 000,00 maximum cover.",
      "Less: above what the policy covers",
      "Less: reduced by the decision",
      "Approved amount",
    ])
  })
})

test.each([
  [{}, "R 30 000,00"],
  [{ amountCents: 0 }, "no maximum"],
  [{ amountCents: 0, salaryMultiple: 2.5 }, "2.5 × monthly salary"],
  [{ percentage: 80 }, "80 % of the amount claimed, up to R 30 000,00"],
  [{ percentage: 80, amountCents: 0 }, "80 % of the amount claimed"],
  [{ incidentLimitCents: 5_00, yearLimitCents: 9_00 }, "R 30 000,00; R 5,00 per incident; R 9,00 per calendar year"],
])("cover %o reads: %s", (change, text) => {
  const cover = { amountCents: 30_000_00, salaryMultiple: null, percentage: 100, incidentLimitCents: null }
  expect(plain(coverText({ ...cover, yearLimitCents: null, coverYear: "calendar", ...change }, "ZAR"))).toBe(text)
})
