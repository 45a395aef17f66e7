import { describe, expect, it } from "vitest"
import { type MailServer, mailServerStep, noMailServer, ownAddresses, serverName } from "./mail-server.ts"

const server: MailServer = { ...noMailServer, host: "mail.umoya.test", user: "milkwood", sender: "cover@umoya.test" }

describe("mailServerStep", () => {
  it.each([
    ["keep", { ...server, sender: "other@umoya.test" }, true, 1],
    ["ask", { ...server, host: "mail.other.test" }, true, 1],
    ["ask", { ...server, port: 25 }, true, 2],
    ["ask", { ...server, user: "other" }, true, 1],
    ["ask", { ...server, encryption: "none" }, true, 1],
    ["ask", noMailServer, true, 1],
    ["hold", { ...server, host: "mail.other.test" }, true, 0],
    ["hold", noMailServer, true, 0],
    ["first", { ...server, host: "mail.other.test" }, false, 1],
  ] as const)("returns %s for %j", (step, after, hasDelivered, otherAdministrators) => {
    expect(mailServerStep(server, after, { hasDelivered, otherAdministrators })).toBe(step)
  })

  it("a first mail server needs confirmation if any mail was already delivered", () => {
    const others = { otherAdministrators: 1 }
    expect(mailServerStep(noMailServer, server, { ...others, hasDelivered: false })).toBe("first")
    expect(mailServerStep(noMailServer, server, { ...others, hasDelivered: true })).toBe("ask")
    expect(mailServerStep(noMailServer, { ...noMailServer, port: 25 }, { ...others, hasDelivered: true })).toBe("keep")
  })
})

it("formats the server's name and lists the addresses that the product sends from", () => {
  expect(ownAddresses(server)).toEqual(["cover@umoya.test"])
  expect(ownAddresses({ ...server, user: "box@umoya.test" })).toEqual(["cover@umoya.test", "box@umoya.test"])
  expect([serverName(server), serverName(noMailServer)]).toEqual(["mail.umoya.test:587", "no mail server"])
})
