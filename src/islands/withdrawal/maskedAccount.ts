const SHOWN = 4

/** An account number as it is shown on a screen that others may see: `••••1234`, as the API writes it. */
export function maskedAccount(accountNumber: string): string {
  const characters = [...accountNumber.replace(/[\s-]/g, '')]
  return `••••${characters.length > SHOWN ? characters.slice(-SHOWN).join('') : ''}`
}
