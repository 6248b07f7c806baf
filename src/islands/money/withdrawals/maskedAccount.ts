const SHOWN = 4

/** An account number as it is shown on a screen that others may see: `••••1234`, as the API writes it. */
export function maskedAccount(accountNumber: string): string {
  const characters = [...accountNumber.replace(/[\s-]/g, '')]
  return `••••${characters.length > SHOWN ? characters.slice(-SHOWN).join('') : ''}`
}

/** A bank account in words, by its fields as typed. */
export function accountWords(
  typed: (name: 'accountNumber' | 'bankName' | 'accountHolderName') => string,
): string {
  return `the account ${maskedAccount(typed('accountNumber'))} at ${typed('bankName')}, held by ${typed('accountHolderName')}`
}
