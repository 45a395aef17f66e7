import { screen } from "@testing-library/react"
import { vi } from "vitest"
import type { openPage } from "../test/page.tsx"

type User = Awaited<ReturnType<typeof openPage>>["user"]
export const chooseOption = async (user: User, field: string | RegExp, option: string | RegExp) => {
  await user.click(await screen.findByRole("combobox", { name: field }))
  await user.click(await screen.findByRole("option", { name: option }))
}
export const findFileChooser = () => screen.findByLabelText<HTMLInputElement>("Upload documents", { selector: "input" })
export function mockUploads(fate: "refused" | "under way"): FormData[] {
  const sent: FormData[] = []
  class FakeRequest {
    upload = {}
    status = 500
    onload = () => {}
    open() {}
    abort() {}
    send(body: FormData) {
      sent.push(body)
      if (fate === "refused") setTimeout(() => this.onload())
    }
  }
  vi.stubGlobal("XMLHttpRequest", FakeRequest)
  return sent
}
