import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { boundsOf, type Setting, valuesOf } from "../kernel/setting.ts"
import { isMailTemplate } from "./mail-templates.ts"
import {
  changedSettings,
  checkCurrency,
  declaredSettings,
  defaultSettings,
  resetSettings,
  type Settings,
  settings,
} from "./settings.ts"

const changed: Settings = {
  ...defaultSettings,
  organisation: {
    name: "Umoya Benefits",
    vatNumber: "4123456789",
    address: "1 Long Street\nCape Town\n8001",
    bankAccount: { bank: "Standard Bank", accountHolder: "Umoya", accountNumber: "012345678", branchCode: "051001" },
  },
  timezone: "UTC",
  defaultMemberPremiumCents: 410_00,
}

describe("settings", () => {
  it("settings have valid defaults", () => {
    expect(settings.parse(defaultSettings)).toEqual(defaultSettings)
    expect(valuesOf(declaredSettings, {})).toEqual(defaultSettings)
  })
  it("settings have the defaults and choices of the specification", () => {
    expect(defaultSettings).toMatchObject({
      ...{ timezone: "Africa/Johannesburg", dateFormat: "YYYY-MM-DD" },
      ...{ userRegistration: false, passwordPolicy: "strong", sessionTimeoutMinutes: 60, secondFactorOf: "nobody" },
      ...{ limitAddresses: false, auditLogging: true, retentionYears: 7 },
      ...{ automaticBackup: true, backupFrequency: "daily" },
      ...{ maxFileMegabytes: 10, allowedFileTypes: ["pdf", "doc", "docx", "xls", "xlsx", "jpg", "png"] },
      ...{ premiumReminders: true, premiumReminderDay: 20, outstandingAlerts: true, outstandingAlertDay: 5 },
      ...{ policyExpiryWarnings: true, policyExpiryDays: 30, mailServer: { port: 587 } },
    })
    const choices = {
      timezone: ["Africa/Johannesburg", "UTC", "America/New_York"],
      dateFormat: ["YYYY-MM-DD", "DD-MM-YYYY", "MM-DD-YYYY"],
      passwordPolicy: ["basic", "medium", "strong"],
      backupFrequency: ["hourly", "daily", "weekly"],
    }
    for (const [name, values] of Object.entries(choices)) {
      const takes = (value: string) => settings.safeParse({ ...defaultSettings, [name]: value }).success
      expect([...values, "another"].filter(takes), name).toEqual(values)
    }
  })
  it("settings are read back as stored", () => expect(valuesOf(declaredSettings, changed)).toEqual(changed))
  it("an invalid stored setting falls back to its default", () =>
    expect(valuesOf(declaredSettings, { ...changed, timezone: "Mars/Olympus", releaseLimitCents: "10" })).toEqual({
      ...changed,
      timezone: "Africa/Johannesburg",
    }))
  it("exactly one room declares each setting, and settings.ts has them all", async () => {
    const source = join(import.meta.dirname, "..")
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
      /-settings\.ts$/.test(file),
    )
    const modules = await Promise.all(
      files.map(async (file): Promise<[string, unknown][]> => Object.entries(await import(join(source, file)))),
    )
    const declared = modules.flatMap((exported) => exported.filter(([name]) => name.endsWith("Settings")))
    expect(declared.length, "each *-settings.ts exports one `…Settings`").toBe(files.length)
    expect(
      declared.flatMap(([, room]) => Object.keys(room as object)).sort(),
      "settings.ts must spread the settings of each room",
    ).toEqual(Object.keys(declaredSettings).sort())
  })
  it("an edit of settings reports the changed keys", () => {
    expect(changedSettings(defaultSettings, changed)).toEqual(["organisation", "timezone", "defaultMemberPremiumCents"])
    expect(changedSettings(changed, changed)).toEqual([])
  })
  it("a reset of the settings keeps the organisation, and the currency once amounts are posted", () => {
    const euros: Settings = { ...changed, currency: "EUR" }
    expect(resetSettings(euros, false)).toEqual({ ...defaultSettings, organisation: changed.organisation })
    expect(resetSettings(euros, true)).toEqual({
      ...defaultSettings,
      organisation: changed.organisation,
      currency: "EUR",
    })
  })
  it("the currency is rand by default, and fixed once amounts are posted", () => {
    expect(defaultSettings.currency).toBe("ZAR")
    const euros: Settings = { ...changed, currency: "EUR" }
    expect(checkCurrency(changed, euros, false)).toBe(euros)
    expect(checkCurrency(euros, { ...euros, timezone: "UTC" }, true)).toMatchObject({ currency: "EUR" })
    expect(checkCurrency(changed, euros, true)).toEqual({
      refused: "INVALID",
      data: {
        fields: [{ path: "settings.currency", message: "You cannot change the currency: amounts are recorded in ZAR" }],
      },
    })
    expect(settings.safeParse({ ...changed, currency: "GBP" }).success).toBe(false)
  })

  it.each([
    ["name", { organisation: { ...changed.organisation, name: " " } }, "Enter the organisation's name"],
    [
      "VAT number",
      { organisation: { ...changed.organisation, vatNumber: "123" } },
      "Enter a VAT number of 10 digits that starts with 4",
    ],
    [
      "account number",
      {
        organisation: {
          ...changed.organisation,
          bankAccount: { ...changed.organisation.bankAccount, accountNumber: "12-34" },
        },
      },
      "Enter an account number of 5 to 16 digits",
    ],
    [
      "branch code",
      {
        organisation: {
          ...changed.organisation,
          bankAccount: { ...changed.organisation.bankAccount, branchCode: "51" },
        },
      },
      "Enter a branch code of 6 digits",
    ],
    ["premium", { defaultMemberPremiumCents: -1 }, "The premium cannot be negative"],
    ["limit", { releaseLimitCents: -1 }, "The limit cannot be negative"],
    ["time-out", { sessionTimeoutMinutes: 4 }, "Enter at least 5 minutes"],
    ["size of files", { maxFileMegabytes: 0 }, "At least 1 MB"],
    ["size of files", { maxFileMegabytes: 51 }, "At most 50 MB"],
    ["types of file", { allowedFileTypes: [] }, "Allow at least one file type"],
    ["years", { retentionYears: 4 }, "At least 5 years: the law requires records to be kept that long"],
    ["time-out", { sessionTimeoutMinutes: 721 }, "Enter at most 720 minutes"],
  ])("settings reject an invalid %s with its message", (_field, wrong, message) =>
    expect(settings.safeParse({ ...changed, ...wrong }).error?.issues.map((issue) => issue.message)).toContain(message))
})

