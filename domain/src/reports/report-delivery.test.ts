import { describe, expect, test } from "vitest"
import { deliveryFor, maxAttachmentBytes, type RecipientAccount } from "./report-delivery.ts"

const reader: RecipientAccount = { mayRead: true, isDisabled: false }
const other: RecipientAccount = { mayRead: false, isDisabled: false }
const disabled: RecipientAccount = { mayRead: true, isDisabled: true }
const [outside, small, large] = [null, maxAttachmentBytes, maxAttachmentBytes + 1]

describe("the delivery of a scheduled report", () => {
  test.each([
    ["a reader", reader, false, false, small, "attachment"],
    ["a reader", reader, true, true, small, "link"],
    ["a reader", reader, false, true, large, "link"],
    ["an account that may not read it", other, false, true, small, "refused"],
    ["an account that may not read it", other, true, true, small, "refused"],
    ["a disabled account", disabled, false, true, small, "refused"],
    ["an outside address", outside, false, true, small, "attachment"],
    ["an outside address", outside, false, false, small, "refused"],
    ["an outside address", outside, true, true, small, "refused"],
    ["an outside address", outside, false, true, large, "refused"],
  ] as const)("to %s, medical: %s, outside attachments: %s, %i bytes, is %s", (_, account, isMedical, attachesOutside, bytes, kind) => {
    expect(deliveryFor(account, { isMedical, attachesOutside, bytes }).kind).toBe(kind)
  })

  test("the delivery kind is predicted before the file and its size exist", () => {
    expect(deliveryFor(null, { isMedical: false, attachesOutside: true }).kind).toBe("attachment")
  })
})
