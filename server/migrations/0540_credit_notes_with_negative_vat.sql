-- An invoice can carry VAT below zero at a rate: exempt lines above zero, standard-rated adjustments below it. Its credit
-- note takes that VAT back and then has a negative sum of VAT. `credit_notes_total` still keeps the total at zero or above.
alter table credit_notes drop constraint credit_notes_vat_cents_check;
