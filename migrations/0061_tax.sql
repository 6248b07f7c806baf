-- Where an investor pays taxes, for the yearly report to tax authorities. Only the report and its owner read it.
CREATE TABLE tax_details (
  investor TEXT PRIMARY KEY REFERENCES users (id),
  sealed TEXT NOT NULL,                     -- JSON under VAULT_KEYS
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tax_details_by_key ON tax_details (CAST(sealed AS INTEGER));
