import { type DeclaredField, listColumnsOf, reportFieldsOf } from "../kernel/declared-field.ts"

/** Steps of the form, parts of the page and of the API record. */
export type MemberSection = "personal" | "contact" | "employment"

interface MemberField extends DeclaredField {
  section: MemberSection
  /**
   * Headers of payroll exports, as `headerKey` normalises them, the preferred one first. If two fields claim a header,
   * the first field wins.
   */
  staffList: string
  /** More cell texts per choice value, separated by spaces, in lower case. */
  cells?: Readonly<Record<string, string>>
}

const declareMemberField = <const F extends MemberField>(declared: F): F => declared

/** South Africa's official written languages, by ISO 639 code. */
const languages = {
  af: "Afrikaans",
  en: "English",
  nr: "isiNdebele",
  xh: "isiXhosa",
  zu: "isiZulu",
  nso: "Sepedi",
  st: "Sesotho",
  tn: "Setswana",
  ss: "siSwati",
  ve: "Tshivenḓa",
  ts: "Xitsonga",
}

/**
 * A member's plain fields. API shapes, forms, pages, history, lists, staff lists, person file and custom reports derive
 * from them. Database columns are the keys in snake case.
 */
export const memberFields = {
  firstName: declareMemberField({
    kind: "line",
    label: "First name",
    section: "personal",
    most: 120,
    required: "Enter the first name",
    staffList: "firstname first name names forename forenames givenname givennames fname voornaam",
  }),
  lastName: declareMemberField({
    kind: "line",
    label: "Last name",
    section: "personal",
    most: 120,
    required: "Enter the last name",
    staffList: "lastname surname familyname last sname lname van",
  }),
  idNumber: declareMemberField({
    kind: "identity",
    label: "ID number",
    section: "personal",
    hint: "Fills in date of birth and gender",
    isMasked: true,
    staffList:
      "idnumber id idno idnr rsaid rsaidno rsaidnumber said saidno saidnumber identitynumber identityno identity nationalid nationalidnumber identitydocument idnommer",
  }),
  passportNumber: declareMemberField({
    kind: "identity",
    label: "Passport number",
    section: "personal",
    most: 40,
    hint: "If there is no ID number",
    isMasked: true,
    staffList: "passport passportnumber passportno passportnr paspoort foreignid",
  }),
  dateOfBirth: declareMemberField({
    kind: "day",
    label: "Date of birth",
    section: "personal",
    isMasked: true,
    report: {},
    staffList: "dateofbirth dob birthdate birthday bdate born geboortedatum",
  }),
  gender: declareMemberField({
    kind: "choice",
    label: "Gender",
    section: "personal",
    names: { male: "Male", female: "Female", other: "Other" },
    report: { groups: true },
    staffList: "gender sex geslag",
    cells: { male: "m man manlik", female: "f woman v vroulik", other: "o x nonbinary" },
  }),
  email: declareMemberField({
    kind: "email",
    label: "Email",
    section: "contact",
    requiredOnCreate: "Enter an e-mail address",
    list: { hidden: true },
    staffList: "email emailaddress mail mailaddress emailid workemail contactemail epos eposadres",
  }),
  phone: declareMemberField({
    kind: "phone",
    label: "Phone",
    section: "contact",
    most: 40,
    staffList:
      "phone phonenumber phoneno telephone telephonenumber tel telno cell cellno cellnumber cellphone cellphonenumber mobile mobilenumber mobileno contactnumber contactno selfoon",
  }),
  preferredLanguage: declareMemberField({
    kind: "choice",
    label: "Preferred language",
    section: "contact",
    names: languages,
    isOptionalInApi: true,
    list: { hidden: true },
    report: { groups: true },
    staffList:
      "preferredlanguage language languagepreference preferredlang correspondencelanguage languageofcorrespondence homelanguage taal voorkeurtaal",
    cells: {
      nr: "ndebele",
      xh: "xhosa",
      zu: "zulu",
      nso: "pedi northernsotho sesothosaleboa",
      st: "sotho southernsotho",
      tn: "tswana",
      ss: "swati swazi",
      ve: "venda tshivenda",
      ts: "tsonga",
    },
  }),
  address: declareMemberField({
    kind: "text",
    label: "Address",
    section: "contact",
    most: 500,
    staffList: "address physicaladdress homeaddress residentialaddress postaladdress streetaddress adres",
  }),
  employmentStatus: declareMemberField({
    kind: "choice",
    label: "Employment status",
    section: "employment",
    placeholder: "Choose the employment status",
    names: {
      employed: "Employed",
      "self-employed": "Self-employed",
      unemployed: "Unemployed",
      retired: "Retired",
      student: "Student",
    },
    staffList: "employmentstatus employmenttype employeestatus contracttype",
    cells: {
      employed: "employee active fulltime permanent parttime contract contractor fixedterm temporary casual",
      retired: "pensioner",
    },
  }),
  employeeNumber: declareMemberField({
    kind: "reference",
    label: "Employee number",
    section: "employment",
    most: 40,
    hint: "As on the employer's payroll",
    isOptionalInApi: true,
    list: { sort: true, hidden: true },
    report: {},
    staffList:
      "employeenumber employeeno employeenr employeeid employeecode empnumber empno empnr empid empcode payrollnumber payrollno payrollnr payrollid payrollcode paynumber payno staffnumber staffno staffnr staffid staffcode personnelnumber personnelno personnelnr workernumber workerno clocknumber clockno clockcardno companynumber companyno personeelnommer werknemernommer",
  }),
  jobTitle: declareMemberField({
    kind: "line",
    label: "Job title",
    section: "employment",
    most: 120,
    list: { hidden: true },
    report: { groups: true },
    staffList: "jobtitle title job position occupation role designation",
  }),
  employer: declareMemberField({
    kind: "line",
    label: "Employer",
    section: "employment",
    most: 200,
    report: { groups: true },
    staffList: "employer employername",
  }),
} as const satisfies Record<string, MemberField>

export type MemberFields = typeof memberFields
export type MemberFieldName = keyof MemberFields
export const memberFieldNames = Object.keys(memberFields) as MemberFieldName[]

export const memberField = (name: string): MemberField | undefined =>
  (memberFields as Readonly<Record<string, MemberField>>)[name]

export const memberListColumns = listColumnsOf(memberFields)
export const memberFieldsInReports = reportFieldsOf(memberFields)
