/** What names a failure without telling what it was about, in the order in which they are looked for. */
const KNOWN: readonly RegExp[] = [
  /^Live mode does not trade the simulated market$/,
  /\bResend answered \d{3}\b/,
  /\bLog destination answered \d{3}\b/,
  /\bSQLITE_[A-Z_]+\b/,
  /\bD1_[A-Z_]+\b/,
  /\bE_[A-Z_]+\b/,
  /\btimed? ?out\b/i,
  /\bNetwork connection lost\b/,
]

/**
 * Of what kind a failure is, from its message: a carrier's status, a code of the database, a lost connection. Messages
 * may hold addresses and contents, so that nothing else of them is shown; what is not known is "other".
 */
export function errorClass(message: string): string {
  for (const pattern of KNOWN) {
    const [found] = pattern.exec(message) ?? []
    if (found !== undefined) return /^time/i.test(found) ? 'timed out' : found
  }
  return 'other'
}
