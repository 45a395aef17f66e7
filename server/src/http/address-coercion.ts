import { SmartCoercionPlugin } from "@orpc/json-schema"
import type { Context } from "@orpc/server"
import type { StandardHandlerOptions } from "@orpc/server/standard"

/** Parses numbers and booleans in paths and queries only. In a body, rands sent as text would be read as cents. */
export class AddressCoercionPlugin<T extends Context> extends SmartCoercionPlugin<T> {
  override init(options: StandardHandlerOptions<T>): void {
    const own: StandardHandlerOptions<T> = {}
    super.init(own)
    const [coerce] = own.clientInterceptors!
    options.clientInterceptors ??= []
    options.clientInterceptors.unshift((call) =>
      call.procedure["~orpc"].route.method === "GET" ? coerce!(call) : call.next(),
    )
  }
}
