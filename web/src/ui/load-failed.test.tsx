import { ORPCError } from "@orpc/client"
import { screen } from "@testing-library/react"
import { expect, it } from "vitest"
import { openComponent } from "../test/part.tsx"
import { LoadFailed } from "./load-failed.tsx"

const texts = { title: "Failed to load claim data", notFound: "Claim not found", onRetry: () => {} }

it("shows a failed load in place and in a toast titled Error", async () => {
  await openComponent(() => <LoadFailed {...texts} error={new TypeError("Failed to fetch")} />)
  expect(await screen.findAllByText(texts.title)).toHaveLength(2)
  expect(screen.getByText("Error").closest("[data-tone]")?.getAttribute("data-tone")).toBe("error")
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy()
})

it("replaces only the missing record with “not found”", async () => {
  await openComponent(() => <LoadFailed {...texts} error={new ORPCError("NOT_FOUND", { defined: true })} />)
  expect(await screen.findAllByText(texts.notFound)).toHaveLength(1)
  expect(screen.queryByText(texts.title)).toBeNull()
  expect(screen.queryByText("Error")).toBeNull()
})
