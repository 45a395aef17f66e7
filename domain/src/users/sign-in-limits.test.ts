import { expect, it } from "vitest"
import { checkMailRequest } from "./sign-in-limits.ts"

it.each([
  ["mails the first request", { ofEmail: 0, ofAddress: 0, secondsSinceLast: null }, { mayMail: true }],
  ["mails nothing after three to one address", { ofEmail: 3, ofAddress: 3, secondsSinceLast: 1 }, { mayMail: false }],
  ["slows the 21st request of an office", { ofEmail: 0, ofAddress: 20, secondsSinceLast: 10 }, { waitSeconds: 20 }],
  ["takes it after the wait", { ofEmail: 0, ofAddress: 20, secondsSinceLast: 30 }, { mayMail: true }],
])("a request for a sign-in link: %s", (_title, requests, step) => {
  expect(checkMailRequest({ addressIsKnown: false, ...requests })).toEqual(step)
})

it("an account known at an office is not slowed by other accounts' failures there", () => {
  const requests = { ofEmail: 0, ofAddress: 500, secondsSinceLast: 0, addressIsKnown: true }
  expect(checkMailRequest(requests)).toEqual({ mayMail: true })
})
