import { ORPCError } from "@orpc/client"
import { QueryClientProvider } from "@tanstack/react-query"
import { act, renderHook, screen, waitFor } from "@testing-library/react"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  useBenefitCommands,
  useProductBenefitCommands,
  useProductTypeCommands,
  useTierCommands,
} from "../benefits/benefits.api.ts"
import { useInvoiceCommands } from "../billing/billing.api.ts"
import { useDecide, useSubmit } from "../claims/claims.api.ts"
import { useMemberCommands } from "../members/members.api.ts"
import { sessionQuery } from "../platform/session.ts"
import { useGenerateReport, useScheduleCommands } from "../reports/reports.api.ts"
import { openPage, openTestApp, type TestApp } from "./page.tsx"

let testApp: TestApp
beforeAll(async () => {
  testApp = await openTestApp()
})
afterAll(() => testApp.close())

const refuseCall = () => Promise.reject(new ORPCError("FORBIDDEN", { defined: true, message: "Not today." }))
const id = "01990000-0000-7000-8000-000000000001"

describe("a page that failed to load shows its error", () => {
  test.each([
    ["/members/ID", "members.detail", "Failed to load member data"],
    ["/claims/ID", "claims.detail", "Failed to load claim data"],
    ["/claims", "claims.list", "Failed to load claims data"],
    ["/claims/pending", "claims.pending", "Failed to load claims data"],
    ["/benefits", "benefits.productTypes.list", "Failed to fetch product types"],
    ["/benefits?tab=benefits", "benefits.benefits.list", "Failed to fetch benefits"],
    ["/benefits?tab=configuration", "benefits.productBenefits.list", "Failed to fetch product benefits"],
    ["/invoices", "billing.list", "Failed to load invoices data"],
    ["/invoices/ID", "billing.detail", "Failed to load invoice data"],
    ["/finance/claims-payments", "payouts.list", "Failed to load claims payments"],
    ["/finance/premium-refunds", "refunds.list", "Failed to load premium refunds"],
    ["/reports/scheduled", "reports.schedules", "Failed to load scheduled reports."],
  ])("%s, %s: %s", async (path, failing, words) => {
    let asked = false
    await openPage(testApp, testApp.people.manager, path.replace("ID", id), (procedure) => {
      if (procedure !== failing) return
      asked = true
      return refuseCall()
    })
    await waitFor(() => expect(screen.queryAllByText(words), `${failing} asked: ${asked}`).toHaveLength(2))
    expect(screen.getByText("Error")).toBeTruthy()
  })
})

describe("a loading page shows its loading text", () => {
  test.each([
    ["/claims/ID", "claims.detail", "Loading claim data..."],
    ["/invoices/ID", "billing.detail", "Loading invoice details..."],
    ["/finance/premium-refunds", "refunds.list", "Loading premium refunds..."],
  ])("%s, %s: %s", async (path, held, words) => {
    await openPage(testApp, testApp.people.manager, path.replace("ID", id), (procedure) =>
      procedure === held ? new Promise(() => {}) : undefined,
    )
    await screen.findByText(words)
  })
})

test("a spinner is shown while the session is loading", async () => {
  await openPage(testApp, testApp.people.manager, "/claims", (procedure) =>
    procedure === "users.me" ? new Promise(() => {}) : undefined,
  )
  const waiting = await screen.findByText("Authenticating...")
  expect(waiting.parentElement!.querySelector(".mantine-Loader-root")).toBeTruthy()
  expect(screen.queryByRole("navigation")).toBeNull()
})

test("a profile stays on screen after a failed refresh", async () => {
  const { name } = testApp.people.manager
  let away = false
  let asked = 0
  const { queryClient } = await openPage(testApp, testApp.people.manager, "/profile", (procedure) => {
    if (!away || procedure !== "users.me") return
    asked += 1
    return refuseCall()
  })
  await screen.findByRole("heading", { name: "Profile" })
  away = true
  await act(async () => {
    await queryClient.refetchQueries({ queryKey: sessionQuery.queryKey })
    // Screens receive the event asynchronously.
    await new Promise((heard) => setTimeout(heard, 50))
  })
  expect(asked).toBe(1)
  expect(screen.getByRole("button", { name: new RegExp(name) })).toBeTruthy()
  expect(screen.getByRole("heading", { name: "Profile" })).toBeTruthy()
})

describe("a picker that failed to load shows its error", () => {
  test.each([
    ["/members/new?step=policy", "policies.pick", "Policies could not be loaded. Try again."],
    ["/members/new?step=policy", "benefits.choices", "The benefit tiers could not be loaded. Please try again."],
    ["/policies/new", "benefits.choices", "Product types could not be loaded. Try again."],
    ["/claims/new", "members.pick", "Not today."],
  ])("%s, %s: %s", async (path, failing, words) => {
    await openPage(testApp, testApp.people.manager, path, (procedure) =>
      procedure === failing ? refuseCall() : undefined,
    )
    await screen.findByText(words)
  })
})

describe("a failed command shows its error", () => {
  const commands: Record<string, () => { mutate: (input: never) => void }> = {
    "Failed to create member": () => useMemberCommands().create,
    "Failed to update member": () => useMemberCommands().update,
    "Failed to submit claim": () => useSubmit(() => {}),
    "Failed to process approval": () => useDecide({ setErrors: () => {} } as never, () => {}),
    "Failed to save product type": () => useProductTypeCommands().create,
    "Failed to save benefit": () => useBenefitCommands().create,
    "Failed to save product benefit": () => useProductBenefitCommands().create,
    "Failed to delete product type": () => useProductTypeCommands().remove,
    "Failed to delete product benefit": () => useProductBenefitCommands().remove,
    "Failed to save benefit tier": () => useTierCommands().create,
    "Failed to send invoice": () => useInvoiceCommands().send,
    "Failed to create report schedule. Please try again.": () => useScheduleCommands().create,
    "Failed to update schedule status.": () => useScheduleCommands().toggle,
    "Failed to delete schedule.": () => useScheduleCommands().remove,
    "Failed to generate report. Please try again.": () => useGenerateReport(),
  }
  test.each(Object.entries(commands))("%s", async (words, command) => {
    const { queryClient } = await openPage(testApp, testApp.people.manager, "/profile", (procedure) =>
      /^(members|claims|benefits|billing|reports)\./.test(procedure) ? refuseCall() : undefined,
    )
    const { result } = renderHook(command, {
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    })
    result.current.mutate({} as never)
    await screen.findByText(words)
    expect(screen.getByText("Error")).toBeTruthy()
  })
})
