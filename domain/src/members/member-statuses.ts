// Apart from the shapes, so that the address book of the screens needs no validator.

export const memberStatuses = ["Pending", "Active", "Suspended", "Terminated"] as const
export type MemberStatus = (typeof memberStatuses)[number]

/** What a member's row may still lack, and the wording of every field for lists and the trail. */
export const memberLabels: Record<string, string> = {
  firstName: "First name",
  lastName: "Last name",
  idNumber: "ID number",
  passportNumber: "Passport number",
  dateOfBirth: "Date of birth",
  gender: "Gender",
  email: "Email",
  phone: "Phone",
  address: "Address",
  employmentStatus: "Employment status",
  employer: "Employer",
  jobTitle: "Job title",
  tierId: "Benefit tier",
  tierName: "Benefit tier",
  startOn: "Start date",
  dependents: "Dependents",
  dependentIdNumbers: "Dependents' ID numbers",
}
