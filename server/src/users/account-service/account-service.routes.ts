import { keySetSeconds } from "@milkwood/domain/users/account-service"
import { bodies } from "@milkwood/domain/users/account-service-shape"
import { call } from "@orpc/server"
import type { HttpRoute } from "../../http/file-route.ts"
import { requestPasswordReset } from "../reset-password.ts"
import { resendConfirmation } from "../sign-up.ts"
import { changeAccount, showAccount, verifyLink } from "./account.ts"
import { endpoint } from "./endpoint.ts"
import { challenge, enrol, removeFactor, verifyFactor } from "./factors.ts"
import { Problem } from "./problems.ts"
import { refreshTokens } from "./program-sessions.ts"
import { signInProgram, signOutProgram, signUpProgram } from "./sign-in.ts"
import { publishedKeys } from "./signing-keys.ts"

const offered: HttpRoute[] = [
  endpoint("POST", "/token", "Sign in, or renew a session with a refresh token", async (asked) => {
    const { grant_type: grant } = asked.query
    if (grant === "password") return signInProgram(asked, asked.body(bodies.password))
    if (grant === "refresh_token") return refreshTokens(asked, asked.body(bodies.refresh).refresh_token)
    throw new Problem(400, "validation_failed", "grant_type must be password or refresh_token")
  }),
  endpoint("POST", "/signup", "Sign up", (asked) => signUpProgram(asked, asked.body(bodies.signUp))),
  endpoint("POST", "/logout", "Sign out", (asked) => signOutProgram(asked, asked.query.scope ?? "global"), {
    status: 204,
  }),
  endpoint("GET", "/user", "Read the signed-in user", showAccount),
  endpoint("PUT", "/user", "Change your name, address or password", (asked) =>
    changeAccount(asked, asked.body(bodies.user)),
  ),
  endpoint("POST", "/recover", "Request a new password", async ({ context, body }) =>
    call(requestPasswordReset, body(bodies.byEmail), { context }),
  ),
  endpoint("POST", "/resend", "Resend a sign-up link", async ({ context, body }) =>
    call(resendConfirmation, { email: body(bodies.resend).email }, { context }),
  ),
  endpoint("POST", "/verify", "Verify an emailed link", (asked) => verifyLink(asked, asked.body(bodies.verify))),
  endpoint("POST", "/factors", "Set up a second factor", (asked) => enrol(asked, asked.body(bodies.enrol))),
  endpoint("POST", "/factors/:id/challenge", "Create a challenge for a code", (asked) =>
    challenge(asked, asked.params.id!),
  ),
  endpoint("POST", "/factors/:id/verify", "Verify a code", (asked) =>
    verifyFactor(asked, asked.params.id!, asked.body(bodies.verifyFactor)),
  ),
  endpoint("DELETE", "/factors/:id", "Remove a second factor", (asked) => removeFactor(asked, asked.params.id!)),
  endpoint("GET", "/.well-known/jwks.json", "List the public signing keys", ({ app }) => publishedKeys(app), {
    headers: { "cache-control": `public, max-age=${keySetSeconds}` },
  }),
]

/** The rest of the protocol (`/otp`, `/sso`, `/admin/users` …) is refused. */
const notOffered = (["GET", "POST", "PUT", "PATCH", "DELETE"] as const).map((method) =>
  endpoint(method, "/*", "Not offered", async () => {
    throw new Problem(404, "not_found", "The account service has no such endpoint")
  }),
)

/** The account service for programs (docs/account-service.md). */
export const accountServiceRoutes: HttpRoute[] = [...offered, ...notOffered]
