import { index, layout, rootRoute, route } from "@tanstack/virtual-file-routes"

/** The address book: every page of the product, an explicit line each. Whatever is not here is the not-found page. */
export const routes = rootRoute("shell/root.tsx", [
  // Pages for anybody: sign-in, set-up, invitations.
  route("/auth", "users/pages/auth.tsx"),
  route("/forgot-password", "users/pages/forgot-password.tsx"),
  route("/reset-password", "users/pages/reset-password.tsx"),
  route("/confirm-email", "users/pages/confirm-email.tsx"),
  route("/accept-invitation", "users/pages/accept-invitation.tsx"),
  route("/setup", "users/pages/setup.tsx"),
  // Pages behind the sign-in guard, inside the frame.
  layout("_app", "shell/app.tsx", [
    index("reports/pages/dashboard.tsx"),
    route("/profile", "users/pages/profile.tsx"),
    route("/members/import", "members/pages/import.tsx"),
    route("/members/import/$importId", "members/pages/import-one.tsx"),
    route("/benefits", "benefits/pages/index.tsx"),
    route("/invoices", "billing/pages/index.tsx"),
    route("/invoices/generate", "billing/pages/generate.tsx"),
    route("/invoices/$invoiceId", "billing/pages/invoice.tsx"),
    route("/invoices/$invoiceId/edit", "billing/pages/edit.tsx"),
    route("/finance/receipting", "receipts/pages/index.tsx"),
    route("/finance/receipting/$receiptId", "receipts/pages/$receiptId.tsx"),
    route("/finance/claims-payments", "payouts/pages/index.tsx"),
    route("/finance/claims-payments/$payoutId", "payouts/pages/$payoutId.tsx"),
    route("/finance/trial-balance", "ledger/pages/trial-balance.tsx"),
    route("/reports", "reports/pages/index.tsx"),
    route("/reports/debtors-ageing", "reports/pages/debtors-ageing.tsx"),
    route("/claims", "claims/pages/index.tsx"),
    route("/claims/new", "claims/pages/new.tsx"),
    route("/claims/pending", "claims/pages/pending.tsx"),
    route("/claims/$claimId", "claims/pages/$claimId.index.tsx"),
    route("/claims/$claimId/edit", "claims/pages/$claimId.edit.tsx"),
    route("/claims/$claimId/approve", "claims/pages/$claimId.approve.tsx"),
    route("/settings", "settings/pages/settings.tsx", [
      index("settings/pages/general.tsx"),
      route("/users", "users/pages/settings-users.tsx"),
      route("/email", "settings/pages/email.tsx"),
      route("/security", "settings/pages/security.tsx"),
    ]),
    route("/settings/email/$mailId", "settings/pages/mail.tsx"),
  ]),
])
