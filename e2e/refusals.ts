export const expectedRefusals: Record<string, RegExp> = {
  bad_email: /is not an e-mail address/,
  check_digit: /last digit of the ID number .* does not match the others/,
  dob_conflict: /date of birth .* differs from .* in the ID number/,
  duplicate_in_file: /person is already in row \d+; only the first row is used/,
  gender_conflict: /gender .* differs from the ID number/,
  impossible_date: /does not start with a valid date of birth/,
  missing_last_name: /last name is missing/,
  no_email: /e-mail address is missing/,
  short_id: /does not have 13 digits/,
}
