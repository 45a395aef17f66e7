/**
 * The columns of a staff list: which of a file's headers stands for which of a member's fields. Required columns are
 * those of the specification (Bulk import: First Name, Last Name, ID Number, Email, Group Policy).
 */
export const listFields = [
  "firstName",
  "lastName",
  "idNumber",
  "email",
  "groupPolicy",
  "passportNumber",
  "phone",
  "dateOfBirth",
  "gender",
  "tier",
  "startOn",
  "jobTitle",
  "employmentStatus",
  "employer",
  "address",
  "salary",
] as const
export type ListField = (typeof listFields)[number]

export const requiredListFields = ["firstName", "lastName", "idNumber", "email", "groupPolicy"] as const

export const listFieldLabels: Record<ListField, string> = {
  firstName: "First Name",
  lastName: "Last Name",
  idNumber: "ID Number",
  email: "Email",
  groupPolicy: "Group Policy",
  passportNumber: "Passport Number",
  phone: "Phone",
  dateOfBirth: "Date of Birth",
  gender: "Gender",
  tier: "Benefit Tier",
  startOn: "Start Date",
  jobTitle: "Job Title",
  employmentStatus: "Employment Status",
  employer: "Employer",
  address: "Address",
  salary: "Monthly Salary",
}

/** Header texts that payroll programs and people use, as `headerKey` writes them; the first field to claim one wins. */
const synonyms: Record<ListField, readonly string[]> = {
  firstName: words("firstname first name names forename forenames givenname givennames fname voornaam"),
  lastName: words("lastname surname familyname last sname lname van"),
  idNumber: words(
    "idnumber id idno idnr rsaid rsaidno rsaidnumber said saidno saidnumber identitynumber identityno identity nationalid nationalidnumber identitydocument idnommer",
  ),
  email: words("email emailaddress mail mailaddress emailid workemail contactemail epos eposadres"),
  groupPolicy: words(
    "grouppolicy policygroup group policy scheme schemename policynumber policyno groupname company employergroup",
  ),
  passportNumber: words("passport passportnumber passportno passportnr paspoort foreignid"),
  phone: words(
    "phone phonenumber phoneno telephone telephonenumber tel telno cell cellno cellnumber cellphone cellphonenumber mobile mobilenumber mobileno contactnumber contactno selfoon",
  ),
  dateOfBirth: words("dateofbirth dob birthdate birthday bdate born geboortedatum"),
  gender: words("gender sex geslag"),
  tier: words("benefittier tier plan planname option benefitoption benefitplan level coverlevel"),
  startOn: words(
    "startdate start joindate datejoined joiningdate dateofjoining joined coverstart coverstartdate commencementdate effectivedate inceptiondate begindatum",
  ),
  jobTitle: words("jobtitle title job position occupation role designation"),
  employmentStatus: words("employmentstatus employmenttype employeestatus contracttype"),
  employer: words("employer employername"),
  address: words("address physicaladdress homeaddress residentialaddress postaladdress streetaddress adres"),
  // A salary of a year stays unmapped: nobody should be rated by twelve times of it.
  salary: words(
    "monthlysalary salarypermonth salarymonthly basicsalary basicmonthlysalary grosssalary grossmonthlysalary pensionablesalary risksalary remuneration monthlyremuneration salary salaris maandsalaris maandelikssalaris",
  ),
}

const fieldOfHeader = new Map<string, ListField>(
  [...listFields].reverse().flatMap((field) => synonyms[field].map((word) => [word, field] as const)),
)

/** A header without case, accents, spaces and signs: "RSA ID No." is `rsaidno`, "E-mail address" `emailaddress`. */
export function headerKey(header: string): string {
  return header
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
}

/**
 * Which column stands for a field: the index of the file's column from 0; for the group also `"chosen"`, when no
 * column names it and every row belongs to the policy that was chosen at the upload.
 */
export type ColumnMapping = Partial<Record<ListField, number>> & { groupPolicyChosen?: boolean }

/** A group's remembered mapping: the header that was used for each field. */
export type RememberedMapping = Partial<Record<ListField, string>>

/**
 * The mapping to propose for these headers: what the group used last time where that header is there again, then the
 * usual synonyms. A column stands for one field at most.
 */
export function suggestMapping(headers: readonly string[], remembered: RememberedMapping = {}): ColumnMapping {
  const keys = headers.map(headerKey)
  const mapping: ColumnMapping = {}
  const taken = new Set<number>()
  const claim = (field: ListField, column: number) => {
    if (column < 0 || taken.has(column) || mapping[field] !== undefined) return
    mapping[field] = column
    taken.add(column)
  }
  for (const field of listFields) {
    const header = remembered[field]
    if (header) claim(field, keys.indexOf(headerKey(header)))
  }
  for (const field of listFields) {
    // The order of the synonyms is the order of preference: "Group Policy" before "Company".
    for (const word of synonyms[field]) claim(field, keys.indexOf(word))
  }
  return mapping
}

/** What to remember of a mapping: headers, since the next file may have its columns in another order. */
export function rememberMapping(headers: readonly string[], mapping: ColumnMapping): RememberedMapping {
  const remembered: RememberedMapping = {}
  for (const field of listFields) {
    const header = headers[mapping[field] ?? -1]
    if (header) remembered[field] = header
  }
  return remembered
}

/**
 * The required fields that a mapping leaves out. A passport column stands in for the ID number's; the group counts as
 * given when it was said that every row belongs to the chosen policy.
 */
export function missingColumns(mapping: ColumnMapping): ListField[] {
  return requiredListFields.filter((field) => {
    if (mapping[field] !== undefined) return false
    if (field === "idNumber") return mapping.passportNumber === undefined
    if (field === "groupPolicy") return mapping.groupPolicyChosen !== true
    return true
  })
}

/** How many different fields the cells of a row name, as a header would. */
export function headerHits(cells: readonly string[]): number {
  const fields = new Set<ListField>()
  for (const cell of cells) {
    const field = fieldOfHeader.get(headerKey(cell))
    if (field) fields.add(field)
  }
  return fields.size
}

/** In how many of a sheet's first rows the header is looked for. */
const headerSearchRows = 40

/**
 * Finds the header below titles and notes: the row among the first forty that names the most fields. Where none names
 * two, it is the first row with two filled cells, for the user to map by hand. `row` is an index from 0; -1 where the
 * sheet has no such row.
 */
export function findHeader(rows: readonly { cells: readonly string[] }[]): { row: number; hits: number } {
  let best = { row: -1, hits: 1 }
  for (const [row, { cells }] of rows.slice(0, headerSearchRows).entries()) {
    const hits = headerHits(cells)
    if (hits > best.hits) best = { row, hits }
  }
  if (best.row >= 0) return best
  return { row: rows.findIndex(({ cells }) => cells.filter((cell) => cell.trim()).length >= 2), hits: 0 }
}

function words(text: string): string[] {
  return text.split(" ")
}
