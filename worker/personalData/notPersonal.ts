/** Tables of which nobody is given anything, each with its reason. */
export const NOT_PERSONAL: Readonly<Record<string, string>> = {
  account_kinds: 'rules of the ledger',
  transfer_codes: 'rules of the ledger',
  request_kinds: 'rules of the requests',
  request_transitions: 'rules of the requests',
  custody_assets: 'rules of custody',
  custody_balances: 'the company’s own holdings',
  custody_entries: 'the company’s own holdings; what a person’s request moved is its quantity',
  audit_blocks: 'seals over the audit log',
  market_snapshots: 'prices',
  self_checks: 'what the self-check found',
  settings: 'the company’s settings',
  wallets: 'the company’s receiving addresses',
  newsletter_tokens: 'hashes of mailed links: a secret each',
  rate_counters: 'counts of tries, gone within two days: what is left of them would help whoever guesses',
}
