import { Group, Table, Text } from "@mantine/core"
import { coverGapText, insuredKindNames } from "@milkwood/domain/benefits/benefit-terms"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../platform/api.ts"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { RecordLoading, SidePanel } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import classes from "./members.module.css"

const coverageQuery = (memberId: string, on: Day) => api.members.coverage.queryOptions({ input: { memberId, on } })

type Person = Awaited<ReturnType<typeof api.members.coverage.call>>["persons"][number]
type Benefit = Person["benefits"][number]

/** What the member and each dependent are covered for, on any day. */
export function MemberCoverage({ memberId }: { memberId: string }) {
  const { today } = useDisplay()
  const [on, setOn] = useState<Day | null>(today)
  const coverage = useQuery({ ...coverageQuery(memberId, on ?? today), placeholderData: keepPreviousData })
  return (
    <SidePanel title="Covered for">
      <DayInput label="On" w={180} value={on} onChange={setOn} mb="sm" />
      {coverage.isPending && <RecordLoading words="Loading cover..." />}
      {coverage.isError && (
        <LoadFailed title="Failed to load cover" error={coverage.error} onRetry={coverage.refetch} />
      )}
      {coverage.data && (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {coverage.data.productType ?? "No product type"}, {coverage.data.tier} tier
          </Text>
          {coverage.data.persons.map((person) => (
            <PersonCoverage key={person.dependentId ?? memberId} person={person} />
          ))}
        </>
      )}
    </SidePanel>
  )
}

function PersonCoverage({ person }: { person: Person }) {
  const { name, insured, age, cover, benefits } = person
  return (
    <section aria-label={`Cover of ${name}`} className={classes.person}>
      <Group gap="xs" mb={4}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {insuredKindNames[insured]}
          {age !== null && `, ${age} years`}
        </Text>
        {cover !== "covered" && (
          <StatusBadge
            status={cover === "suspended" ? "suspended" : "terminated"}
            label={cover === "suspended" ? "Suspended" : "No cover on this day"}
          />
        )}
      </Group>
      {benefits.length === 0 ? (
        <Text c="dimmed">The product type has no benefits.</Text>
      ) : (
        <Table className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Benefit</Table.Th>
              <Table.Th>Cover</Table.Th>
              <Table.Th>Covered since</Table.Th>
              <Table.Th>Claimable from</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {benefits.map((benefit) => (
              <Table.Tr key={benefit.benefitId}>
                <Table.Td data-label="Benefit">{benefit.benefit}</Table.Td>
                <Table.Td data-label="Cover">
                  <BenefitCover benefit={benefit} insured={insured} />
                </Table.Td>
                <Table.Td data-label="Covered since">
                  <DayText day={benefit.gap ? null : benefit.coveredSince} />
                </Table.Td>
                <Table.Td data-label="Claimable from">
                  <DayText day={benefit.gap ? null : benefit.claimableFrom} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  )
}

function BenefitCover({ benefit, insured }: { benefit: Benefit; insured: Person["insured"] }) {
  const { currency } = useDisplay()
  const { gap, maxCoverCents, salaryMultiple, coverPercentage, incidentLimitCents, yearLimitCents, coverYear } = benefit
  const { childCapCents } = benefit
  if (gap) return <Text c="dimmed">{coverGapText(gap, insured)}</Text>
  const multiple = salaryMultiple === null ? "" : `${salaryMultiple} × monthly salary`
  const lines = [
    coverPercentage < 100 && `${coverPercentage} % of the claimed amount`,
    multiple && maxCoverCents !== null && multiple,
    incidentLimitCents !== null && `At most ${formatMoney(incidentLimitCents, currency)} per incident`,
    yearLimitCents !== null && `At most ${formatMoney(yearLimitCents, currency)} per ${coverYear} year`,
    childCapCents !== null && `On death at most ${formatMoney(childCapCents, currency)} from all policies`,
  ].filter((line) => line !== false && line !== "")
  return (
    <div>
      {maxCoverCents === null ? multiple : maxCoverCents > 0 ? formatMoney(maxCoverCents, currency) : "No maximum"}
      {lines.map((line) => (
        <Text key={line as string} size="xs" c="dimmed">
          {line}
        </Text>
      ))}
    </div>
  )
}
