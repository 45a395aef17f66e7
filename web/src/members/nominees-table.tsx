import { Table } from "@mantine/core"
import { formatShare } from "@milkwood/domain/kernel/shares"
import { nomineeRelationshipNames } from "@milkwood/domain/members/nomination"
import type { NominationDetail } from "@milkwood/domain/members/nominations.contract"
import { DayText } from "../ui/day.tsx"
import classes from "./members.module.css"

export function NomineesTable({ nominees }: { nominees: NominationDetail["nominees"] }) {
  return (
    <Table className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Relationship</Table.Th>
          <Table.Th ta="right">Share</Table.Th>
          <Table.Th>ID number or birth</Table.Th>
          <Table.Th>Contact</Table.Th>
          <Table.Th>Bank account</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {nominees.map((nominee) => {
          const { name, relationship, shareBasisPoints, idNumber, dateOfBirth, birthYear, phone, email } = nominee
          const { bank, accountNumber } = nominee
          return (
            <Table.Tr key={nominee.id}>
              <Table.Td data-label="Name">{name}</Table.Td>
              <Table.Td data-label="Relationship">{nomineeRelationshipNames[relationship]}</Table.Td>
              <Table.Td data-label="Share" ta="right" className="tabular">
                {formatShare(shareBasisPoints)}
              </Table.Td>
              <Table.Td data-label="ID number or birth" className="tabular">
                {idNumber ?? (dateOfBirth ? <DayText day={dateOfBirth} /> : (birthYear ?? "–"))}
              </Table.Td>
              <Table.Td data-label="Contact">{[phone, email].filter(Boolean).join(", ") || "–"}</Table.Td>
              <Table.Td data-label="Bank account" className="tabular">
                {accountNumber ? `${bank}, ${accountNumber}` : "–"}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
