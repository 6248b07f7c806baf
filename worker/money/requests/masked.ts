/** An account number but for its last four characters: `••••1234`. A number that short is hidden altogether. */
export function masked(accountNumber: string): string {
  const characters = Array.from(accountNumber.replace(/[\s-]/g, ''))
  return `••••${characters.length > 4 ? characters.slice(-4).join('') : ''}`
}
