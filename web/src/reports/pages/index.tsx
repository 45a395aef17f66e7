import { Button, Group } from "@mantine/core"
import { IconDownload } from "@tabler/icons-react"
import { createFileRoute, Link } from "@tanstack/react-router"
import { PageHeader } from "../../ui/page-header.tsx"
import classes from "../catalogue.module.css"
import { catalogue } from "../catalogue.ts"

export const Route = createFileRoute("/_app/reports")({
  staticData: { permission: "reports.financial" },
  component: ReportsPage,
})

/** The catalogue: every report that there is, by category. */
function ReportsPage() {
  return (
    <>
      <PageHeader title="Reports & Analytics" />
      {catalogue.map(({ category, reports }) => (
        <section key={category} aria-label={category}>
          <h2 className={classes.category}>{category}</h2>
          <ul className={classes.reports}>
            {reports.map(({ name, description, link, file }) => (
              <li key={name} className={classes.report}>
                <div>
                  <h3 className={classes.name}>
                    <Link {...link}>{name}</Link>
                  </h3>
                  <p className={classes.description}>{description}</p>
                </div>
                <Group gap="xs" wrap="nowrap">
                  <Button component="a" href={file} download variant="default" leftSection={<IconDownload size={16} />}>
                    CSV
                  </Button>
                  <Button renderRoot={(props) => <Link {...props} {...link} />}>Open</Button>
                </Group>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
