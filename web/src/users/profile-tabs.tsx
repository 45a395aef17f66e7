import { PageHeader } from "../ui/page-header.tsx"
import { PageTabs } from "../ui/page-tabs.tsx"

export function ProfileHead({ page, subtitle }: { page: "/profile" | "/profile/sign-in"; subtitle: string }) {
  return (
    <>
      <PageHeader title="Profile" subtitle={subtitle} />
      <PageTabs
        label="Profile"
        tabs={[
          { label: "About you", link: { to: "/profile" }, active: page === "/profile" },
          { label: "Sign-in", link: { to: "/profile/sign-in" }, active: page === "/profile/sign-in" },
        ]}
      />
    </>
  )
}
