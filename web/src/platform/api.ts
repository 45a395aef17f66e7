import type { Contract } from "@milkwood/domain/contract"
import { backgroundHeader } from "@milkwood/domain/platform/background"
import type { ClientLink } from "@orpc/client"
import { createORPCClient } from "@orpc/client"
import type { ContractRouterClient } from "@orpc/contract"
import {
  createTanstackQueryUtils,
  TANSTACK_QUERY_OPERATION_CONTEXT_SYMBOL,
  type TanstackQueryOperationContext,
} from "@orpc/tanstack-query"
import { hashKey } from "@tanstack/react-query"
import { reportAnswer } from "./connection.ts"
import { isUnreachable, refusalOf, requiredProofOf } from "./errors.ts"
import { requestProof } from "./proof.ts"

/** `background: true` marks a call that no user triggered (polling): it does not extend the session. */
export type CallContext = { background?: boolean } & TanstackQueryOperationContext

export type Client = ContractRouterClient<Contract, CallContext>

export const silentlyRefetchedPaths = new Set<string>()

function isBackground(context: CallContext): boolean {
  const operation = context[TANSTACK_QUERY_OPERATION_CONTEXT_SYMBOL]
  return context.background === true || (operation !== undefined && silentlyRefetchedPaths.has(hashKey(operation.key)))
}

/**
 * Plain JSON, as `/rpc` accepts it (json-answers.test.ts). oRPC's own link also supports dates, maps, files and
 * streams, but adds 10 KB to the first page.
 */
export const createLink = (post: (path: string, init: RequestInit) => Promise<Response>): ClientLink<CallContext> => ({
  async call(path, input, { context, signal }) {
    const answer = await post(`/rpc/${path.join("/")}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(isBackground(context) && { [backgroundHeader]: "1" }) },
      body: JSON.stringify({ json: input }),
      signal: signal ?? null,
    })
    // A proxy's error is not JSON in the server's format.
    const { json } = (await answer.json().catch(() => ({}))) as { json?: unknown }
    if (!answer.ok) throw refusalOf(answer.status, json)
    return json
  },
})

export const transport: { link: ClientLink<CallContext> } = { link: createLink((path, init) => fetch(path, init)) }

type Call = ClientLink<CallContext>["call"]

const callServer: Call = async (path, input, options) => {
  try {
    const output = await transport.link.call(path, input, options)
    reportAnswer(true)
    return output
  } catch (error) {
    const cancelled = options.signal?.aborted === true
    if (!cancelled) reportAnswer(!isUnreachable(error))
    throw error
  }
}

/**
 * The typed API, for calls outside queries and mutations. A call refused with PROOF_REQUIRED is repeated after the
 * user's proof; its caller does not notice.
 */
export const client: Client = createORPCClient<Client>({
  call: (path, input, options) =>
    callServer(path, input, options).catch(async (error: unknown) => {
      const by = requiredProofOf(error)
      if (!by || !(await requestProof(by))) throw error
      return callServer(path, input, options)
    }),
})

/**
 * The API as TanStack Query options.
 *
 *     useQuery(api.claims.detail.queryOptions({ input: { claimId } }))
 *     useMutation(api.claims.submit.mutationOptions())        // or, with toasts and refreshing: useCommand
 *     queryClient.invalidateQueries({ queryKey: api.claims.key() })
 */
export const api = createTanstackQueryUtils(client)

/** An idempotency key for a request that moves money. Create it when the form opens, and reuse it for every retry. */
export const newKey = (): string => crypto.randomUUID()
