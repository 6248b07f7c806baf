import { CRON_JOBS } from '../../../contract/console/cronJobs.ts'

const CHECKS: Readonly<Record<string, string>> = {
  schema: 'database schema',
  size: 'size of the database',
  ledger: 'recent transfers',
  everything: 'all balances, requests and transfers',
  auditLog: 'audit log against its seals',
  gaps: 'explanations of days',
  silentFreezes: 'silent freezes that nobody renewed',
  payments: 'credited payments against their chains',
  chainServers: 'servers of the chains',
  exchange: 'the exchange',
  treasury: 'the treasury',
  wrappingKeys: 'encryption keys of stored secrets',
  restore: 'restore from a backup',
  backup: 'newest backup',
}

/** A cron job in words: "Sending mails". Unknown jobs keep their name. */
export function describeCronJob(name: string): string {
  return getWords(CRON_JOBS, name)
}

export function checkWords(name: string): string {
  return getWords(CHECKS, name)
}

function getWords(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name
}
