const WORK: Readonly<Record<string, string>> = {
  outbox: 'Sending mails',
  auditLog: 'Sealing the audit log',
  auditWitness: 'Mailing the head of the audit log',
  logs: 'Sending the log to its destination',
  cleanUp: 'Clearing what has expired',
  retention: 'Erasing what is kept no longer',
  wrappingKeys: 'Changing the wrapping key',
  onward: 'Withdrawing what was redeemed',
  factorRecovery: 'Removing lost second factors',
  referrals: 'Granting referral bonuses',
  announcements: 'Writing announcements',
  decisionTimes: 'Measuring decision times',
  books: 'Counting the books',
  liabilities: 'Publishing what is owed',
  selfCheck: 'Checking itself',
  strategies: 'Running the strategies',
  market: 'Asking for prices',
  candles: 'Keeping the daily bars',
}

const CHECKS: Readonly<Record<string, string>> = {
  schema: 'the database’s rules',
  ledger: 'what was posted lately',
  everything: 'all books, requests and transfers',
  auditLog: 'the audit log against its seals',
  wrappingKeys: 'the keys under which secrets are kept',
}

/** A cron job in words: "Sending mails". Unknown jobs keep their name. */
export function workWords(name: string): string {
  return lookedUp(WORK, name)
}

export function checkWords(name: string): string {
  return lookedUp(CHECKS, name)
}

function lookedUp(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name
}
