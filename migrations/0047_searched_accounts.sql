-- Finds bank withdrawals by an account number, however it was typed.
CREATE INDEX withdrawal_details_by_account ON withdrawal_details (
  lower(replace(replace(json_extract(bank, '$.accountNumber'), ' ', ''), '-', ''))) WHERE bank IS NOT NULL;
