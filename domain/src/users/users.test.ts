import { describe, expect, it } from "vitest"
import {
  hasPermission,
  type PermissionName,
  permissions,
  permissionsOf,
  type Role,
  roles,
} from "../platform/permission.ts"
import { checkLink, linkHours, linkKinds, linkUrl } from "./account-link.ts"
import type { PasswordPolicy } from "./password-policies.ts"
import { isCommonPassword, passwordProblems } from "./password-policy.ts"
import { isSessionExtending, isSessionValid } from "./session.ts"
import { type Failures, signInLimits, signInWaitSeconds } from "./sign-in-limits.ts"
import { type Account, allowedUserActions, changeRole, disable, initialsOf, userStatus } from "./user.ts"
import { userSentences } from "./user-facts.ts"
import { email, personName } from "./user-shape.ts"

const at = (text: string) => Temporal.Instant.from(`2026-11-02T${text}Z`)

describe("password policy", () => {
  const length8 = "Use at least 8 characters"
  const length12 = "Use at least 12 characters"
  const lower = "Add a lower case letter"
  const upper = "Add an upper case letter"
  const digit = "Add a digit"
  const special = "Add a special character, such as ! or #"
  const common = "Choose a less common password"
  const own = "Do not use your name or e-mail address"

  it.each<[PasswordPolicy, string, string[]]>([
    ["basic", "tafelbaai", []],
    ["basic", "tafelba", [length8]],
    ["basic", "", [length8]],
    ["medium", "tafelbaai", [special]],
    ["medium", "tafel-baai", []],
    ["medium", "tafel b", [length8, special]],
    ["strong", "Tafelbaai-1652", []],
    ["strong", "Tafelbaai-16", []],
    ["strong", "Tafelbaai-1", [length12]],
    ["strong", "tafelbaai-1652", [upper]],
    ["strong", "TAFELBAAI-1652", [lower]],
    ["strong", "Tafelbaai-aan-see", [digit]],
    ["strong", "Tafelbaai1652", [special]],
    ["strong", "Tafel baai 1652", [special]],
    ["strong", "short", [length12, upper, digit, special]],
    ["strong", "Ümläut-straße-9", []],
    ["basic", "password", [common]],
    ["basic", "PASSWORD1", [common]],
    ["medium", "P@ssw0rd!", [common]],
    ["strong", "Password123!", [common]],
    ["strong", "Welcome2024!!", [common]],
    ["strong", "!!Johannesburg2010", [common]],
    ["basic", "12345678", [common]],
    ["basic", "87654321", [common]],
    ["basic", "aaaaaaaa", [common]],
    ["basic", "abcabcabc", [common]],
    ["basic", "qwertyuiop", [common]],
    ["strong", "Sipho.Ndlovu-2026", [own]],
    ["basic", "mokoena99", [own]],
    ["basic", "x".repeat(300), ["Use at most 256 characters", common]],
  ])("%s: %s", (policy, password, reasons) => {
    expect(passwordProblems(password, policy, ["Sipho Ndlovu", "mokoena@acme.example"])).toEqual(reasons)
  })

  it.each([
    "Jacaranda-77-avenue",
    "correct battery horse",
    "blou-krans-pas",
    "Fynbos&Proteas8",
    "1652tafelbaai",
  ])("does not treat %s as common", (password) => expect(isCommonPassword(password)).toBe(false))
})

describe("a session", () => {
  it.each<[string, string, string, number, boolean]>([
    ["just begun", "12:00:00", "12:00:00", 60, true],
    ["used a moment before the time-out", "08:00:00", "11:00:01", 60, true],
    ["idle for exactly the time-out", "08:00:00", "11:00:00", 60, false],
    ["idle beyond a shorter time-out", "08:00:00", "11:50:00", 10, false],
    ["within a longer one", "08:00:00", "08:00:00", 241, true],
    ["busy to the end of twelve hours", "00:00:00", "11:59:59", 60, false],
    ["busy just before", "00:00:01", "11:59:59", 60, true],
  ])("%s", (_, started, active, idleMinutes, holds) => {
    expect(isSessionValid({ startedAt: at(started), lastActiveAt: at(active) }, at("12:00:00"), idleMinutes)).toBe(
      holds,
    )
  })

  it.each<[string, string, boolean, boolean]>([
    ["a person, a minute later", "11:59:00", true, true],
    ["a person, within the minute", "11:59:01", true, false],
    ["a background call", "11:00:00", false, false],
  ])("is extended by: %s", (_, active, isUserRequest, extended) => {
    const session = { startedAt: at("08:00:00"), lastActiveAt: at(active) }
    expect(isSessionExtending(session, at("12:00:00"), isUserRequest)).toBe(extended)
  })
})

