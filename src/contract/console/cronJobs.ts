/** Every cron job by the name under which its runs are recorded, with its name on screens. */
export const CRON_JOBS = {
  outbox: 'Sending mails',
  auditLog: 'Sealing the audit log',
  auditWitness: 'Mailing the head of the audit log',
  cleanUp: 'Clearing what has expired',
  documentExpiry: 'Telling owners of documents that expire',
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
  venue: 'Trading at the exchange',
  market: 'Asking for prices',
  payments: 'Observing payments',
  screening: 'Comparing cases with the sanctions list',
  payouts: 'Following payouts',
  reserves: 'Counting the reserves',
  treasury: 'Reconciling the treasury',
  candles: 'Keeping the daily bars',
} as const

export type CronJob = keyof typeof CRON_JOBS
