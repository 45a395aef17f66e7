/** The rate that a product type starts with (specification 2, section 9). */
export const standardVatPercent = 15
