import { describe, expect, it } from "vitest"
import { isProven } from "../platform/proof.ts"
import { addressOrNetwork } from "./allowed-addresses-shape.ts"
import { deviceName, programName } from "./device.ts"
import {
  formatRecoveryCode,
  isPartialSessionValid,
  isStepUnused,
  mustHaveSecondFactor,
  readCode,
} from "./second-factor.ts"

const instantAt = (time: string) => Temporal.Instant.from(`2026-11-20T${time}Z`)

describe("a second-factor code", () => {
  it.each([
    ["123456", { kind: "app", code: "123456" }],
    [" 123 456 ", { kind: "app", code: "123456" }],
    ["12345", null],
    ["1234567", null],
    ["7hk2m-q9t4x", { kind: "recovery", code: "7HK2MQ9T4X" }],
    ["7HK2M Q9T4X", { kind: "recovery", code: "7HK2MQ9T4X" }],
    ["OIL2M-Q9T4X", { kind: "recovery", code: "0112MQ9T4X" }],
    ["7HK2U-Q9T4X", null],
    ["١٢٣٤٥٦", null],
    ["", null],
  ])("typed as %j is read as %j", (typed, read) => expect(readCode(typed)).toEqual(read))

  it("is accepted once per half minute, and only if newer than the last accepted code", () => {
    expect(isStepUnused(100, null)).toBe(true)
    expect(isStepUnused(101, 100)).toBe(true)
    expect(isStepUnused(100, 100)).toBe(false)
    expect(isStepUnused(99, 100)).toBe(false)
  })

  it("is displayed in two halves", () => expect(formatRecoveryCode("7HK2MQ9T4X")).toBe("7HK2M-Q9T4X"))
})

it("a second factor is required of every user, of chosen roles, or of no user", () => {
  const rule = (secondFactorOf: "nobody" | "everybody" | "roles") =>
    ({ secondFactorOf, secondFactorRoles: ["admin", "manager"] }) as const
  for (const role of ["admin", "underwriter", null] as const) {
    expect(mustHaveSecondFactor(role, rule("nobody"))).toBe(false)
    expect(mustHaveSecondFactor(role, rule("everybody"))).toBe(true)
    expect(mustHaveSecondFactor(role, rule("roles"))).toBe(role === "admin")
  }
})

it("a partial session expires after ten minutes for a code and thirty for a set-up", () => {
  expect(isPartialSessionValid("second_factor", instantAt("08:00"), instantAt("08:09:59"))).toBe(true)
  expect(isPartialSessionValid("second_factor", instantAt("08:00"), instantAt("08:10"))).toBe(false)
  expect(isPartialSessionValid("enrolment", instantAt("08:00"), instantAt("08:29:59"))).toBe(true)
  expect(isPartialSessionValid("enrolment", instantAt("08:00"), instantAt("08:30"))).toBe(false)
})

it("a proof of identity is valid for ten minutes", () => {
  expect(isProven(instantAt("08:00"), instantAt("08:09:59"))).toBe(true)
  expect(isProven(instantAt("08:00"), instantAt("08:10"))).toBe(false)
})

it.each([
  ["41.13.0.5", true],
  ["196.25.0.0/16", true],
  ["2001:db8::1", true],
  ["2001:db8::/32", true],
  ["0.0.0.0/0", true],
  ["41.13.0", false],
  ["41.13.0.256", false],
  ["41.13.0.5/33", false],
  ["41.13.0.5/", false],
  ["2001:db8::/129", false],
  ["office", false],
])("%s is an address or a network: %s", (text, fits) => expect(addressOrNetwork.safeParse(text).success).toBe(fits))

it.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
    "Chrome on Windows",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari on an iPhone",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox on Linux"],
  ["curl/8.5.0", "An unknown device"],
  [null, "An unknown device"],
])("the user agent %s is shown as %s", (userAgent, name) => expect(deviceName(userAgent)).toBe(name))

it.each([
  ["python-requests/2.32.3", "A program (python-requests)"],
  ["node", "A program (node)"],
  ["", "A program"],
  [null, "A program"],
])("the program with user agent %s is shown as %s", (userAgent, name) => expect(programName(userAgent)).toBe(name))