describe("sign-in limits", () => {
  const none: Failures = {
    ofAccountFromAddress: 0,
    ofAddress: 0,
    accountFailuresFromUnknown: 0,
    addressIsKnown: false,
    secondsSinceLast: null,
  }
  const { perAccountAndAddress, perAddress, perAccountFromStrangers, slowedSeconds } = signInLimits
  it.each<[string, Partial<Failures>, number]>([
    ["nothing failed", {}, 0],
    ["one below the limit", { ofAccountFromAddress: perAccountAndAddress - 1 }, 0],
    ["the limit of account and address", { ofAccountFromAddress: perAccountAndAddress }, 900],
    ["the limit of the address, just now", { ofAddress: perAddress, secondsSinceLast: 0.4 }, slowedSeconds],
    ["the limit of the address, a while ago", { ofAddress: perAddress, secondsSinceLast: slowedSeconds }, 0],
    ["the limit of the address, from where the account is known", { ofAddress: 9999, addressIsKnown: true }, 0],
    [
      "strangers at the account, from a strange address",
      { accountFailuresFromUnknown: perAccountFromStrangers, secondsSinceLast: 10 },
      slowedSeconds - 10,
    ],
    [
      "strangers at the account, from its own",
      { accountFailuresFromUnknown: 9999, addressIsKnown: true, secondsSinceLast: 1 },
      0,
    ],
    ["its own address, guessing", { ofAccountFromAddress: perAccountAndAddress, addressIsKnown: true }, 900],
  ])("%s", (_, failures, wait) => expect(signInWaitSeconds({ ...none, ...failures })).toBe(wait))
})

describe("sign-in links", () => {
  const open = {
    kind: "invitation",
    expiresAt: at("12:00:00"),
    usedAt: null,
    revokedAt: null,
    isBacked: true,
  } as const
  it("work once before they expire, unless revoked or no longer backed", () => {
    expect(checkLink(open, at("11:59:59"))).toEqual(open)
    for (const link of [
      undefined,
      { ...open, usedAt: at("09:00:00") },
      { ...open, revokedAt: at("09:00:00") },
      { ...open, isBacked: false },
    ]) {
      expect(checkLink(link, at("11:00:00"))).toMatchObject({ refused: "LINK_INVALID" })
    }
    expect(checkLink(open, at("12:00:00"))).toMatchObject({ refused: "LINK_INVALID" })
  })
  it.each(linkKinds)("for %s have a page and a lifetime, and no server receives the token", (kind) => {
    expect(linkHours[kind]).toBeGreaterThan(0)
    const url = new URL(linkUrl("https://milkwood.example/", kind, "T0ken"))
    expect(url.hash).toBe("#T0ken")
    expect(url.pathname + url.search).not.toContain("T0ken")
  })
})

