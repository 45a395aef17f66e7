import { type FindHeader, HeaderWords } from "../kernel/header-words.ts"

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
  "employeeNumber",
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
  employeeNumber: "Employee Number",
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
  employeeNumber: words(
    "employeenumber employeeno employeenr employeeid employeecode empnumber empno empnr empid empcode payrollnumber payrollno payrollnr payrollid payrollcode paynumber payno staffnumber staffno staffnr staffid staffcode personnelnumber personnelno personnelnr workernumber workerno clocknumber clockno clockcardno companynumber companyno personeelnommer werknemernommer",
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

const header = new HeaderWords(synonyms)

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
  return header.suggest(headers, remembered)
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

/** Finds the header of a staff list below titles and notes; see `HeaderWords.find`. */
export const findHeader: FindHeader = (rows) => header.find(rows)

function words(text: string): string[] {
  return text.split(" ")
}