describe("texts of settings", () => {
  const declared = Object.entries<Setting>(declaredSettings)

  it("a setting lacks texts only if a separate page shows it", () => {
    const special = declared.flatMap(([key, { words }]) => (words ? [] : [key])).filter((key) => !isMailTemplate(key))
    expect(special).toEqual(["organisation", "mailServer", "childCoverCaps", "requiredDocuments"])
  })

  it("a numeric setting's texts have a unit and bounds", () => {
    const numbers = declared.filter(([, { words }]) => words?.kind === "number")
    expect(numbers.length).toBeGreaterThan(5)
    for (const [key, setting] of numbers) {
      expect(setting.words!.unit, key).toMatch(/^(a|whole) /)
      const { min, max } = boundsOf(setting)
      const judged = [min - 1, min, max, max + 1].map((value) => setting.shape.safeParse(value).success)
      expect(judged, key).toEqual([false, true, true, false])
    }
  })

  it("a setting's texts label exactly the values of a closed list", () => {
    for (const [key, { shape, words }] of declared) {
      if (words?.kind !== "choice" && words?.kind !== "several") continue
      const accepts = (value: string) => shape.safeParse(words.kind === "several" ? [value] : value).success
      const schema = JSON.stringify(z.toJSONSchema(shape))
      const values = (/"enum":(\[.*?\])/.exec(schema) ?? [])[1]
      expect(JSON.parse(values!), key).toEqual(Object.keys(words.names!))
      expect(Object.keys(words.names!).every(accepts), key).toBe(true)
    }
  })

  it("a setting's `needs` is the key of a switch", () => {
    const kinds = new Map(declared.map(([key, { words }]) => [key, words?.kind]))
    for (const [key, { words }] of declared) if (words?.needs) expect(kinds.get(words.needs), key).toBe("switch")
  })
})