describe("accounts", () => {
  const account = (more: Partial<Account> = {}): Account => ({
    id: "a",
    role: "admin",
    disabledAt: null,
    emailVerified: true,
    ...more,
  })
  const off = "2026-01-01T00:00:00Z"

  it.each<[string, Partial<Account>, Role | null, string, number, string]>([
    ["another's role", { role: "manager" }, "underwriter", "me", 1, "ok"],
    ["one's own", { id: "me", role: "manager" }, "admin", "me", 2, "OWN_ACCOUNT"],
    ["one of two administrators", {}, "manager", "me", 2, "ok"],
    ["the last administrator", {}, "manager", "me", 1, "LAST_ADMINISTRATOR"],
    ["the last administrator, to none", {}, null, "me", 1, "LAST_ADMINISTRATOR"],
    ["the last administrator, to administrator", {}, "admin", "me", 1, "ok"],
    ["a disabled administrator", { disabledAt: off }, "manager", "me", 1, "ok"],
  ])("changing the role of %s", (_, more, to, actor, administrators, expected) => {
    const decision = changeRole(account(more), to, actor, administrators)
    if (expected === "ok") expect(decision).toBe(to)
    else expect(decision).toMatchObject({ refused: expected })
  })

  it.each<[string, Partial<Account>, string, number, string]>([
    ["another", { role: "manager" }, "me", 1, "ok"],
    ["oneself", { id: "me" }, "me", 3, "OWN_ACCOUNT"],
    ["one of two administrators", {}, "me", 2, "ok"],
    ["the last administrator", {}, "me", 1, "LAST_ADMINISTRATOR"],
  ])("disabling %s", (_, more, actor, administrators, expected) => {
    const decision = disable(account(more), actor, administrators)
    if (expected === "ok") expect(decision).toBe(true)
    else expect(decision).toMatchObject({ refused: expected })
  })

  it("have exactly the actions that the rules allow", () => {
    for (const role of [...roles, null]) {
      for (const disabledAt of [null, off]) {
        for (const id of ["me", "other"]) {
          for (const administrators of [1, 2]) {
            const one = account({ id, role, disabledAt })
            const actions = allowedUserActions({ ...one, secondFactor: "off" }, "me", administrators)
            const withFactor = allowedUserActions({ ...one, secondFactor: "on" }, "me", administrators)
            expect(withFactor.filter((action) => !actions.includes(action))).toEqual(
              id === "me" ? [] : ["resetSecondFactor"],
            )
            const changeable = changeRole(one, "manager", "me", administrators) === "manager"
            expect(actions.includes("setRole")).toBe(changeable)
            expect(actions.includes("disable")).toBe(disabledAt === null && disable(one, "me", administrators) === true)
            expect(actions.includes("enable")).toBe(disabledAt !== null)
            expect(actions.includes("setGroups")).toBe(role === "group_admin" || role === "policy_holder")
          }
        }
      }
    }
  })

  it("have a status by role, confirmation and disabling", () => {
    expect(userStatus({ emailVerified: false, disabledAt: null })).toBe("unconfirmed")
    expect(userStatus({ emailVerified: true, disabledAt: null })).toBe("active")
    expect(userStatus({ emailVerified: true, disabledAt: off })).toBe("disabled")
  })

  it.each([
    ["Sipho Ndlovu", "SN"],
    ["  thandi  van der Merwe ", "TM"],
    ["Madonna", "M"],
    ["info@acme.example", "I"],
    ["Élodie Ünal", "ÉÜ"],
    ["", "?"],
  ])("%s has the initials %s", (name, initials) => expect(initialsOf(name)).toBe(initials))

  it("have addresses in lower case and names on one line", () => {
    expect(email.parse("  Sipho@Acme.Example ")).toBe("sipho@acme.example")
    for (const wrong of ["", "sipho", "a b@c.example", "x@y", `${"a".repeat(250)}@b.example`]) {
      expect(email.safeParse(wrong).success).toBe(false)
    }
    expect(personName.parse(" Sipho\n Dube ")).toBe("Sipho Dube")
    for (const wrong of ["", "  ", "\u200b", "x".repeat(201)]) expect(personName.safeParse(wrong).success).toBe(false)
  })
})

describe("permissions", () => {
  it("do not exist for an account without a role", () => {
    expect(permissionsOf(null)).toEqual([])
    for (const name of Object.keys(permissions) as PermissionName[]) expect(hasPermission(null, name)).toBe(false)
  })
  it.each([
    "users.manage",
    "settings.manage",
    "outbox.read",
    "audit.read",
    "privacy.manage",
  ] as const)("reserve %s for administrators", (name) => {
    expect(roles.filter((role) => hasPermission(role, name))).toEqual(["admin"])
  })
})

it("every user fact has a sentence, which contains no e-mail address", () => {
  const fact = {
    record: { kind: "user", id: "u", label: "Sipho" },
    groupId: null,
    before: { name: "A", role: null, groupIds: [] },
    after: { name: "B", role: "admin", groupIds: ["g"], email: "secret@acme.example" },
  }
  for (const say of Object.values(userSentences)) {
    const sentence = (say as (fact: unknown) => string)(fact)
    expect(sentence).toMatch(/^[a-z]/)
    expect(sentence).not.toContain("@")
  }
})
