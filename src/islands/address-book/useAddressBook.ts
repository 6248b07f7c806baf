import { useResource } from '../lib/resource.ts'

/** The address book and what shows it, fetched once somebody has a use for it. */
export function useAddressBook(isWanted: boolean) {
  return useResource(isWanted ? 'address book' : null, async () => {
    const book = await import('./AddressBook.tsx')
    return { ...book, saved: await book.loadAddresses() }
  })
}
