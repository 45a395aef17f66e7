import type { contract } from "@milkwood/domain/contract"
import { createORPCClient } from "@orpc/client"
import type { ContractRouterClient } from "@orpc/contract"
import type { Page } from "@playwright/test"

export type ApiClient = ContractRouterClient<typeof contract>

/** The API with the session of the page, to set up what a journey is not about. */
export const apiOf = (page: Page): ApiClient =>
  createORPCClient<ApiClient>({
    async call(path, input) {
      const answer = await page.request.post(`/rpc/${path.join("/")}`, { data: { json: input } })
      const { json } = (await answer.json()) as { json: unknown }
      if (!answer.ok()) throw new Error(`${path.join(".")}: ${answer.status()} ${JSON.stringify(json)}`)
      return json
    },
  })
